// A number that threads wait on. A waiter first spins: in a training step the change is usually a
// microsecond away, and a system call costs more. Then it sleeps in the kernel, so a machine with
// other work to do is not robbed of it.
#pragma once

#include <atomic>
#include <cstdint>

namespace dlm {

/// Tells the processor that this is a spin loop.
inline void spinPause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class alignas(64) WaitWord {
public:
  /// The number; what its writer did before is visible.
  uint32_t get() const { return value.load(std::memory_order_acquire); }

  /// Sets the number and wakes whoever sleeps on it.
  void set(uint32_t next);

  /// Returns once the number is no longer `old`.
  void waitWhile(uint32_t old);

private:
  static constexpr int SpinCount = 4000;

  std::atomic<uint32_t> value{0};
  std::atomic<uint32_t> sleepers{0};
};

} // namespace dlm
