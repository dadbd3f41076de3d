// Whole runs of the hand-made network on the emulated device, through the command line: the
// checkpoints are the processor's, byte by byte.
#include "runtime/base/FileBytes.h"
#include "runtime/launch/RunProgram.h"
#include "runtime/launch/Sections.h"
#include "test/runtime/CapturedRun.h"
#include "test/runtime/HandMadeMlp.h"
#include "test/runtime/IdxFolder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace dlm;
using namespace dlm::test;
using Json = nlohmann::json;

namespace {

using Result = CapturedRun;

std::unique_ptr<plan::QuantityT> steps(double count) {
  auto quantity = std::make_unique<plan::QuantityT>();
  quantity->value = count;
  quantity->unit = plan::Unit::Steps;
  return quantity;
}

class DeviceTrainTest : public testing::Test {
protected:
  DeviceTrainTest() {
    writeIdxPair(folder, "train", 203, 6, false);
    writeIdxPair(folder, "t10k", 51, 6, false);
    shape.side = 6;
    shape.hidden = 8;
    shape.micro = 8;
    shape.evalBatch = 16;
    onProcessor = makePlan();
    onDevice = makePlan();
    turnIntoDevicePlan(onDevice);
  }

  HandMadePlan makePlan() {
    HandMadePlan made = makeMlpPlan(shape, folder.path, folder / "run", 203, 0, 51);
    made.plan.recipe->checkpoint_every = steps(5);
    made.plan.recipe->evaluate_every = steps(4);
    return made;
  }

  Result run(const ProgramBytes &program, std::vector<std::string> arguments) {
    Surroundings around;
    around.cudaDriverPath = folder / "no-driver";
    return captureRun(arguments, around,
                      [&](int argc, const char *const *argv, auto &surroundings) {
                        return runProgram(program, argc, argv, surroundings);
                      });
  }

  Result run(std::vector<std::string> arguments, const char *image = DLM_MLP_PLAIN_IMAGE) {
    std::vector<uint8_t> bytes = onDevice.bytes(), code = readFileBytes(image).take();
    ProgramBytes program;
    program.plan = {bytes.data(), bytes.size()};
    program.images = {{"emulator", code.data(), code.size()}};
    return run(program, std::move(arguments));
  }

  Result runOnProcessor(std::vector<std::string> arguments) {
    std::vector<uint8_t> bytes = onProcessor.bytes();
    KernelTable kernels = mlpKernels();
    return captureRun(arguments, {}, [&](int argc, const char *const *argv, auto &surroundings) {
      return runProgram({bytes.data(), bytes.size()}, kernels, argc, argv, surroundings);
    });
  }

  std::vector<uint8_t> checkpoint(const std::string &run, int64_t step) {
    return checkpointBytes(folder / run, step);
  }

  TemporaryFolder folder;
  MlpShape shape;
  HandMadePlan onProcessor, onDevice;
};

/// Losses, metrics and whatever else does not depend on the time.
std::vector<Json> factsOf(const std::string &lines) {
  std::vector<Json> facts;
  for (size_t begin = 0, end; (end = lines.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    Json line = Json::parse(lines.substr(begin, end - begin));
    for (const char *key : {"time", "seconds", "samples_per_s", "wall", "rate"})
      line.erase(key);
    if (line.contains("loss") || line.contains("eval")) facts.push_back(line);
  }
  return facts;
}

TEST_F(DeviceTrainTest, TrainsToTheProcessorsCheckpoints) {
  Result expected = runOnProcessor({"train", "--steps", "12", "--to", folder / "cpu", "--json"});
  ASSERT_EQ(expected.status, 0) << expected.err;
  for (const char *order : {"sequential", "reverse", "random", "warp-skew"}) {
    Result result = run({"train", "--steps", "12", "--to", folder / order, "--json", "--order",
                         order, "--order-seed", "5"});
    ASSERT_EQ(result.status, 0) << result.err;
    for (int64_t step : {5, 10, 12})
      EXPECT_EQ(checkpoint(order, step), checkpoint("cpu", step)) << order << " " << step;
    EXPECT_EQ(factsOf(result.out).size(), factsOf(expected.out).size());
    for (size_t i = 0; i < factsOf(result.out).size(); ++i) {
      Json facts = factsOf(result.out)[i], wanted = factsOf(expected.out)[i];
      EXPECT_EQ(facts["step"], wanted["step"]);
      EXPECT_EQ(facts["loss"], wanted["loss"]);
    }
  }
  EXPECT_FALSE(checkpoint("cpu", 12).empty());
}

TEST_F(DeviceTrainTest, ResumesToTheSameBitsAndEvaluates) {
  ASSERT_EQ(runOnProcessor({"train", "--steps", "9", "--to", folder / "whole"}).status, 0);
  ASSERT_EQ(run({"train", "--steps", "4", "--to", folder / "cut"}).status, 0);
  ASSERT_EQ(run({"train", "--steps", "9", "--resume", "--to", folder / "cut"}).status, 0);
  EXPECT_EQ(checkpoint("cut", 9), checkpoint("whole", 9));
  // A checkpoint of the one is a checkpoint of the other.
  Result processor = runOnProcessor({"eval", "--from", folder / "cut", "--json"});
  Result device = run({"eval", "--from", folder / "cut", "--json"});
  ASSERT_EQ(device.status, 0) << device.err;
  EXPECT_EQ(device.out, processor.out);
}

TEST_F(DeviceTrainTest, SkippedUpdatesEndTheRunAsOnTheProcessor) {
  std::vector<std::string> arguments = {"train", "--steps", "50", "--lr", "1e38"};
  arguments.insert(arguments.end(), {"--to", folder / "cpu"});
  Result expected = runOnProcessor(arguments);
  arguments.back() = folder / "device";
  Result result = run(arguments);
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.says("4 updates in a row were skipped")) << result.err;
  // Only what the processor computes is searched for the first number that is not finite.
  size_t found = expected.err.find("In the last of them"), advice = expected.err.find("A lower");
  ASSERT_TRUE(found < advice && advice != std::string::npos) << expected.err;
  EXPECT_EQ(result.err, expected.err.erase(found, advice - found));
}

TEST_F(DeviceTrainTest, CheckedCodeIsReportedOn) {
  std::string report = folder / "report.json";
  Result result = run({"train", "--steps", "2", "--to", folder / "a", "--emulator-report", report},
                      DLM_MLP_CHECKED_IMAGE);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.says("launches checked, 0 findings")) << result.err;
  Json json = Json::parse(readFileBytes(report).take());
  EXPECT_EQ(json["findings"].size(), 0u);
  EXPECT_EQ(json["programs"]["update"], 2);
  EXPECT_EQ(json["functions"]["adamw"]["launches"], 2);
  EXPECT_GT(json["functions"]["adamw"]["bytes_read"], 0);
  for (const Json &model : json["model"]) {
    if (model["kernel"] != "adamw") continue;
    EXPECT_EQ(model["launches"], 2);
    EXPECT_EQ(model["functions"], Json::array({"adamw"}));
    EXPECT_GT(model["bytes_written"], 2 * 4 * 8192);
  }
  EXPECT_FALSE(run({"train", "--steps", "2", "--to", folder / "b"}).says("checked"));
}

TEST_F(DeviceTrainTest, FindingsOfTheEmulatorAreErrors) {
  std::string report = folder / "report.json";
  Result result = run({"train", "--steps", "2", "--to", folder / "a", "--emulator-report", report},
                      DLM_MLP_FAULTY_IMAGE);
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.says("emulator: out-of-bounds in `")) << result.err;
  EXPECT_GT(Json::parse(readFileBytes(report).take())["findings"].size(), 0u);
}

TEST_F(DeviceTrainTest, BenchTimesStepsAndInstructions) {
  Result json = run({"bench", "--steps", "3", "--json"});
  ASSERT_EQ(json.status, 0) << json.err;
  EXPECT_NE(json.out.find("\"name\":\"contract 8x36 * 36x8\""), std::string::npos) << json.out;
  EXPECT_NE(json.out.find("\"device\":"), std::string::npos) << json.out;
  Result text = run({"bench", "--steps", "3"});
  EXPECT_NE(text.out.find("without a graph"), std::string::npos) << text.out;
}

TEST_F(DeviceTrainTest, SaysWhatThereIsToRunOn) {
  Result noDriver = run({"train", "--device", "cuda"});
  EXPECT_EQ(noDriver.status, 1);
  EXPECT_TRUE(noDriver.says("no code for a GPU")) << noDriver.err;
  std::vector<uint8_t> bytes = onDevice.bytes(), code = {'/', '/', 0};
  ProgramBytes program;
  program.plan = {bytes.data(), bytes.size()};
  program.images = {{"ptx", code.data(), code.size()}};
  EXPECT_EQ(run(program, {"train"}).status, 1); // the GPU by itself, and there is no driver
  EXPECT_FALSE(run(program, {"train"}).err.empty());
  EXPECT_TRUE(run(program, {"train", "--device", "emulator"}).says("--emulate"));
  EXPECT_TRUE(run(program, {"train", "--order", "random"}).says("runs on a GPU"));
  EXPECT_TRUE(run(program, {"train", "--device", "cpu"}).says("--device takes `cuda` or"));
  EXPECT_NE(run(program, {"--version"}).out.find("for cuda (ptx)"), std::string::npos);
  EXPECT_NE(run(program, {"--help"}).out.find("--order-seed"), std::string::npos);
  EXPECT_NE(run(program, {"info", "--plan"}).out.find("stage adamw"), std::string::npos);
  EXPECT_NE(run(program, {"info", "--json"}).out.find("\"images\":[\"ptx\"]"), std::string::npos);
}

TEST_F(DeviceTrainTest, ProgramsForTheProcessorHaveNoDevices) {
  EXPECT_TRUE(runOnProcessor({"train", "--device", "cuda"}).says("for the processor"));
  EXPECT_EQ(runOnProcessor({"--help"}).out.find("--device"), std::string::npos);
}

} // namespace
