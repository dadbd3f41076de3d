// What runs the programs of a plan, as seen by who drives them. On the processor a program has
// ended when `start` returns and buffers are the memory the programs work on. On a device the host
// only says what is to be done and goes on, and sees buffers through a mirror in its own memory.
//
// Outside of the step loop the mirror is moved as a whole: `push` and `pull`. Within the loop
// nothing waits for the device:
//
//   stage()      the place for the next batch; waits only if the one before last is still on its
//   way start()      uploads the staged batch if the program reads one, and runs the program
//   snapshot()   notes the values of the watched buffers at this point of the work
//   takeSnapshot()  waits for the oldest note and shows it in the host's view of these buffers
//
// On the processor all of them but `start` do nothing.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "runtime/base/Status.h"

#include <map>
#include <string>
#include <vector>

namespace dlm {

/// A named buffer as the world outside sees it. False if there is none of that name.
struct BufferView {
  plan::DType dtype = plan::DType::F32;
  std::vector<int64_t> shape;
  void *data = nullptr;
  uint64_t sizeBytes = 0;
  uint32_t id = 0;

  explicit operator bool() const { return data != nullptr; }
  int64_t elementCount() const;

  /// The elements; `T` must be as wide as the dtype.
  template <class T> T *as() const {
    DLM_ASSERT(sizeBytes == uint64_t(elementCount()) * sizeof(T), "the element type is another");
    return static_cast<T *>(data);
  }
};

class Engine {
public:
  virtual ~Engine() = default;
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  const plan::Plan &plan() const { return thePlan; }

  /// The number of a program, or -1.
  int findProgram(const std::string &name) const;

  /// The host's view of a named buffer; its address never changes.
  BufferView find(const std::string &name) const;

  /// The host's view of a buffer of the plan; null if there is none (what only lives within a
  /// program of a device).
  virtual uint8_t *bufferAddress(uint32_t buffer) const = 0;

  /// For people: `2 threads`, `NVIDIA H200`.
  virtual std::string description() const = 0;
  /// Threads of the processor that run programs.
  virtual unsigned workerCount() const { return 1; }
  /// Of these, those that take part in a program.
  virtual unsigned workersOf(int program) const { return workerCount(); }
  /// Bytes of all arenas and of scratch memory.
  virtual uint64_t memoryBytes() const = 0;

  /// Runs a program. It has ended when anything that waits says so.
  virtual Status start(int program) = 0;

  /// Moves the host's view to where programs work. Waits. What a snapshot or a pull has not brought
  /// here before is lost.
  virtual Status push() { return Status::ok(); }
  /// Brings the host's view up to date: all of it, or these buffers. Waits.
  virtual Status pull() { return Status::ok(); }
  virtual Status pull(const std::vector<uint32_t> &buffers) { return Status::ok(); }

  /// Makes ready the place for the next batch. The program that reads it must be the next one
  /// started that reads any.
  virtual Status stage() { return Status::ok(); }
  /// Where the next batch goes: the field that lies in `buffer`. Changes with each `stage`.
  virtual uint8_t *stagedAddress(uint32_t buffer) const { return bufferAddress(buffer); }

  /// How many snapshots may wait to be taken.
  virtual int depth() const { return 1; }
  /// Says which buffers snapshots are of: scalars that outlive their program. Called once.
  virtual Status watch(const std::vector<uint32_t> &buffers) { return Status::ok(); }
  virtual Status snapshot() { return Status::ok(); }
  virtual Status takeSnapshot() { return Status::ok(); }

protected:
  explicit Engine(const plan::Plan &plan);

private:
  const plan::Plan &thePlan;
  std::map<std::string, uint32_t> bufferIds;
};

} // namespace dlm
