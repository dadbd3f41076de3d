// After every instruction the ranges it writes are copied out and hashed.
#include "test/gpu-check/check/Trace.h"

#include "test/gpu-check/check/Work.h"

#include <cmath>
#include <cstring>

namespace dlm::gpucheck {

namespace {

constexpr const char *Programs[] = {"init",   "grad",       "update", "grad",
                                    "update", "eval_begin", "eval",   "eval_end"};

/// FNV-1a.
void addToHash(uint64_t &hash, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3;
}

/// A NaN has many bit patterns, and which one comes out nobody promises.
void unifyNaNs(std::vector<uint8_t> &floats) {
  for (size_t i = 0; i + sizeof(float) <= floats.size(); i += sizeof(float)) {
    float value;
    std::memcpy(&value, &floats[i], sizeof value);
    if (std::isnan(value)) std::memset(&floats[i], 0xFF, sizeof value);
  }
}

Expected<uint64_t> hashWritten(PlanOnDevice &plan, const plan::Instruction &instruction) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const WrittenRange &range : plan.writtenBy(instruction)) {
    std::vector<uint8_t> bytes(range.sizeBytes);
    cuda::Stream &stream = plan.machine().stream();
    DLM_TRY(stream.copyToHost(bytes.data(), range.address, range.sizeBytes));
    DLM_TRY(stream.synchronize());
    if (range.dtype == plan::DType::F32) unifyNaNs(bytes);
    addToHash(hash, bytes.data(), bytes.size());
  }
  return hash;
}

std::string nameOf(const plan::Plan &plan, const plan::Instruction &instruction) {
  std::string name = workOf(plan, instruction).name;
  return name.empty() ? plan::EnumNameAction(instruction.action_type()) : name;
}

} // namespace

Expected<std::vector<TraceEntry>> traceProgram(Machine &machine, const plan::Plan &plan) {
  std::vector<TraceEntry> trace;
  auto onDevice = PlanOnDevice::create(machine, plan);
  if (!onDevice) return onDevice.status();
  DLM_TRY((*onDevice)->fillBatches());
  for (const char *name : Programs) {
    const plan::Program *program = (*onDevice)->findProgram(name);
    if (!program) continue;
    for (const plan::Instruction *instruction : *program->code()) {
      DLM_TRY((*onDevice)->enqueue(*instruction));
      Expected<uint64_t> hash = hashWritten(**onDevice, *instruction);
      if (!hash) return hash.status().withContext(std::string("tracing `") + name + "`");
      trace.push_back({name, nameOf(plan, *instruction), *hash});
    }
  }
  return trace;
}

TraceComparison compareTraces(const std::vector<TraceEntry> &device,
                              const std::vector<TraceEntry> &emulator) {
  TraceComparison result;
  for (size_t i = 0; i < device.size(); ++i) {
    ++result.instructions;
    if (i < emulator.size() && device[i].hash == emulator[i].hash) continue;
    if (++result.unlikeEmulator == 1)
      result.firstFault = device[i].program + ", instruction " + std::to_string(i) +
                          " of the trace: " + device[i].name;
  }
  return result;
}

} // namespace dlm::gpucheck
