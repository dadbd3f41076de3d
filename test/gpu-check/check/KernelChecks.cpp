// One case after the other, summed up by kernel.
#include "test/gpu-check/check/KernelChecks.h"

#include <algorithm>

namespace dlm::gpucheck {

namespace {

/// What is wrong with one case, in numbers of elements.
struct CaseFaults {
  uint64_t unlikeEmulator = 0, unlikeReference = 0;
};

CaseFaults compareOutputs(const Case &each, const CaseOutput &device, const CaseOutput &emulator,
                          ErrorFigure &error) {
  CaseFaults faults;
  for (uint32_t i = 0; i < each.outputs()->size(); ++i) {
    const Argument &output = *each.outputs()->Get(i);
    DType dtype = DType(output.dtype());
    const std::vector<uint8_t> &bytes = device.outputs[i];
    faults.unlikeEmulator += countDifferences(dtype, bytes, emulator.outputs[i].data());
    faults.unlikeReference += countDifferences(dtype, bytes, output.bytes()->data());
    if (output.exact())
      error.include(errorOf(bytes, output.exact()->data(), output.exact()->size()));
  }
  return faults;
}

void addCase(KernelResult &result, const Case &each, const CaseOutput &device,
             const CaseOutput &emulator) {
  ErrorFigure error;
  CaseFaults faults = compareOutputs(each, device, emulator, error);
  ++result.cases;
  result.unlikeEmulator += faults.unlikeEmulator > 0;
  result.unlikeReference += faults.unlikeReference > 0;
  result.overruns += !device.isContained;
  result.error.include(error);
  if (!result.firstFault.empty()) return;
  std::string what;
  if (faults.unlikeEmulator)
    what += ", " + std::to_string(faults.unlikeEmulator) + " elements unlike the emulator";
  if (faults.unlikeReference)
    what += ", " + std::to_string(faults.unlikeReference) + " elements unlike the reference";
  if (!device.isContained) what += ", writes behind an argument";
  if (error.relative > KernelResult::RelativeMax) what += ", inaccurate";
  if (what.empty()) return;
  result.firstFault = "size " + each.size()->str() + (each.special() ? ", special values" : "") +
                      ": " + what.substr(2);
}

} // namespace

std::vector<KernelResult> judgeCases(const CaseFile &file, const std::vector<CaseOutput> &device,
                                     const std::vector<CaseOutput> &emulator) {
  std::vector<KernelResult> results;
  for (uint32_t i = 0; i < file.cases().size(); ++i) {
    const Case &each = *file.cases().Get(i);
    std::string name = each.kernel()->str();
    auto result = std::find_if(results.begin(), results.end(),
                               [&](const KernelResult &other) { return other.name == name; });
    if (result == results.end()) {
      result = results.emplace(results.end());
      result->name = name;
    }
    addCase(*result, each, device[i], emulator[i]);
  }
  return results;
}

} // namespace dlm::gpucheck
