// The command line: what is accepted, and what each mistake is told.
#include "runtime/launch/CommandLine.h"
#include "runtime/launch/NearestName.h"
#include "runtime/launch/Sections.h"
#include "runtime/metrics/JsonLines.h"
#include "runtime/metrics/TextProgress.h"
#include "test/runtime/IdxFolder.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace dlm;

namespace {

Expected<CommandLine> parse(const std::vector<std::string> &arguments) {
  std::vector<ProgramOption> options = {{"lr", "learning rate", false, true, 1e-3},
                                        {"batch_size", "", true, true, 64},
                                        {"width", "", true, false, 128}};
  return parseCommandLine(arguments, options);
}

std::string failure(const std::vector<std::string> &arguments) {
  Expected<CommandLine> line = parse(arguments);
  EXPECT_FALSE(line.isOk());
  return line.isOk() ? "" : line.status().message();
}

TEST(CommandLine, TakesFlagsInEveryForm) {
  Expected<CommandLine> line =
      parse({"train", "--steps", "7", "--threads=2", "--seed", "18446744073709551615", "--to", "d",
             "--resume", "--json", "--data", "x=/y=z", "--lr", "-1e-4", "--batch-size", "32"});
  ASSERT_TRUE(line.isOk()) << line.status().message();
  EXPECT_EQ(line->command, "train");
  EXPECT_EQ(line->steps, 7);
  EXPECT_EQ(line->threads, 2);
  EXPECT_EQ(line->seed, ~uint64_t(0));
  EXPECT_EQ(line->to, "d");
  EXPECT_TRUE(line->resume && line->json);
  EXPECT_EQ(line->data.at("x"), "/y=z");
  EXPECT_EQ(parse({"predict", "--data", "runs/a=b.csv"})->data.at(""), "runs/a=b.csv");
  EXPECT_EQ(parse({"predict", "--split", "test"})->split, "test");
  EXPECT_EQ(line->options.at("lr"), -1e-4);
  EXPECT_EQ(line->options.at("batch_size"), 32);
}

TEST(CommandLine, TakesALengthWithItsUnit) {
  for (const std::vector<std::string> &form : {std::vector<std::string>{"--duration", "3 epochs"},
                                               {"--duration=3epochs"},
                                               {"--duration", "3", "epochs"}}) {
    std::vector<std::string> arguments = {"train"};
    arguments.insert(arguments.end(), form.begin(), form.end());
    Expected<CommandLine> line = parse(arguments);
    ASSERT_TRUE(line.isOk()) << line.status().message();
    EXPECT_EQ(line->duration->unit, plan::Unit::Epochs);
    EXPECT_EQ(line->duration->value, 3);
  }
  EXPECT_EQ(parse({"train", "--duration", "1.5 h"})->duration->value, 5400000);
  EXPECT_EQ(parse({"train", "--duration", "1e9 tokens"})->duration->unit, plan::Unit::Tokens);
  for (const char *wrong :
       {"3", "epochs", "3 days", "-1 steps", "0 steps", "0x10 steps", "inf steps", "1e999 s"})
    EXPECT_EQ(failure({"train", "--duration", wrong}),
              "--duration takes a number above 0 and a unit, such as `500 steps`, `3 epochs`, `1e6 "
              "samples`, `1e9 tokens` or `90 min` (ms, s, min, h), not `" +
                  std::string(wrong) + "`");
  EXPECT_EQ(failure({"train", "--duration", "3 epochs", "--steps", "3"}),
            "--steps and --duration both say how long the run is; give one");
  EXPECT_EQ(failure({"eval", "--duration", "3 epochs"}),
            "`eval` does not take --duration; `train` and `info` do");
}

TEST(CommandLine, HelpIsAlsoAWord) {
  EXPECT_TRUE(parse({"help"})->help);
  Expected<CommandLine> line = parse({"help", "train"});
  EXPECT_TRUE(line->help);
  EXPECT_EQ(line->command, "train");
  EXPECT_EQ(parse({"bench", "--help"})->command, "bench");
  EXPECT_TRUE(parse({"version"})->version);
}

TEST(CommandLine, OptionsHaveRanges) {
  ProgramOption lr{"lr", "", false, true, 1e-3}, rows{"rows", "", true, true, 64};
  lr.tests = {{">", 0, ""}, {"<=", 0.1, "a learning rate is small"}};
  rows.tests = {{">=", 1, ""}, {"<", 1025, "memory is planned for 1024"}};
  auto said = [&](const std::vector<std::string> &words) {
    std::vector<std::string> arguments = {"train"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return parseCommandLine(arguments, {lr, rows}).status().message();
  };
  EXPECT_EQ(said({"--lr", "0.1", "--rows", "1024"}), ""); // as an f32, 0.1 is above 0.1
  EXPECT_EQ(said({"--lr", "-1"}), "--lr has to be > 0, and this is -1");
  EXPECT_EQ(said({"--lr=1e-60"}), "--lr has to be > 0, and 1e-60 is 0 as an f32");
  EXPECT_EQ(said({"--lr", "2"}), "--lr has to be <= 0.1, and this is 2: a learning rate is small");
  EXPECT_EQ(said({"--lr", "nan"}), "--lr takes a finite number, not `nan`");
  EXPECT_EQ(said({"--lr", "1e39"}), "--lr takes a finite number, not `1e39`");
  EXPECT_EQ(said({"--rows", "0"}), "--rows has to be >= 1, and this is 0");
  EXPECT_EQ(said({"--rows", "1025"}),
            "--rows has to be < 1025, and this is 1025: memory is planned for 1024");
  for (const char *wrong : {"1e30", "99999999999999999999", "1.5", "x"})
    EXPECT_EQ(said({"--rows", wrong}),
              std::string("--rows takes a whole number from 1 to 1024, not `") + wrong + "`");
}

TEST(CommandLine, OptionsAreOfTheCommandsThatReadThem) {
  ProgramOption lr{"lr", "", false, true, 1e-3}, scale{"scale", "", false, true, 1};
  lr.commands = {"train", "bench", "info"};
  scale.commands = {"train", "info", "grey"};
  auto said = [&](const std::vector<std::string> &arguments) {
    return parseCommandLine(arguments, {lr, scale}, false, {{"grey", "", {}}}).status().message();
  };
  EXPECT_EQ(said({"train", "--lr", "1", "--scale", "2"}), "");
  EXPECT_EQ(said({"grey", "--scale", "2"}), "");
  EXPECT_EQ(said({"--lr", "1", "eval"}),
            "nothing that `eval` computes depends on --lr, so it does not take it; `train`, "
            "`bench` and `info` do");
  EXPECT_EQ(said({"bench", "--scale", "1"}),
            "nothing that `bench` computes depends on --scale, so it does not take it; `train`, "
            "`info` and `grey` do");
}

TEST(CommandLine, RangesAreToldInOneLine) {
  EXPECT_EQ(rangeText("lr", {}), "");
  EXPECT_EQ(rangeText("lr", {{">", 0, ""}}), "lr > 0");
  EXPECT_EQ(rangeText("lr", {{"<", 1, ""}, {"<=", 0.5, ""}}), "lr <= 0.5");
  EXPECT_EQ(rangeText("lr", {{">=", 0, ""}, {"<", 1, ""}, {">", 0, ""}, {"<=", 1, ""}}),
            "0 < lr < 1");
  EXPECT_EQ(rangeText("n", {{">=", 1, ""}, {"<=", 2147483648.0, ""}}), "1 <= n <= 2147483648");
  EXPECT_EQ(rangeText("n", {{"<=", 1e300, ""}}), "n <= 1e+300");
}

/// `grey`, with an argument of each type.
Expected<CommandLine> parseDeclared(const std::vector<std::string> &arguments) {
  DeclaredCommand grey{"grey", "grey", {}};
  CommandArgument level{"level", "f32", false, "0.5"};
  level.tests = {{">", 0, "black is not grey"}};
  grey.arguments = {{"count", "int", false, "4", 1, 64},
                    level,
                    {"wide", "bool", false, "false"},
                    {"gain", "f32", true, ""}};
  return parseCommandLine(arguments, {{"lr", "", false, true, 1e-3}}, false, {grey});
}

TEST(CommandLine, CommandsOfTheProgramTakeTypedFlags) {
  Expected<CommandLine> line =
      parseDeclared({"grey", "--gain", "2", "--wide", "--level=0.25", "--lr", "0.1", "--json"});
  ASSERT_TRUE(line.isOk()) << line.status().message();
  EXPECT_TRUE(line->isDeclared);
  EXPECT_EQ(line->command, "grey");
  EXPECT_EQ(line->arguments, (std::map<std::string, double>{
                                 {"count", 4}, {"gain", 2}, {"level", 0.25}, {"wide", 1}}));
  EXPECT_EQ(parseDeclared({"grey", "--wide", "false", "--gain", "1"})->arguments.at("wide"), 0);
  auto said = [](const std::vector<std::string> &arguments) {
    return parseDeclared(arguments).status().message();
  };
  EXPECT_EQ(said({"grey"}), "`grey` needs --gain VALUE");
  EXPECT_EQ(said({"grey", "--gain", "1", "--count", "65"}),
            "--count takes a whole number from 1 to 64, not `65`");
  EXPECT_EQ(said({"grey", "--gain", "1", "--level", "0"}),
            "--level has to be > 0, and this is 0: black is not grey");
  EXPECT_EQ(said({"grey", "--gain", "x"}), "--gain takes a finite number, not `x`");
  EXPECT_EQ(said({"grey", "--wide=yes"}), "--wide takes `true` or `false`, not `yes`");
  EXPECT_EQ(said({"grey", "--counts", "3"}),
            "unknown flag `--counts`; there is a flag named `--count`");
  EXPECT_EQ(said({"grye"}), "unknown command `grye`; there is a command named `grey`");
  EXPECT_EQ(said({"grey", "--gain", "1", "--resume"}),
            "`grey` does not take --resume; `train` does");
  EXPECT_EQ(said({"train", "--gain", "1"}), "unknown flag `--gain`");
}

TEST(CommandLine, SeedIsOfTheCommandsThatDraw) {
  DeclaredCommand grey{"grey", "", {}, false}, noise{"noise", "", {}, true};
  auto said = [&](const std::string &command) {
    return parseCommandLine({command, "--seed", "3"}, {}, false, {grey, noise}).status().message();
  };
  EXPECT_EQ(said("noise"), "");
  EXPECT_EQ(said("train"), "");
  EXPECT_EQ(said("grey"), "nothing that `grey` computes is random, so it does not take --seed; "
                          "`train`, `info` and `noise` do");
  EXPECT_EQ(said("eval"), "`eval` does not take --seed; `train`, `info` and `noise` do");
}

TEST(CommandLine, P42_UnknownNamesAreErrorsWithTheNearest) {
  EXPECT_EQ(failure({"train", "--step", "3"}),
            "unknown flag `--step`; there is a flag named `--steps`");
  EXPECT_EQ(failure({"train", "--epochs", "5"}),
            "unknown flag `--epochs`; here that is --duration \"5 epochs\"");
  EXPECT_EQ(failure({"train", "--learning_rate=0.1"}),
            "unknown flag `--learning_rate`; here that is --lr 0.1");
  EXPECT_EQ(failure({"train", "--num-workers"}),
            "unknown flag `--num-workers`; here that is --loader-threads VALUE");
  EXPECT_EQ(failure({"train", "--dropout", "0.2"}),
            "unknown flag `--dropout`; the share that is dropped is no option of this program; "
            "`option dropout = 0.1` in its text would make it one");
  EXPECT_EQ(failure({"evaluate"}), "unknown command `evaluate`; here that is `eval`");
  EXPECT_EQ(failure({"info", "--from", "d", "--lr", "1"}),
            "`info --from` tells what a checkpoint was made with, and --lr changes nothing of "
            "that; leave one of the two out");
  EXPECT_EQ(failure({"trian"}), "unknown command `trian`; there is a command named `train`");
  EXPECT_EQ(failure({"train", "--batchsize", "3"}),
            "unknown flag `--batchsize`; there is a flag named `--batch_size`");
  EXPECT_EQ(failure({"train", "--zzzzzzzz"}), "unknown flag `--zzzzzzzz`");
}

TEST(CommandLine, OddNumbersAreErrors) {
  for (const char *value : {"0", "-1", "1.5", "", " 3", "3x", "99999999999999999999", "nan"})
    EXPECT_EQ(failure({"train", "--steps", value}),
              "--steps takes a whole number from 1 to 1000000000000, not `" + std::string(value) +
                  "`");
  for (const char *value : {"-1", "18446744073709551616", "x"})
    EXPECT_NE(failure({"train", "--seed", value}).find("--seed takes"), std::string::npos);
  for (const char *value : {"nan", "inf", "1e39", "0.1x", "0x10", "-0X1p3", ""})
    EXPECT_NE(failure({"train", "--lr", value}).find("--lr takes a finite number"),
              std::string::npos);
  EXPECT_NE(failure({"train", "--batch_size", "1.5"}).find("whole number"), std::string::npos);
  EXPECT_NE(failure({"train", "--threads", "0"}), "");
}

TEST(CommandLine, TellsWhatIsMissingOrTooMuch) {
  EXPECT_EQ(failure({}), "no command given; --help lists them");
  EXPECT_EQ(failure({"train", "--steps"}), "--steps needs a value: --steps N");
  EXPECT_EQ(failure({"train", "--to", "--json"}), "--to needs a value: --to PATH");
  EXPECT_EQ(failure({"train", "--resume=yes"}), "--resume takes no value");
  EXPECT_EQ(failure({"train", "extra"}),
            "`extra` after `train` means nothing; values follow their flag");
  EXPECT_EQ(failure({"predict", "new.csv"}),
            "`new.csv` after `predict` means nothing; values follow their flag: --data new.csv");
  EXPECT_EQ(failure({"eval", "--steps", "3"}),
            "`eval` does not take --steps; `train`, `bench` and `info` do");
  for (const char *value : {"x=", "=x", ""})
    EXPECT_EQ(failure({"train", "--data", value}),
              "--data takes a path, or NAME=PATH, not `" + std::string(value) + "`");
  EXPECT_EQ(failure({"predict", "--split", "all"}),
            "--split takes `train`, `validation` or `test`, not `all`");
  EXPECT_EQ(failure({"eval", "--split", "test"}), "`eval` does not take --split; `predict` does");
  EXPECT_EQ(failure({"train", "--width", "3"}),
            "`width` is fixed when the program is compiled: dlmc -D width=VALUE");
}

TEST(CommandLine, OfTwoValuesNoneIsTaken) {
  EXPECT_EQ(failure({"train", "--steps", "3", "--steps=3"}),
            "--steps is given twice; give it once");
  EXPECT_EQ(failure({"train", "--lr", "1", "--lr", "2"}), "--lr is given twice; give it once");
  EXPECT_EQ(failure({"train", "--batch-size=8", "--batch_size=9"}),
            "--batch_size is given twice; give it once");
  EXPECT_EQ(failure({"eval", "--data", "a", "--data", "b"}), "--data is given twice; give it once");
  EXPECT_NE(failure({"eval", "--data", "x=a", "--data", "x=b"}), "");
  EXPECT_EQ(parse({"eval", "--data", "x=a", "--data", "y=b"})->data.size(), 2u);
  EXPECT_TRUE(parse({"train", "--json", "--json"})->json);
  EXPECT_EQ(parseDeclared({"grey", "--gain", "1", "--gain", "2"}).status().message(),
            "--gain is given twice; give it once");
}

TEST(CommandLine, WholeNumbersOfCommandsMayBeNegative) {
  DeclaredCommand shift{"shift", "", {{"by", "int", false, "-2", -5, 99}}};
  auto parseShift = [&](const std::vector<std::string> &arguments) {
    return parseCommandLine(arguments, {}, false, {shift});
  };
  EXPECT_EQ(parseShift({"shift"})->arguments.at("by"), -2);
  EXPECT_EQ(parseShift({"shift", "--by", "-5"})->arguments.at("by"), -5);
  EXPECT_EQ(parseShift({"shift", "--by=-6"}).status().message(),
            "--by takes a whole number from -5 to 99, not `-6`");
}

TEST(NearestName, OffersWhatIsAsNear) {
  EXPECT_EQ(nearestNames("see", {"seed", "steps", "seem"}),
            (std::vector<std::string>{"seed", "seem"}));
}

TEST(CommandLine, FlagsOfDevicesAreOfProgramsForDevices) {
  auto parseForDevice = [](const std::vector<std::string> &arguments) {
    return parseCommandLine(arguments, {}, true);
  };
  Expected<CommandLine> line =
      parseForDevice({"train", "--device", "emulator", "--order", "warp-skew", "--order-seed", "7",
                      "--emulator-report", "r.json"});
  ASSERT_TRUE(line.isOk()) << line.status().message();
  EXPECT_EQ(line->device, "emulator");
  EXPECT_EQ(line->order, "warp-skew");
  EXPECT_EQ(line->orderSeed, 7u);
  EXPECT_EQ(line->emulatorReport, "r.json");
  EXPECT_EQ(parseForDevice({"train", "--order", "odd"}).status().message(),
            "--order takes `sequential`, `reverse`, `random` or `warp-skew`, not `odd`");
  EXPECT_EQ(parseForDevice({"train", "--device", "cuda", "--order-seed", "1"}).status().message(),
            "--order-seed is of --device emulator");
  EXPECT_EQ(failure({"train", "--device", "cuda"}),
            "--device is of programs for a GPU, and this one was compiled for the processor; "
            "`dlmc --target=cuda` makes the other kind");
  EXPECT_EQ(failure({"train", "--devise", "cuda"}), "unknown flag `--devise`");
}

TEST(Sections, ReadsThisProgramAndRefusesWhatIsNotOne) {
  Expected<ProgramSections> own = readProgramSections("/proc/self/exe");
  ASSERT_TRUE(own.isOk()) << own.status().message();
  EXPECT_TRUE(own->plan.empty() && own->kernels.empty() && own->images.empty());
  test::TemporaryFolder folder;
  test::writeTestFile(folder / "text", std::vector<uint8_t>(100, 'x'));
  EXPECT_FALSE(readProgramSections(folder / "text").isOk());
  Expected<std::vector<uint8_t>> bytes = readFileBytes("/proc/self/exe");
  for (size_t size : {size_t(0), size_t(20), size_t(64), bytes->size() / 2}) {
    test::writeTestFile(folder / "cut", {bytes->begin(), bytes->begin() + long(size)});
    EXPECT_FALSE(readProgramSections(folder / "cut").isOk()) << size;
  }
}

TEST(Json, WritesValidNumbersAndTexts) {
  EXPECT_EQ(jsonNumber(NAN), "null");
  EXPECT_EQ(jsonNumber(-INFINITY), "null");
  EXPECT_EQ(jsonNumber(0.5), "0.5");
  EXPECT_EQ(jsonNumber(float(1) / 3), "0.333333343");
  EXPECT_EQ(jsonText("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
}

TEST(TextProgress, WritesDurationsAsPeopleDo) {
  EXPECT_EQ(durationText(0.04), "0.0 s");
  EXPECT_EQ(durationText(9.94), "9.9 s");
  EXPECT_EQ(durationText(59.4), "59 s");
  EXPECT_EQ(durationText(185), "3 min 05 s");
  EXPECT_EQ(durationText(7800), "2 h 10 min");
}

} // namespace
