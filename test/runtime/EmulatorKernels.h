// Device code written by hand: the calls that the compiler would put in, the sites that they name,
// and a device to run it on.
#pragma once

#include "runtime/device/emulator/Emulator.h"

#include <cstring>
#include <string>
#include <vector>

namespace dlm::emulator {

/// The sites of all kernels here.
enum Site : uint32_t {
  LoadGlobal,
  StoreGlobal,
  LoadShared,
  StoreShared,
  StoreSharedAgain,
  LoadByte,
  StoreByte,
  LoadVector, // 16 bytes
  UpdateGlobal,
  UpdateByte,
  FirstBarrier,
  SecondBarrier,
  SyncSite,
  FirstShuffle,
  SecondShuffle,
  VoteSite,
  TrapSite,
  SiteCount
};

constexpr uint8_t InGlobal = 1, InShared = 3;
constexpr uint32_t AllLanes = 0xFFFFFFFF;

inline const DlmEmuSite *sampleSites() {
  static const DlmEmuSite sites[SiteCount] = {
      {DlmEmuLoad, InGlobal, 4, "load float global"},
      {DlmEmuStore, InGlobal, 4, "store float global"},
      {DlmEmuLoad, InShared, 4, "load float shared"},
      {DlmEmuStore, InShared, 4, "store float shared"},
      {DlmEmuStore, InShared, 4, "store float shared again"},
      {DlmEmuLoad, 0, 1, "load byte"},
      {DlmEmuStore, 0, 1, "store byte"},
      {DlmEmuLoad, 0, 16, "load vector"},
      {DlmEmuAtomic, InGlobal, 4, "add float global"},
      {DlmEmuAtomic, 0, 1, "update byte"},
      {DlmEmuBarrier, 0, 0, "barrier one"},
      {DlmEmuBarrier, 0, 0, "barrier two"},
      {DlmEmuSyncWarp, 0, 0, "sync"},
      {DlmEmuCollective, 0, 0, "shuffle one"},
      {DlmEmuCollective, 0, 0, "shuffle two"},
      {DlmEmuCollective, 0, 0, "vote"},
      {DlmEmuTrap, 0, 0, "trap"}};
  return sites;
}

// What the compiler puts before an access, and the access.
template <class T>
__attribute__((no_sanitize("alignment"))) T load(DlmEmuThread *thread, const T *address,
                                                 Site site) {
  thread->api->access(thread, address, sizeof(T), site);
  T value;
  std::memcpy(&value, address, sizeof(T)); // the address may be misaligned on purpose
  return value;
}
template <class T>
__attribute__((no_sanitize("alignment"))) void store(DlmEmuThread *thread, T *address, T value,
                                                     Site site) {
  thread->api->access(thread, address, sizeof(T), site);
  std::memcpy(address, &value, sizeof(T));
}
inline float *tile(DlmEmuThread *thread) { return reinterpret_cast<float *>(thread->shared); }
inline void barrier(DlmEmuThread *thread, Site site = FirstBarrier) {
  thread->api->barrier(thread, site);
}
inline float shuffleDown(DlmEmuThread *thread, float value, uint32_t by, uint32_t mask = AllLanes,
                         Site site = FirstShuffle) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  auto got = thread->api->shuffle(thread, DlmEmuDown, mask, bits, by, 31, site);
  bits = static_cast<uint32_t>(got);
  std::memcpy(&value, &bits, 4);
  return value;
}
template <class T> T parameter(void *const *params, int index) {
  T value;
  std::memcpy(&value, params[index], sizeof(T));
  return value;
}
inline uint32_t globalIndex(const DlmEmuThread *thread) {
  return thread->ctaid[0] * thread->ntid[0] + thread->tid[0];
}

using Kernel = void (*)(DlmEmuThread *, void *const *);

/// A device with one kernel at a time. Checked, all options as given.
struct Bench {
  explicit Bench(bool isChecked = true, uint64_t memoryBytes = 1 << 20) : memory(memoryBytes) {
    image = {DlmEmuAbiVersion, isChecked, 1, &function, SiteCount, sampleSites()};
    function = {"sample", nullptr, 0, nullptr, 4096, 1, &shared, 0, true};
  }

  float *floats(const std::vector<float> &values) {
    auto *place = static_cast<float *>(memory.allocate(values.size() * 4));
    std::memcpy(place, values.data(), values.size() * 4);
    memory.markWritten(place, values.size() * 4);
    return place;
  }
  float *emptyFloats(uint64_t count) { return static_cast<float *>(memory.allocate(count * 4)); }

  template <class... Params>
  bool run(Kernel kernel, uint32_t grid, uint32_t block, Params... params) {
    void *const addresses[sizeof...(params) + 1] = {&params...};
    function.run = kernel;
    return runLaunch(image, function, grid, block, addresses, memory, options, report);
  }

  /// The names of all faults found, in order of their kinds, once each.
  std::string faults() const {
    std::string names;
    for (int kind = 0; kind <= int(Fault::Trap); ++kind)
      for (const Finding &finding : report.findings)
        if (finding.fault == Fault(kind)) {
          names += (names.empty() ? "" : " ") + std::string(faultName(finding.fault));
          break;
        }
    return names;
  }
  const KernelCounts &counts() { return report.kernels["sample"]; }

  DlmEmuShared shared = {"tile", 0, 4096, 16};
  DlmEmuFunction function;
  DlmEmuImage image;
  Memory memory;
  LaunchOptions options;
  Report report;
};

constexpr Order Orders[] = {Order::Sequential, Order::Reverse, Order::Random, Order::WarpSkew};

} // namespace dlm::emulator
