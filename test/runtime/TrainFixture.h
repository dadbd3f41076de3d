// A small network and small data, trained through the command line.
#pragma once

#include "runtime/checkpoint/Checkpoints.h"
#include "runtime/launch/RunProgram.h"
#include "runtime/store/FileStore.h"
#include "test/runtime/CapturedRun.h"
#include "test/runtime/HandMadeMlp.h"
#include "test/runtime/IdxFolder.h"

#include <csignal>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace dlm::test {

using Json = nlohmann::json;

constexpr int64_t TrainCount = 2003, TestCount = 501; // primes: nothing divides them

struct Result : CapturedRun {
  /// The JSON object on the last line of the output.
  Json last() const {
    size_t end = out.find_last_not_of('\n');
    size_t begin = out.rfind('\n', end);
    return Json::parse(out.substr(begin == std::string::npos ? 0 : begin + 1), nullptr, false);
  }
};

/// A small network, small data, and a folder for both.
class TrainTest : public testing::Test {
protected:
  TrainTest() {
    writeIdxPair(folder, "train", TrainCount, 12, true);
    writeIdxPair(folder, "t10k", TestCount, 12, true);
    shape.side = 12;
    shape.hidden = 16;
    shape.micro = 16;
    shape.evalBatch = 64;
    made = makeMlpPlan(shape, folder.path, folder / "run", TrainCount, 0, TestCount);
    made.plan.recipe->checkpoint_every = steps(10);
  }

  static std::unique_ptr<plan::QuantityT> steps(double count) {
    auto quantity = std::make_unique<plan::QuantityT>();
    quantity->value = count;
    quantity->unit = plan::Unit::Steps;
    return quantity;
  }

  Result run(std::vector<std::string> arguments, Clock *clock = nullptr) {
    std::vector<uint8_t> bytes = made.bytes();
    KernelTable kernels = mlpKernels();
    Surroundings around;
    around.clock = clock;
    auto call = [&](int argc, const char *const *argv, auto &surroundings) {
      return runProgram({bytes.data(), bytes.size()}, kernels, argc, argv, surroundings);
    };
    return {captureRun(arguments, around, call)};
  }

  /// Runs in a process of its own, sends it `signal` once `run` has a checkpoint of at least
  /// `step`, and returns its wait status.
  int runAndSignal(const std::vector<std::string> &arguments, int signal, const std::string &to,
                   int64_t step) {
    pid_t child = fork();
    if (child == 0) _exit(run(arguments).status);
    constexpr int PollUs = 1000, PollsMax = 60000;
    for (int i = 0; i < PollsMax && newestStep(to) < step; ++i)
      usleep(PollUs);
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  int64_t newestStep(const std::string &to) {
    std::unique_ptr<Store> store = makeFileStore(folder / to);
    std::vector<std::string> names = *Checkpoints(*store, 1).names();
    return names.empty() ? -1 : Checkpoints::stepOf(names[0]);
  }

  std::vector<uint8_t> checkpoint(const std::string &run, int64_t step) {
    return checkpointBytes(folder / run, step);
  }

  bool exists(const std::string &run, int64_t step) { return !checkpoint(run, step).empty(); }

  TemporaryFolder folder;
  MlpShape shape;
  HandMadePlan made;
};

} // namespace dlm::test
