// The switch itself is assembly, once per processor. Everything else is bookkeeping for the
// sanitizers, which must be told of every change of stacks: AddressSanitizer, because it watches
// the frames of a stack, ThreadSanitizer, because it keeps a call stack of its own per thread.
#include "runtime/device/emulator/Fibre.h"

#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DLM_FIBRE_ASAN 1
#elif __has_feature(thread_sanitizer)
#define DLM_FIBRE_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(DLM_FIBRE_ASAN)
#define DLM_FIBRE_ASAN 1
#elif defined(__SANITIZE_THREAD__) && !defined(DLM_FIBRE_TSAN)
#define DLM_FIBRE_TSAN 1
#endif
#ifdef DLM_FIBRE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef DLM_FIBRE_TSAN
#include <sanitizer/tsan_interface.h>
#endif

extern "C" {
/// Saves where the caller stands in `*from` and goes on where `to` was saved.
void dlmSwitchFibre(void **from, void *to);
/// The first place of a fibre: calls the function with the argument that `prepare` has left.
void dlmEnterFibre();
}

#if defined(__x86_64__)
asm(R"(
.text
.hidden dlmSwitchFibre
.globl dlmSwitchFibre
.type dlmSwitchFibre,@function
dlmSwitchFibre:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size dlmSwitchFibre, .-dlmSwitchFibre
.hidden dlmEnterFibre
.globl dlmEnterFibre
.type dlmEnterFibre,@function
dlmEnterFibre:
  .cfi_startproc
  .cfi_undefined rip
  movq %r12, %rdi
  callq *%r13
  ud2
  .cfi_endproc
.size dlmEnterFibre, .-dlmEnterFibre
)");
#elif defined(__aarch64__)
asm(R"(
.text
.hidden dlmSwitchFibre
.globl dlmSwitchFibre
.type dlmSwitchFibre,%function
dlmSwitchFibre:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size dlmSwitchFibre, .-dlmSwitchFibre
.hidden dlmEnterFibre
.globl dlmEnterFibre
.type dlmEnterFibre,%function
dlmEnterFibre:
  .cfi_startproc
  .cfi_undefined x30
  mov x0, x19
  blr x20
  brk #1
  .cfi_endproc
.size dlmEnterFibre, .-dlmEnterFibre
)");
#else
#error "fibres need a context switch for this processor: add one beside those above"
#endif

namespace dlm::emulator {

namespace {

constexpr size_t GuardBytes = 4096;
#if defined(DLM_FIBRE_ASAN) || defined(DLM_FIBRE_TSAN)
constexpr size_t StackBytes = size_t(256) << 10; // frames with red zones are large
#else
constexpr size_t StackBytes = size_t(64) << 10;
#endif

} // namespace

std::unique_ptr<Fibre> Fibre::make() {
  void *mapped = mmap(nullptr, GuardBytes + StackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  std::unique_ptr<Fibre> fibre(new Fibre);
  fibre->stack = static_cast<uint8_t *>(mapped) + GuardBytes;
  fibre->stackBytes = StackBytes;
  if (mprotect(mapped, GuardBytes, PROT_NONE) != 0) return nullptr;
  fibre->prepare();
  return fibre;
}

Fibre::~Fibre() {
#ifdef DLM_FIBRE_TSAN
  if (ownShadow) __tsan_destroy_fiber(ownShadow);
#endif
#ifdef DLM_FIBRE_ASAN
  __asan_unpoison_memory_region(stack, stackBytes);
#endif
  munmap(stack - GuardBytes, GuardBytes + stackBytes);
}

/// Lays out the stack so that the first switch to it enters `loop`.
void Fibre::prepare() {
#ifdef DLM_FIBRE_ASAN
  __asan_unpoison_memory_region(stack, stackBytes); // dropped frames have left their red zones
#endif
#ifdef DLM_FIBRE_TSAN
  if (ownShadow) __tsan_destroy_fiber(ownShadow);
  ownShadow = __tsan_create_fiber(0);
#endif
  auto *top = reinterpret_cast<void **>(stack + stackBytes) - 2; // a multiple of 16
#if defined(__x86_64__)
  void **place = top - 7; // r15 r14 r13 r12 rbx rbp, where to go on
  for (int i = 0; i < 7; ++i)
    place[i] = nullptr;
  place[2] = reinterpret_cast<void *>(&Fibre::loop);
  place[3] = this;
  place[6] = reinterpret_cast<void *>(&dlmEnterFibre);
#else
  void **place = top - 20; // x19 ... x30, d8 ... d15
  for (int i = 0; i < 20; ++i)
    place[i] = nullptr;
  place[0] = this;
  place[1] = reinterpret_cast<void *>(&Fibre::loop);
  place[11] = reinterpret_cast<void *>(&dlmEnterFibre);
#endif
  ownPlace = place;
  isIdle = true;
}

void Fibre::start(Task newTask, void *newArgument) {
  if (!isIdle) prepare();
  task = newTask;
  argument = newArgument;
  isIdle = false;
}

/// Runs one task after another, so that a task which ended leaves nothing behind on the stack.
void Fibre::loop(void *self) {
  auto &fibre = *static_cast<Fibre *>(self);
#ifdef DLM_FIBRE_ASAN
  __sanitizer_finish_switch_fiber(fibre.ownShadow, &fibre.hostStack, &fibre.hostStackBytes);
#endif
  for (;;) {
    fibre.task(fibre.argument);
    fibre.isIdle = true;
    fibre.yield();
  }
}

void Fibre::resume() {
#ifdef DLM_FIBRE_ASAN
  __sanitizer_start_switch_fiber(&hostShadow, stack, stackBytes);
#endif
#ifdef DLM_FIBRE_TSAN
  hostShadow = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(ownShadow, 0);
#endif
  dlmSwitchFibre(&hostPlace, ownPlace);
#ifdef DLM_FIBRE_ASAN
  __sanitizer_finish_switch_fiber(hostShadow, nullptr, nullptr);
#endif
}

void Fibre::yield() {
#ifdef DLM_FIBRE_ASAN
  __sanitizer_start_switch_fiber(&ownShadow, hostStack, hostStackBytes);
#endif
#ifdef DLM_FIBRE_TSAN
  __tsan_switch_to_fiber(hostShadow, 0);
#endif
  dlmSwitchFibre(&ownPlace, hostPlace);
#ifdef DLM_FIBRE_ASAN
  __sanitizer_finish_switch_fiber(ownShadow, &hostStack, &hostStackBytes);
#endif
}

} // namespace dlm::emulator
