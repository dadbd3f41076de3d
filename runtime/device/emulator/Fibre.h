// A fibre: a stack of its own and a place to go on, so that one operating system thread can hold
// the hundreds of device threads of a block, each stopped in the middle of its function. A switch
// saves the registers that a call must keep and nothing else (about 20 ns; `swapcontext` would ask
// the kernel for the signal mask and take 600). The floating-point control words are not saved:
// device code does not change them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace dlm::emulator {

class Fibre {
public:
  using Task = void (*)(void *argument);

  /// Null if there is no memory for a stack. Below the stack lies a page that nobody may touch.
  static std::unique_ptr<Fibre> make();
  ~Fibre();
  Fibre(const Fibre &) = delete;
  Fibre &operator=(const Fibre &) = delete;

  /// Gives the fibre a task for the next `resume`. A task that has not ended is dropped where it
  /// stands: nothing of it is unwound.
  void start(Task task, void *argument);

  /// Runs the task until it yields or ends.
  void resume();

  /// Called by the task: goes back to whoever resumed it.
  void yield();

  /// True if the address lies on this stack.
  bool holds(const void *address) const {
    return static_cast<size_t>(static_cast<const uint8_t *>(address) - stack) < stackBytes;
  }

private:
  Fibre() = default;
  static void loop(void *self);
  void prepare();

  uint8_t *stack = nullptr; // above the guard page
  size_t stackBytes = 0;
  void *ownPlace = nullptr, *hostPlace = nullptr; // stack pointers while the other side runs
  Task task = nullptr;
  void *argument = nullptr;
  bool isIdle = false; // the last task has ended, the loop waits for the next one

  // What the sanitizers want to know; unused without them.
  [[maybe_unused]] void *ownShadow = nullptr, *hostShadow = nullptr;
  [[maybe_unused]] const void *hostStack = nullptr;
  [[maybe_unused]] size_t hostStackBytes = 0;
};

} // namespace dlm::emulator
