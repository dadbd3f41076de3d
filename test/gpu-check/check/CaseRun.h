// Runs the cases of a file on a device.
#pragma once

#include "test/gpu-check/Cases_generated.h"
#include "test/gpu-check/check/Machine.h"

namespace dlm::gpucheck {

/// Bytes of the cases' file, checked.
class CaseFile {
public:
  static Expected<CaseFile> read(const std::string &path);
  const flatbuffers::Vector<flatbuffers::Offset<Case>> &cases() const { return *root->cases(); }

private:
  std::vector<uint8_t> bytes;
  const Cases *root = nullptr;
};

struct CaseOutput {
  std::vector<std::vector<uint8_t>> outputs;
  /// Nothing was written behind the end of an argument.
  bool isContained = true;
};

/// Runs one case, alone.
Expected<CaseOutput> runCase(Machine &machine, const Case &each);

/// Runs all of them.
Expected<std::vector<CaseOutput>> runCases(Machine &machine, const CaseFile &file);

} // namespace dlm::gpucheck
