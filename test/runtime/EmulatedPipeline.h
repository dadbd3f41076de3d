// A host program of two streams, right or with a planted fault, for the tests of the emulated
// driver: a copy stream and a compute stream, y = x + 1.
#pragma once

#include "EmulatedDevice.h"

namespace dlm {

constexpr uint64_t Count = 200, Bytes = Count * sizeof(float);
constexpr uint64_t Seeds = 24;

inline emulator::DriverOptions withSeed(uint64_t seed) {
  emulator::DriverOptions options;
  options.launch.seed = seed;
  return options;
}

/// Host and device memory, two streams and two events: a copy stream and a compute stream.
struct Pipeline : EmulatedDevice {
  explicit Pipeline(emulator::DriverOptions options = {}, bool isChecked = false)
      : EmulatedDevice(options, isChecked), input(device->allocatePinned(Bytes, "input").take()),
        output(device->allocatePinned(Bytes, "output").take()), copies(device->makeStream().take()),
        compute(device->makeStream().take()), copied(device->makeEvent().take()),
        computed(device->makeEvent().take()) {
    // Not through `allocate`: memory that nobody has written.
    EXPECT_EQ(table.memAlloc(&x, Bytes), cuda::Success);
    EXPECT_EQ(table.memAlloc(&y, Bytes), cuda::Success);
  }
  ~Pipeline() {
    table.memFree(x);
    table.memFree(y);
  }

  float *in() const { return reinterpret_cast<float *>(input.data()); }
  float *out() const { return reinterpret_cast<float *>(output.data()); }
  void setInput(float value) const { std::fill_n(in(), Count, value); }
  /// How many results are not `value`.
  uint64_t wrong(float value) const {
    uint64_t count = 0;
    for (uint64_t i = 0; i < Count; ++i)
      count += out()[i] != value;
    return count;
  }

  cuda::PinnedMemory input, output;
  cuda::CUdeviceptr x = 0, y = 0;
  std::unique_ptr<cuda::Stream> copies, compute;
  std::unique_ptr<cuda::Event> copied, computed;
};

enum class Fault { None, NoWaitForInput, NoWaitForOutput };

/// The calls of one step: input to x, y = x + 1 in the other stream, y to output.
inline void describeStep(Pipeline &p, Fault fault) {
  if (fault == Fault::NoWaitForInput) EXPECT_OK(p.copies->record(*p.copied));
  EXPECT_OK(p.copies->copyToDevice(p.x, p.in(), Bytes));
  if (fault != Fault::NoWaitForInput) EXPECT_OK(p.copies->record(*p.copied));
  EXPECT_OK(p.compute->waitFor(*p.copied));
  EXPECT_OK(p.addValue(*p.compute, p.y, p.x, 1, Count));
  EXPECT_OK(p.compute->record(*p.computed));
  if (fault != Fault::NoWaitForOutput) EXPECT_OK(p.copies->waitFor(*p.computed));
  EXPECT_OK(p.copies->copyToHost(p.out(), p.y, Bytes));
  if (fault == Fault::NoWaitForOutput) EXPECT_OK(p.copies->waitFor(*p.computed));
}

/// Steps with wrong results, of eight.
inline int wrongSteps(Pipeline &p, Fault fault, cuda::Graph *graph = nullptr) {
  int wrong = 0;
  for (int step = 0; step < 8; ++step) {
    p.setInput(float(step));
    if (graph)
      EXPECT_OK(p.copies->launch(*graph));
    else
      describeStep(p, fault);
    EXPECT_OK(p.copies->synchronize());
    wrong += p.wrong(float(step + 1)) != 0;
  }
  return wrong;
}

inline std::unique_ptr<cuda::Graph> captureStep(Pipeline &p, Fault fault) {
  EXPECT_OK(p.copies->beginCapture());
  describeStep(p, fault);
  Expected<std::unique_ptr<cuda::Graph>> graph = p.copies->endCapture();
  EXPECT_TRUE(graph.isOk()) << graph.status().message();
  return graph ? graph.take() : nullptr;
}

inline uint64_t findingsOf(emulator::Fault fault) {
  uint64_t count = 0;
  for (const emulator::Finding &finding : emulator::emulatorReport().findings)
    count += finding.fault == fault;
  return count;
}

} // namespace dlm
