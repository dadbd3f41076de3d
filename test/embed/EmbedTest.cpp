// The C++ interface: values where things go well, reports where they do not.
#include "compiler/embed/Embed.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

using namespace dlm::embed;
namespace fs = std::filesystem;
using Opened = dlm::embed::Run; // Run is a word of the test framework

namespace {

/// A PNG file of one pixel.
std::string onePixel(uint8_t shade) {
  auto big = [](uint32_t number) {
    std::string bytes;
    for (int shift : {24, 16, 8, 0})
      bytes += char(number >> shift);
    return bytes;
  };
  auto chunk = [&](const std::string &content) { // begins with its name
    uint32_t sum = ~0u;
    for (unsigned char byte : content) {
      sum ^= byte;
      for (int bit = 0; bit < 8; ++bit)
        sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
    }
    return big(uint32_t(content.size() - 4)) + content + big(~sum);
  };
  std::string row = std::string(1, '\0') + std::string(3, char(shade));
  uint32_t a = 1, b = 0; // the sum of the row
  for (unsigned char byte : row)
    b += a += byte;
  std::string stored = {'\x78', '\x01', '\x01', '\x04', '\0', '\xFB', '\xFF'};
  return "\x89PNG\r\n\x1A\n" + chunk("IHDR" + big(1) + big(1) + std::string("\x08\x02\0\0\0", 5)) +
         chunk("IDAT" + stored + row + big(b << 16 | a)) + chunk("IEND");
}

/// A folder with a table, in which a program may be compiled.
class EmbedTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "dlm-embed-XXXXXX";
    folder = mkdtemp(pattern.data());
    std::ofstream file(folder / "points.csv");
    file << "x,y\n";
    for (int i = 0; i < 64; ++i)
      file << i * 29 % 64 / 64.0 << "," << i * 29 % 64 / 32.0 + 1 << "\n";
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const std::string &name) const { return folder / name; }

  /// A folder of images, each of a shade of its own.
  void writeShots() const {
    for (int i = 0; i < 64; ++i) {
      fs::create_directories(shot(i).parent_path());
      std::ofstream(shot(i), std::ios::binary) << onePixel(uint8_t(3 * i));
    }
  }
  fs::path shot(int i) const {
    return folder / "shots" / (i % 2 ? "odd" : "even") / (std::to_string(i) + ".png");
  }

  CompileOptions here() const {
    CompileOptions options;
    options.name = path("line.dlm");
    return options;
  }

  Result<Opened> open(const RunOptions &options = {}) const {
    Result<Program> program = compile(text, here());
    if (!program) return program.report();
    return program->open(options);
  }

  /// Runs the program by `dlmc run`, and returns whether that went well; what it said is in `log`.
  bool runs(const std::string &arguments) const {
    std::ofstream(path("line.dlm")) << text;
    std::string command = std::string(DLM_BIN) + "/dlmc run " + path("line.dlm") + " -- " +
                          arguments + " > " + path("log") + " 2>&1";
    return std::system(command.c_str()) == 0;
  }

  std::string text = R"(
use nn, optim, data
option lr = 0.1
option width = 1
let table = data.csv("points.csv", target = "y", validation = 25%)
train line {
  let layer = nn.Linear(1, width)
  fn guess(batch) { sum(layer(batch.number), over = -1) }
  fn loss(batch) { mean((guess(batch) - batch.target) ** 2) }
  fn metrics(batch) { (error = mean(abs(guess(batch) - batch.target))) }
  data      = table
  batch     = 10
  optimizer = optim.Adam(lr = lr)
  duration  = 40 steps
  command at(x: f32) {
    (y = layer(zeros([1, 1]) + x), high = zeros([2]) + x > 0.5)
  }
}
)";
  fs::path folder;
};

std::string fileText(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Tensor> allTensors(const Opened &run) {
  std::vector<Tensor> tensors;
  for (const std::string &name : run.tensorNames()) {
    Result<Tensor> tensor = run.read(name);
    EXPECT_TRUE(tensor) << tensor.report().text;
    tensors.push_back(*tensor);
  }
  return tensors;
}

/// What the report of a failure says: one error without a place.
std::string onlyError(const Report &report) {
  EXPECT_EQ(report.diagnostics.size(), 1u) << report.text;
  if (report.diagnostics.empty()) return "";
  EXPECT_EQ(report.diagnostics[0].severity, Severity::Error);
  return report.diagnostics[0].message;
}

} // namespace

TEST_F(EmbedTest, ErrorsOfAProgramHaveKindAndPlace) {
  text += "let wrong = tensor([1.0]) + missing\n";
  Result<Program> program = compile(text, here());
  ASSERT_FALSE(program);
  ASSERT_EQ(program.report().diagnostics.size(), 1u) << program.report().text;
  const Diagnostic &error = program.report().diagnostics[0];
  EXPECT_EQ(error.kind, "unknown-name");
  EXPECT_EQ(error.file, path("line.dlm"));
  EXPECT_EQ(error.line, 19);
  EXPECT_EQ(error.column, 29);
  EXPECT_NE(program.report().text.find("let wrong"), std::string::npos) << program.report().text;
}

TEST_F(EmbedTest, WhatIsNoProgramIsAnError) {
  for (const char *wrong : {"", "let a = 1\n", "\xff\xfe", "train { { {"})
    EXPECT_FALSE(compile(wrong)) << wrong;
  EXPECT_FALSE(compile(std::string(5 << 20, ' ')));
  EXPECT_FALSE(compileFile(path("absent.dlm")));
  CompileOptions options = here();
  options.definitions["wdith"] = "2";
  EXPECT_FALSE(compile(text, options));
  fs::remove(path("points.csv"));
  EXPECT_FALSE(compile(text, here()));
}

TEST_F(EmbedTest, TrainsToTheBitsOfTheExecutable) {
  ASSERT_TRUE(runs("train --lr 0.05 --to " + path("runs"))) << fileText(path("log"));
  std::string checkpoint = fileText(path("runs/step-00000040.safetensors"));
  RunOptions options;
  options.options["lr"] = "0.05";
  options.threads = 1;
  Result<Opened> run = open(options);
  ASSERT_TRUE(run) << run.report().text;
  EXPECT_EQ(run->steps(), 40);
  Result<Progress> progress = run->train(1);
  ASSERT_TRUE(progress) << progress.report().text;
  EXPECT_EQ(progress->step, 1);
  double first = progress->values.at("loss");
  progress = run->train(39);
  ASSERT_TRUE(progress) << progress.report().text;
  EXPECT_EQ(run->step(), 40);
  EXPECT_LT(progress->values.at("loss"), first);
  EXPECT_EQ(progress->skipped, 0);
  for (const Tensor &tensor : allTensors(*run)) {
    std::string bytes(tensor.bytes.begin(), tensor.bytes.end());
    EXPECT_NE(checkpoint.find("\"" + tensor.name + "\""), std::string::npos) << tensor.name;
    EXPECT_NE(checkpoint.find(bytes), std::string::npos) << tensor.name;
  }
}

TEST_F(EmbedTest, ARunGoesOnFromTheTensorsOfAnother) {
  Result<Program> program = compile(text, here());
  ASSERT_TRUE(program) << program.report().text;
  Result<Opened> first = program->open(), second = program->open();
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(first->train(7));
  ASSERT_TRUE(second->train(3)); // of which nothing is left
  for (const Tensor &tensor : allTensors(*first))
    ASSERT_TRUE(second->write(tensor)) << tensor.name;
  EXPECT_EQ(second->step(), 7);
  ASSERT_TRUE(first->train(9) && second->train(9));
  std::vector<Tensor> left = allTensors(*first), right = allTensors(*second);
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i)
    EXPECT_EQ(left[i].bytes, right[i].bytes) << left[i].name;
}

TEST_F(EmbedTest, RunsInThreadsDoNotMeet) {
  Result<Opened> alone = open(), first = open(), second = open();
  ASSERT_TRUE(alone && first && second) << alone.report().text;
  ASSERT_TRUE(alone->train(30));
  std::thread beside([&] { EXPECT_TRUE(first->train(30)); });
  EXPECT_TRUE(second->train(30));
  beside.join();
  for (const std::string &name : alone->tensorNames()) {
    EXPECT_EQ(alone->read(name)->bytes, first->read(name)->bytes) << name;
    EXPECT_EQ(alone->read(name)->bytes, second->read(name)->bytes) << name;
  }
}

TEST_F(EmbedTest, MeasuresWhatIsWritten) {
  Result<Opened> run = open();
  ASSERT_TRUE(run) << run.report().text;
  Result<Tensor> weight = run->read("layer.weight"), bias = run->read("layer.bias");
  ASSERT_TRUE(weight && bias);
  EXPECT_EQ(weight->shape, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(weight->as<double>(), nullptr);
  ASSERT_NE(weight->as<float>(), nullptr);
  EXPECT_EQ(weight->elementCount(), 1u);
  weight->as<float>()[0] = 2; // the line itself
  bias->as<float>()[0] = 1;
  ASSERT_TRUE(run->write(*weight) && run->write(*bias));
  Result<std::map<std::string, double>> metrics = run->evaluate(Split::Validation);
  ASSERT_TRUE(metrics) << metrics.report().text;
  EXPECT_LT(metrics->at("error"), 1e-6);
  weight->as<float>()[0] = 3;
  ASSERT_TRUE(run->write(*weight));
  EXPECT_GT((*run->evaluate(Split::Validation))["error"], 0.1);
}

TEST_F(EmbedTest, FailuresOfARunAreReports) {
  Result<Opened> run = open();
  ASSERT_TRUE(run) << run.report().text;
  EXPECT_NE(onlyError(run->evaluate(Split::Test).report()).find("test"), std::string::npos);
  EXPECT_EQ(onlyError(run->read("layer.wieght").report()),
            "there is no tensor `layer.wieght`; there is `layer.weight`");
  Result<Tensor> weight = run->read("layer.weight");
  weight->shape = {1};
  EXPECT_FALSE(run->write(*weight));
  weight->shape = {1, 1};
  weight->bytes.resize(3);
  EXPECT_FALSE(run->write(*weight));
  weight->bytes.resize(4);
  weight->as<float>()[0] = std::numeric_limits<float>::infinity();
  ASSERT_TRUE(run->write(*weight));
  EXPECT_NE(onlyError(run->train(1).report()).find("not finite"), std::string::npos);
}

/// The step goes on where it failed: what of it was done before is not done again.
TEST_F(EmbedTest, AStepThatFailedInItsMiddleGoesOnThere) {
  const char *start = R"(
use nn, optim, data
let shots = data.images("shots")
model Number() { param value: f32[1] = zeros; fn forward() { value[0] } }
fn shade(batch) { mean(cast(batch.image, f32)) }
train line {
  let a = Number()
  let b = Number()
  data = shots
  batch = 8
  micro = 1
  duration = 40 steps
)";
  const char *plain = R"(
  optimizer = optim.SGD(lr = 0.01)
  fn loss(batch) { shade(batch) * (a() + b()) }
})";
  const char *several = R"(
  update first {
    of = a
    optimizer = optim.SGD(lr = 0.01)
    fn loss(batch) { shade(batch) * a() }
  }
  update second {
    of = b
    repeat = 2
    optimizer = optim.SGD(lr = 0.01)
    fn loss(batch) { shade(batch) * b() }
  }
})";
  for (const char *rest : {plain, several}) {
    text = std::string(start) + rest;
    writeShots();
    Result<Program> program = compile(text, here());
    ASSERT_TRUE(program) << program.report().text;
    Result<Opened> whole = program->open({}), cut = program->open({});
    ASSERT_TRUE(whole && cut) << cut.report().text;
    ASSERT_TRUE(whole->train(16));
    int failures = 0;
    for (int gone = 0; gone < 64; ++gone) {
      fs::rename(shot(gone), folder / "away");
      if (cut->step() < 16 && !cut->train(1)) ++failures;
      fs::rename(folder / "away", shot(gone));
    }
    EXPECT_GT(failures, 0);
    while (cut->step() < 16)
      ASSERT_TRUE(cut->train(1)) << cut->train(1).report().text;
    std::vector<Tensor> wanted = allTensors(*whole), found = allTensors(*cut);
    for (size_t i = 0; i < wanted.size(); ++i)
      EXPECT_EQ(found[i].bytes, wanted[i].bytes) << wanted[i].name;
  }
}

TEST_F(EmbedTest, OptionsOfARunAreChecked) {
  auto error = [&](const RunOptions &options) { return onlyError(open(options).report()); };
  RunOptions options;
  options.options["lrr"] = "1";
  EXPECT_EQ(error(options), "the program has no option `lrr`; there is `lr`");
  options.options = {{"lr", "fast"}};
  EXPECT_NE(error(options).find("lr"), std::string::npos);
  options.options = {{"resume", ""}}; // a flag, but no option
  EXPECT_NE(error(options).find("resume"), std::string::npos);
  options.options = {{"width", "2"}};
  EXPECT_NE(error(options).find("when the program is compiled"), std::string::npos);
  options = {};
  options.threads = -1;
  EXPECT_FALSE(open(options));
  options = {};
  options.data["tabel"] = path("points.csv");
  EXPECT_NE(error(options).find("`table`"), std::string::npos);
}

TEST_F(EmbedTest, GoesOnFromACheckpointAndWritesOne) {
  ASSERT_TRUE(runs("train --to " + path("whole"))) << fileText(path("log"));
  ASSERT_TRUE(runs("train --steps 15 --to " + path("begun"))) << fileText(path("log"));
  RunOptions options;
  options.from = path("begun");
  options.steps = 40;
  {
    Result<Opened> run = open(options);
    ASSERT_TRUE(run) << run.report().text;
    EXPECT_EQ(run->step(), 15);
    ASSERT_TRUE(run->train(10));
    Result<std::string> saved = run->save(path("kept"));
    ASSERT_TRUE(saved) << saved.report().text;
    EXPECT_EQ(*saved, path("kept/step-00000025.safetensors"));
    ASSERT_TRUE(run->train(1));
    saved = run->save(path("kept")); // once more, behind the other
    ASSERT_TRUE(saved) << saved.report().text;
    EXPECT_FALSE(runs("train --resume --to " + path("kept"))); // the folder is this run's
  }
  ASSERT_TRUE(runs("train --resume --to " + path("kept"))) << fileText(path("log"));
  // The run of three parts ends with the bits of the one in one part.
  options.from = path("whole/step-00000040.safetensors");
  Result<Opened> whole = open(options);
  options.from = path("kept");
  Result<Opened> kept = open(options);
  ASSERT_TRUE(whole && kept) << kept.report().text;
  EXPECT_EQ(kept->step(), 40);
  for (const std::string &name : whole->tensorNames())
    EXPECT_EQ(whole->read(name)->bytes, kept->read(name)->bytes) << name;
  // A run that was opened from a folder goes on in it; another one does not.
  ASSERT_TRUE(kept->train(1));
  Result<std::string> saved = kept->save(path("kept"));
  EXPECT_TRUE(saved) << saved.report().text;
  EXPECT_NE(onlyError(whole->save(path("kept")).report()).find("already holds"), std::string::npos);
}

TEST_F(EmbedTest, CheckpointsThatDoNotFitAreReports) {
  RunOptions options;
  options.from = path("absent");
  EXPECT_FALSE(open(options));
  Result<Opened> run = open();
  ASSERT_TRUE(run && run->train(3));
  ASSERT_TRUE(run->save(path("kept")));
  EXPECT_FALSE(run->save(path("points.csv"))); // is a file
  options.from = path("kept");
  text.replace(text.find("0.1"), 3, "0.2");
  EXPECT_NE(onlyError(open(options).report()).find("line.dlm"), std::string::npos);
  options.acceptChanges = true;
  Result<Opened> accepted = open(options);
  ASSERT_TRUE(accepted) << accepted.report().text;
  EXPECT_EQ(accepted->step(), 3);
  ASSERT_FALSE(accepted.report().diagnostics.empty());
  EXPECT_EQ(accepted.report().diagnostics[0].severity, Severity::Warning);
  std::ofstream(path("kept/step-00000003.safetensors"), std::ios::app) << "x";
  EXPECT_FALSE(open(options));
}

TEST_F(EmbedTest, CallsTheCommandsOfTheProgram) {
  Result<Opened> run = open();
  ASSERT_TRUE(run) << run.report().text;
  Result<Tensor> weight = run->read("layer.weight"), bias = run->read("layer.bias");
  weight->as<float>()[0] = 2;
  bias->as<float>()[0] = 1;
  ASSERT_TRUE(run->write(*weight) && run->write(*bias));
  Result<std::vector<Tensor>> values = run->call("at", {{"x", "0.75"}});
  ASSERT_TRUE(values) << values.report().text;
  ASSERT_EQ(values->size(), 2u);
  const Tensor &y = (*values)[0], &high = (*values)[1];
  EXPECT_EQ(y.name, "y");
  EXPECT_EQ(y.shape, (std::vector<int64_t>{1, 1}));
  ASSERT_NE(y.as<float>(), nullptr);
  EXPECT_EQ(y.as<float>()[0], 2.5f);
  EXPECT_EQ(high.dtype, "BOOL");
  ASSERT_NE(high.as<bool>(), nullptr);
  EXPECT_TRUE(high.as<bool>()[1]);
  EXPECT_EQ(onlyError(run->call("att").report()), "there is no command `att`; there is `at`");
  EXPECT_EQ(onlyError(run->call("at", {{"xs", "1"}}).report()), "there is no argument `xs`");
  EXPECT_NE(onlyError(run->call("at").report()).find("--x"), std::string::npos);
  EXPECT_FALSE(run->call("at", {{"x", "much"}}));
  EXPECT_FALSE(run->call("train"));
}
