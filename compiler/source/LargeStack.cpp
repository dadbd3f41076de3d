// std::thread cannot choose a stack size, hence pthreads.

#include "compiler/source/LargeStack.h"

#include <exception>
#include <pthread.h>

namespace dlm {

namespace {

constexpr size_t stackSizeBytes = size_t(256) << 20;

struct StackTask {
  const std::function<void()> *function;
  std::exception_ptr failure;
};

void *runStackTask(void *argument) {
  auto *task = static_cast<StackTask *>(argument);
  try {
    (*task->function)();
  } catch (...) {
    task->failure = std::current_exception();
  }
  return nullptr;
}

} // namespace

void runOnLargeStack(const std::function<void()> &function) {
  StackTask task{&function, nullptr};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  bool started = pthread_attr_setstacksize(&attributes, stackSizeBytes) == 0 &&
                 pthread_create(&thread, &attributes, runStackTask, &task) == 0;
  pthread_attr_destroy(&attributes);
  if (started)
    pthread_join(thread, nullptr);
  else
    runStackTask(&task);
  if (task.failure) std::rethrow_exception(task.failure);
}

} // namespace dlm
