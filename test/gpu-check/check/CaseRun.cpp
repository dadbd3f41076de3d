// Every argument gets memory of its own, with guard bytes behind it; outputs are filled with 0xFF
// before, so that an element nobody writes is seen.
#include "test/gpu-check/check/CaseRun.h"

#include "runtime/base/FileBytes.h"

#include <algorithm>

namespace dlm::gpucheck {

namespace {

constexpr uint64_t GuardBytes = 256;
constexpr uint8_t GuardByte = 0xA5;

/// The memory of one case.
class CaseMemory {
public:
  CaseMemory(Machine &machine, const Case &each) : machine(machine), each(each) {}

  Status prepare();
  Status launch();
  Expected<CaseOutput> fetch();

private:
  Status addArgument(std::vector<uint8_t> bytes);

  Machine &machine;
  const Case &each;
  std::vector<cuda::DeviceMemory> memories;
  std::vector<uint64_t> sizes; // of each memory, without the guard
  std::vector<size_t> outputMemory;
  std::vector<cuda::CUdeviceptr> addresses;
  cuda::DeviceMemory scratch;
};

Status CaseMemory::addArgument(std::vector<uint8_t> bytes) {
  sizes.push_back(bytes.size());
  bytes.resize(bytes.size() + GuardBytes, GuardByte);
  auto memory = machine.device().allocate(bytes.size(), "a case");
  if (!memory) return memory.status();
  memories.push_back(memory.take());
  addresses.push_back(memories.back().address());
  DLM_TRY(machine.stream().copyToDevice(addresses.back(), bytes.data(), bytes.size()));
  return machine.stream().synchronize(); // `bytes` goes
}

Status CaseMemory::prepare() {
  for (const Argument *input : *each.inputs())
    DLM_TRY(addArgument({input->bytes()->begin(), input->bytes()->end()}));
  for (const Argument *output : *each.outputs()) {
    bool isShared = output->shares() >= 0;
    outputMemory.push_back(isShared ? size_t(output->shares()) : memories.size());
    if (isShared)
      addresses.push_back(memories[size_t(output->shares())].address());
    else
      DLM_TRY(addArgument(std::vector<uint8_t>(output->bytes()->size(), 0xFF)));
  }
  uint64_t scratchBytes = 0;
  for (const Stage *stage : *each.stages())
    scratchBytes = std::max(scratchBytes, stage->scratch_bytes());
  auto memory = machine.device().allocate(scratchBytes, "scratch");
  if (!memory) return memory.status();
  scratch = memory.take();
  return Status::ok();
}

Status CaseMemory::launch() {
  for (const Stage *stage : *each.stages()) {
    std::vector<int64_t> numbers(stage->numbers()->begin(), stage->numbers()->end());
    DLM_TRY(machine.launch({stage->function()->str(), stage->block(), stage->grid(), numbers},
                           addresses, scratch.address()));
  }
  return machine.stream().synchronize();
}

Expected<CaseOutput> CaseMemory::fetch() {
  CaseOutput result;
  std::vector<std::vector<uint8_t>> contents;
  for (size_t i = 0; i < memories.size(); ++i) {
    std::vector<uint8_t> bytes(sizes[i] + GuardBytes);
    DLM_TRY(machine.stream().copyToHost(bytes.data(), memories[i].address(), bytes.size()));
    DLM_TRY(machine.stream().synchronize());
    result.isContained &= std::all_of(bytes.begin() + ptrdiff_t(sizes[i]), bytes.end(),
                                      [](uint8_t byte) { return byte == GuardByte; });
    bytes.resize(sizes[i]);
    contents.push_back(std::move(bytes));
  }
  for (size_t memory : outputMemory)
    result.outputs.push_back(contents[memory]);
  return result;
}

} // namespace

Expected<CaseFile> CaseFile::read(const std::string &path) {
  CaseFile file;
  Expected<std::vector<uint8_t>> bytes = readFileBytes(path);
  if (!bytes) return bytes.status();
  file.bytes = bytes.take();
  flatbuffers::Verifier verifier(file.bytes.data(), file.bytes.size());
  if (!VerifyCasesBuffer(verifier)) return corrupt("`" + path + "` is damaged");
  file.root = GetCases(file.bytes.data());
  return file;
}

Expected<CaseOutput> runCase(Machine &machine, const Case &each) {
  CaseMemory memory(machine, each);
  DLM_TRY(memory.prepare());
  DLM_TRY(memory.launch());
  return memory.fetch();
}

Expected<std::vector<CaseOutput>> runCases(Machine &machine, const CaseFile &file) {
  std::vector<CaseOutput> outputs;
  for (const Case *each : file.cases()) {
    Expected<CaseOutput> output = runCase(machine, *each);
    if (!output)
      return output.status().withContext(each->kernel()->str() + " of " + each->size()->str());
    outputs.push_back(output.take());
  }
  return outputs;
}

} // namespace dlm::gpucheck
