// A step's report is one line; rates are removed from it, everything else must be the same text:
// numbers have enough digits to tell any two floats apart.
#include "test/gpu-check/check/Training.h"

#include "runtime/base/Safetensors.h"
#include "test/gpu-check/check/Process.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace dlm::gpucheck {

namespace {

/// `line` without the field `key`, which is not the first one.
std::string without(std::string line, const std::string &key) {
  size_t begin = line.find(",\"" + key + "\":");
  if (begin == std::string::npos) return line;
  return line.erase(begin, line.find_first_of(",}", begin + 1) - begin);
}

std::string field(const std::string &line, const std::string &key) {
  size_t begin = line.find("\"" + key + "\":");
  if (begin == std::string::npos) return "";
  begin += key.size() + 3;
  return line.substr(begin, line.find_first_of(",}", begin) - begin);
}

/// What one run reported and saved.
struct Outcome {
  std::vector<std::string> reports, losses;
  Safetensors state;
  double seconds = 0;
};

Expected<Safetensors> readLastCheckpoint(const std::string &folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".safetensors") paths.push_back(entry.path());
  if (paths.empty()) return notFound("no checkpoint in " + folder);
  return Safetensors::read(*std::max_element(paths.begin(), paths.end()));
}

Expected<Outcome> train(const TrainingRun &run, unsigned steps, const std::string &folder) {
  std::filesystem::create_directories(folder);
  std::vector<std::string> command = {run.program,
                                      "train",
                                      "--json",
                                      "--steps",
                                      std::to_string(steps),
                                      "--to",
                                      folder + "/checkpoints"};
  command.insert(command.end(), run.flags.begin(), run.flags.end());
  Expected<ProcessResult> result = runProcess(command, folder);
  if (!result) return result.status();
  if (result->exitStatus != 0)
    return internalError(run.program + " ended with status " + std::to_string(result->exitStatus) +
                         ": " + result->errors);
  Outcome outcome;
  outcome.seconds = result->seconds;
  std::istringstream lines(result->output);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("{\"step\":", 0) != 0) continue;
    bool isStep = line.find("\"attempt\":") != std::string::npos;
    if (isStep) outcome.losses.push_back(field(line, "loss"));
    for (const char *ofTheMachine :
         {"samples_per_second", "seconds_left", "memory_bytes", "batches_ready", "waits"})
      line = without(line, ofTheMachine);
    outcome.reports.push_back(line);
  }
  Expected<Safetensors> state = readLastCheckpoint(folder + "/checkpoints");
  if (!state) return state.status();
  outcome.state = state.take();
  return outcome;
}

bool isEqual(const SafeTensor &a, const SafeTensor *b) {
  return b && a.dtype == b->dtype && a.shape == b->shape && a.sizeBytes == b->sizeBytes &&
         std::memcmp(a.data, b->data, a.sizeBytes) == 0;
}

} // namespace

Expected<TrainingComparison> compareTraining(const TrainingRun &device, const TrainingRun &cpu,
                                             unsigned steps, const std::string &folder) {
  Expected<Outcome> expected = train(cpu, steps, folder + "/cpu");
  if (!expected) return expected.status();
  Expected<Outcome> actual = train(device, steps, folder + "/device");
  if (!actual) return actual.status();
  TrainingComparison result;
  const std::vector<std::string> &wanted = expected->reports, &found = actual->reports;
  result.steps = steps;
  result.reports = unsigned(std::max(wanted.size(), found.size()));
  for (size_t i = 0; i < std::min(wanted.size(), found.size()); ++i)
    result.equalReports += wanted[i] == found[i];
  for (const SafeTensor &tensor : expected->state.tensors()) {
    ++result.tensors;
    if (!isEqual(tensor, actual->state.find(tensor.name))) result.unequal.push_back(tensor.name);
  }
  if (!actual->losses.empty()) {
    result.firstLoss = actual->losses.front();
    result.lastLoss = actual->losses.back();
  }
  result.cpuSeconds = expected->seconds;
  result.deviceSeconds = actual->seconds;
  return result;
}

} // namespace dlm::gpucheck
