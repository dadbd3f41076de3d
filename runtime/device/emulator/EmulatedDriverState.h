// What the emulated driver keeps: its objects, and the work that waits.
//
// Work is a graph of actions, not queues: an action knows what must happen before it. A stream is
// the set of actions that its next one comes after; an event is one of those actions; a captured
// graph is a set of actions that is copied for each launch. Whoever waits names the actions that it
// needs, and `finish` runs these and what comes before them, in an order drawn from the seed.
#pragma once

#include "runtime/base/SharedObject.h"
#include "runtime/device/emulator/EmulatedDriver.h"

#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>

namespace dlm::emulator {

struct Action;
using Actions = std::vector<std::shared_ptr<Action>>;

/// Does the work; a failure stays with the device.
using Work = std::function<cuda::CUresult()>;

struct Action {
  Action(Work work, Actions before, unsigned lane)
      : work(std::move(work)), before(std::move(before)), lane(lane) {}
  ~Action();
  Action(const Action &) = delete;
  Action &operator=(const Action &) = delete;

  Work work;      // may be empty
  Actions before; // empty once this is done
  unsigned lane;  // of the stream
  bool isDone = false;
  int64_t doneNs = 0; // the machine's clock when it was done
};

/// A capture that has begun and has not ended.
struct Capture {
  cuda::CUstream origin;
  Actions actions; // in the order of the calls
  bool isInvalid = false;
};

/// A loaded shared object with an emulated image.
struct LoadedImage {
  std::unique_ptr<SharedObject> object;
  const DlmEmuImage *image;
};

} // namespace dlm::emulator

namespace dlm::cuda {

struct CUctx_st {};

struct CUfunc_st {
  std::shared_ptr<emulator::LoadedImage> code;
  const DlmEmuFunction *function;
};

struct CUmod_st {
  std::shared_ptr<emulator::LoadedImage> code;
  std::map<std::string, CUfunc_st> functions;
};

struct CUstream_st {
  unsigned lane;
  emulator::Actions last; // what the next action comes after
  std::shared_ptr<emulator::Capture> capture;
  emulator::Actions lastCaptured;
};

struct CUevent_st {
  bool hasTime;
  std::shared_ptr<emulator::Action> action; // the last record; null before the first
  bool isCaptured = false;                  // the last record was in a capture
  std::weak_ptr<emulator::Capture> capture;
  emulator::Actions lastCaptured;
};

/// The actions are patterns; a launch copies them.
struct CUgraph_st {
  emulator::Actions actions;
};

struct CUgraphExec_st {
  emulator::Actions actions;
  std::shared_ptr<emulator::Action> last; // the end of the latest launch
};

} // namespace dlm::cuda

namespace dlm::emulator {

/// The live objects of one kind. A handle is an object's address.
template <class T> class Objects {
public:
  T *add(T object) {
    auto owned = std::make_unique<T>(std::move(object));
    T *handle = owned.get();
    objects.emplace(handle, std::move(owned));
    return handle;
  }
  bool has(T *handle) const { return objects.count(handle) != 0; }
  bool remove(T *handle) { return objects.erase(handle) != 0; }
  auto begin() { return objects.begin(); }
  auto end() { return objects.end(); }

private:
  std::map<T *, std::unique_ptr<T>> objects;
};

struct State {
  explicit State(const DriverOptions &options) : options(options), memory(options.totalBytes) {}
  ~State();

  DriverOptions options;
  Memory memory;
  Report report;
  cuda::CUresult failure = cuda::Success; // once set, every call returns it, as on a GPU
  int contextUsers = 0;
  std::thread::id user; // the thread that entered the context last; no other may call
  uint64_t draws = 0, launches = 0;
  unsigned lanes = 0;

  Objects<cuda::CUstream_st> streams;
  Objects<cuda::CUevent_st> events;
  Objects<cuda::CUmod_st> modules;
  Objects<cuda::CUgraph_st> graphs;
  Objects<cuda::CUgraphExec_st> executables;
  std::shared_ptr<const std::vector<AllowedRange>> allowed; // for the next launch; null: everything
  std::map<uint8_t *, uint64_t> pinned;                     // address -> bytes
  std::vector<std::shared_ptr<Capture>> captures;
  Actions abandoned; // the last actions of streams that are gone
};

/// The one emulated driver.
State &emulated();

/// Ok if this thread has entered the context and nothing has failed.
cuda::CUresult ready();
/// As `ready`, and nothing is being captured: the call would disturb it. Spoils the captures if
/// not.
cuda::CUresult readyOutsideCapture();

/// Appends to a stream or to what it captures.
cuda::CUresult enqueue(cuda::CUstream stream, Work work);
/// Runs what `wanted` needs. The device's failure, if there is one.
cuda::CUresult finish(Actions wanted);
/// Runs one action that `wanted` needs: somebody asks whether they are done.
void advance(Actions wanted);
/// Runs everything.
cuda::CUresult finishAll();
/// Adds to `list` what is not done and not in it.
void addPending(Actions &list, const Actions &added);
bool areDone(const Actions &actions);

/// Makes a capture useless: its end will fail.
void spoil(Capture &capture);
/// Ends a capture for all its streams.
void leaveCapture(const std::shared_ptr<Capture> &capture);

// Each fills the part of the table that its file implements.
void fillDevice(cuda::DriverTable &table);
void fillMemory(cuda::DriverTable &table);
void fillModules(cuda::DriverTable &table);
void fillStreams(cuda::DriverTable &table);
void fillEvents(cuda::DriverTable &table);
void fillGraphs(cuda::DriverTable &table);

} // namespace dlm::emulator
