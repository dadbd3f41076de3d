// Device code as the compiler would write it, by hand. Compiled as it is, with accesses told to the
// emulator (DLM_SAMPLE_CHECKED), and with another version of the interface (DLM_SAMPLE_ABI).
#include "runtime/abi/EmulatedKernel.h"

#include <iterator>

#ifndef DLM_SAMPLE_ABI
#define DLM_SAMPLE_ABI dlm::DlmEmuAbiVersion
#endif

#ifdef DLM_SAMPLE_CHECKED
constexpr bool IsChecked = true;
#else
constexpr bool IsChecked = false;
#endif

namespace {

enum Site : uint32_t { LoadSite, StoreSite, TrapSite, SiteCount };

const DlmEmuSite sites[SiteCount] = {{DlmEmuLoad, 1, 4, "load of a float"},
                                     {DlmEmuStore, 1, 4, "store of a float"},
                                     {DlmEmuTrap, 0, 0, "trap"}};

template <class T> T parameter(void *const *params, unsigned index) {
  return *static_cast<const T *>(params[index]);
}

uint64_t globalIndex(const DlmEmuThread *thread) {
  return uint64_t(thread->ctaid[0]) * thread->ntid[0] + thread->tid[0];
}

float load(DlmEmuThread *thread, const float *address) {
  if (IsChecked) thread->api->access(thread, address, sizeof *address, LoadSite);
  return *address;
}

void store(DlmEmuThread *thread, float *address, float value) {
  if (IsChecked) thread->api->access(thread, address, sizeof *address, StoreSite);
  *address = value;
}

// (to, from, value, count): to[i] = from[i] + value
void addValue(DlmEmuThread *thread, void *const *params) {
  uint64_t index = globalIndex(thread);
  if (index >= parameter<uint64_t>(params, 3)) return;
  auto *to = parameter<float *>(params, 0);
  auto *from = parameter<const float *>(params, 1);
  store(thread, to + index, load(thread, from + index) + parameter<float>(params, 2));
}

// (to): *to = number of the thread; a race
void lastThread(DlmEmuThread *thread, void *const *params) {
  store(thread, parameter<float *>(params, 0), float(globalIndex(thread)));
}

void trap(DlmEmuThread *thread, void *const *) { thread->api->trap(thread, TrapSite); }

const uint32_t addBytes[] = {8, 8, 4, 8};

const uint32_t lastBytes[] = {8};

const DlmEmuFunction functions[] = {
    {"add_value", addValue, 4, addBytes, 0, 0, nullptr, 64, 0},
    {"last_thread", lastThread, 1, lastBytes, 0, 0, nullptr, 64, 0},
    {"trap", trap, 0, nullptr, 0, 0, nullptr, 64, 0},
};

} // namespace

extern "C" const DlmEmuImage dlm_emulated_image = {DLM_SAMPLE_ABI, IsChecked, std::size(functions),
                                                   functions,      SiteCount, sites};
