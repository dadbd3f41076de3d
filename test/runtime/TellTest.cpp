// What a program tells of itself: `info`, `--help`, `bench`.
#include "test/runtime/TrainFixture.h"

using namespace dlm;
using namespace dlm::test;

namespace {

TEST_F(TrainTest, InfoAndHelpTellEveryOption) {
  auto add = [&](const char *name, const char *kind, const char *text) {
    auto option = std::make_unique<plan::OptionT>();
    option->name = name;
    option->kind = kind;
    option->text = text;
    option->doc = std::string("doc of ") + name;
    made.plan.options.push_back(std::move(option));
  };
  add("wide", "bool", "false");
  add("act", "string", "gelu");
  add("length", "epochs", "1 epochs");
  Result help = run({"--help"}), info = run({"info"});
  for (const char *text : {"(bool, is false)", "(string, is \"gelu\")", "(epochs, is 1 epochs)"})
    EXPECT_NE(help.out.find(text), std::string::npos) << text << "\n" << help.out;
  for (const char *text : {"\n  --lr          0.001     f32                       learning rate\n",
                           "\n  wide          false     bool                      doc of wide\n",
                           "\n  act           \"gelu\"    string                    doc of act\n",
                           "\n  length        1 epochs  epochs                    doc of length\n"})
    EXPECT_NE(info.out.find(text), std::string::npos) << text << "\n" << info.out;
  EXPECT_NE(info.out.find("int     a multiple of 16  samples a step\n"), std::string::npos);
  auto options = run({"info", "--json"}).last()["options"];
  EXPECT_EQ(options["wide"]["value"], false);
  EXPECT_EQ(options["act"]["value"], "gelu");
  EXPECT_EQ(options["length"]["type"], "epochs");
  EXPECT_EQ(options["lr"]["type"], "f32");
  EXPECT_EQ(run({"train", "--act", "relu"}).status, 1);
}

TEST_F(TrainTest, InfoTellsHowResultsDependOnTheSamples) {
  auto add = [this](const char *name, bool isMetric, const char *grade) {
    auto entry = std::make_unique<plan::GradeT>();
    entry->name = name;
    entry->is_metric = isMetric;
    entry->grade = grade;
    made.plan.recipe->grades.push_back(std::move(entry));
    return made.plan.recipe->grades.back().get();
  };
  plan::GradeT *loss = add("loss", false, "coupled");
  loss->file = "net.dlm";
  loss->line = 14;
  loss->text = "x - mean(x)";
  loss->layer = "net.norm";
  add("accuracy", true, "sum");
  Result info = run({"info"});
  for (const char *text :
       {"\n  loss      loss    coupled, from net.dlm:14 in `net.norm`: `x - mean(x)`\n",
        "\n  accuracy  metric  a sum over samples\n"})
    EXPECT_NE(info.out.find(text), std::string::npos) << text << "\n" << info.out;
  auto grades = run({"info", "--json"}).last()["grades"];
  ASSERT_EQ(grades.size(), 2u);
  EXPECT_EQ(grades[0]["grade"], "coupled");
  EXPECT_EQ(grades[0]["line"], 14);
  EXPECT_EQ(grades[1]["of"], "metrics");
}

TEST_F(TrainTest, InfoAndHelpTellWhatTheProgramIs) {
  Result info = run({"info"});
  EXPECT_EQ(info.status, 0);
  EXPECT_NE(info.out.find("    weight  f32[144, 16]  2,304\n"), std::string::npos) << info.out;
  EXPECT_TRUE(run({"info", "--json"}).last().is_object());
  EXPECT_NE(run({"info", "--plan"}).out.find("program grad (16 rows)"), std::string::npos);
  Result help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char *text : {"--lr NUMBER", "learning rate (f32, default 0.001)", "--resume",
                           "width of the hidden layer (int, is 16)", "images"})
    EXPECT_NE(help.out.find(text), std::string::npos) << text << "\n" << help.out;
  EXPECT_EQ(run({"--version"}).status, 0);
}

TEST_F(TrainTest, InfoTellsWhereEachValueIsFrom) {
  auto add = [](auto &list, const char *name, const char *text, uint32_t line) {
    auto origin = std::make_unique<plan::OriginT>();
    origin->name = name;
    origin->text = text;
    if (line) origin->file = "mlp.dlm";
    origin->line = line;
    list.push_back(std::move(origin));
  };
  plan::RecipeT &recipe = *made.plan.recipe;
  add(recipe.settings, "duration", "1 epoch", 7);
  add(recipe.settings, "seed", "1", 0);
  add(recipe.settings, "checkpoint.to", "runs/mlp", 9);
  add(recipe.parameters, "hidden.weight", "kaiming", 21);
  made.plan.options[0]->file = "mlp.dlm";
  made.plan.options[0]->line = 3;
  made.plan.options.back()->is_given = true;
  Result info = run({"info", "--lr", "0.5", "--duration", "90 min", "--seed", "7"});
  ASSERT_EQ(info.status, 0) << info.err;
  for (const char *text :
       {"\n  duration       1.5 h     --duration\n", "\n  seed           7         --seed\n",
        "\n  checkpoint.to  runs/mlp  mlp.dlm:9\n",
        "\n  --lr          0.5  f32                    --lr  learning rate\n",
        "\n    weight  f32[144, 16]  2,304         kaiming  mlp.dlm:21\n", " -D "})
    EXPECT_NE(info.out.find(text), std::string::npos) << text << "\n" << info.out;
  Json json = run({"info", "--json"}).last();
  EXPECT_EQ(json["options"]["lr"]["origin"], "mlp.dlm:3");
  EXPECT_EQ(json["settings"][0]["origin"], "mlp.dlm:7");
  EXPECT_EQ(json["settings"][1]["origin"], "default");
  EXPECT_EQ(json["parameter_list"][0]["origin"], "mlp.dlm:21");
  EXPECT_EQ(json["steps"], 126);
}

TEST_F(TrainTest, InfoCountsTheWorkOfAStep) {
  Json info = run({"info", "--json", "--batch_size", "64"}).last();
  EXPECT_EQ(info["batch"], 64);
  EXPECT_EQ(info["work"][0]["program"], "grad");
  EXPECT_EQ(info["work"][0]["runs"], 4);
  double flops = info["work"][0]["flops"].get<double>() + info["work"][1]["flops"].get<double>();
  EXPECT_EQ(info["step"]["flops"], flops);
  // The products of the hidden layer: forward, and backward to its weight.
  EXPECT_GE(flops, 2.0 * 2 * 64 * 144 * 16);
  EXPECT_GT(info["step"]["bytes_read"], 0);
}

TEST_F(TrainTest, HelpOfOneCommandTellsItsFlagsOnly) {
  Result train = run({"train", "--help"}), bench = run({"help", "bench"});
  EXPECT_EQ(train.status, 0);
  for (const char *text : {"usage: ./mlp train", "--resume", "--duration LENGTH", "--lr NUMBER",
                           "Ctrl-C ends the run", "./mlp train --to runs/c --lr 0.001"})
    EXPECT_NE(train.out.find(text), std::string::npos) << text << "\n" << train.out;
  EXPECT_EQ(train.out.find("--plan"), std::string::npos) << train.out;
  EXPECT_EQ(bench.out.find("--resume"), std::string::npos) << bench.out;
  // Of what a flag means only what it means here.
  EXPECT_NE(bench.out.find("  --steps N               how many it times\n"), std::string::npos);
  EXPECT_NE(train.out.find("  --steps N               the same in steps\n"), std::string::npos);
  EXPECT_EQ(train.out.find("predict"), std::string::npos) << train.out;
  EXPECT_NE(train.out.find("was compiled; also\n"), std::string::npos) << train.out;
  EXPECT_EQ(run({"eval", "--help"}).out.find("--resume"), std::string::npos);
  EXPECT_NE(run({"predict", "--help"}).out.find("  --to PATH               file for the results"),
            std::string::npos);
}

TEST_F(TrainTest, BenchTimesEveryInstructionOfAStep) {
  Result json = run({"bench", "--steps", "3", "--threads", "2", "--json"});
  ASSERT_EQ(json.status, 0) << json.err;
  EXPECT_EQ(json.last()["step"]["steps"], 3);
  EXPECT_GT(json.last()["step"]["us"], 0);
  EXPECT_NE(json.out.find("\"name\":\"contract 16x144 * 144x16\""), std::string::npos) << json.out;
  EXPECT_NE(run({"bench", "--steps", "3", "--threads", "1"}).out.find("on 1 thread"),
            std::string::npos);
  EXPECT_NE(access((folder / "run").c_str(), F_OK), 0); // no checkpoint
}

TEST_F(TrainTest, BenchAddsUpByLayerAndLine) {
  Result result = run({"bench", "--steps", "3", "--threads", "1", "--json"});
  double sums[3] = {0, 0, 0}, shares[3] = {0, 0, 0};
  size_t end = 0;
  for (size_t begin = 0; (end = result.out.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    Json line = Json::parse(result.out.substr(begin, end - begin));
    if (line.count("step")) continue;
    int kind = line.count("layer") ? 1 : line.count("line") ? 2 : 0;
    sums[kind] += line["us"].get<double>();
    shares[kind] += line["share"].get<double>();
  }
  double busy = result.last()["step"]["busy_us"];
  for (int kind = 0; kind < 3; ++kind) {
    EXPECT_NEAR(sums[kind], busy, 1e-4 * busy) << kind;
    EXPECT_NEAR(shares[kind], 1, 1e-4) << kind;
  }
  std::string text = run({"bench", "--steps", "3", "--threads", "1"}).out;
  EXPECT_NE(text.find("100.0%"), std::string::npos) << text;
  EXPECT_NE(text.find("  total\n"), std::string::npos) << text;
}

} // namespace
