// Running what somebody waits for, and nothing else: what the program does not ask for has not
// happened yet, so a result that is read too early is not there. Between actions that nothing
// orders, the seed decides; each wait draws anew either among all that can run, or which stream
// gets as far as it can before the others.
#include "runtime/device/emulator/EmulatedDriverState.h"

#include "runtime/base/Clock.h"
#include "runtime/base/Philox.h"

#include <algorithm>

namespace dlm::emulator {

namespace {

uint32_t drawBits(State &state) {
  uint64_t draw = state.draws++, seed = state.options.launch.seed;
  return philox4x32({uint32_t(draw), uint32_t(draw >> 32), 0, 0},
                    {uint32_t(seed), uint32_t(seed >> 32)})[0];
}

class Schedule {
public:
  Schedule(State &state, Actions wanted) : state(state) {
    collect(std::move(wanted));
    uint32_t bits = drawBits(state);
    isByLane = bits & 1;
    salt = bits >> 1;
  }

  bool isFinished() const { return runnable.empty(); }

  void runOne() {
    size_t at = choose();
    std::shared_ptr<Action> action = std::move(runnable[at]);
    runnable.erase(runnable.begin() + ptrdiff_t(at));
    cuda::CUresult result = action->work ? action->work() : cuda::Success;
    if (result != cuda::Success) state.failure = result;
    action->isDone = true;
    action->doneNs = systemClock().monotonicNs();
    action->work = nullptr;
    action->before.clear();
    for (std::shared_ptr<Action> &next : waiting[action.get()].after)
      if (--waiting[next.get()].missing == 0) runnable.push_back(std::move(next));
  }

private:
  struct Waiting {
    size_t missing = 0;
    Actions after;
  };

  /// Finds everything that is not done at and before `wanted`.
  void collect(Actions open) {
    while (!open.empty()) {
      std::shared_ptr<Action> action = std::move(open.back());
      open.pop_back();
      if (action->isDone || waiting.count(action.get())) continue;
      size_t missing = 0;
      for (const std::shared_ptr<Action> &before : action->before) {
        if (before->isDone) continue;
        ++missing;
        open.push_back(before);
      }
      waiting[action.get()].missing = missing;
      found.push_back(action);
    }
    for (const std::shared_ptr<Action> &action : found) {
      for (const std::shared_ptr<Action> &before : action->before)
        if (!before->isDone) waiting[before.get()].after.push_back(action);
      if (waiting[action.get()].missing == 0) runnable.push_back(action);
    }
  }

  size_t choose() {
    if (runnable.size() == 1) return 0;
    if (!isByLane) return drawBits(state) % runnable.size();
    auto rank = [&](const std::shared_ptr<Action> &action) {
      return philox4x32({action->lane, salt, 0, 1}, {0, 0})[0];
    };
    return size_t(
        std::max_element(runnable.begin(), runnable.end(),
                         [&](const auto &a, const auto &b) { return rank(a) < rank(b); }) -
        runnable.begin());
  }

  State &state;
  bool isByLane;
  uint32_t salt;
  std::unordered_map<Action *, Waiting> waiting;
  Actions found, runnable;
};

} // namespace

/// Without recursion: a stream's actions are a long chain.
Action::~Action() {
  Actions open = std::move(before);
  while (!open.empty()) {
    std::shared_ptr<Action> action = std::move(open.back());
    open.pop_back();
    if (action.use_count() != 1) continue;
    for (std::shared_ptr<Action> &further : action->before)
      open.push_back(std::move(further));
    action->before.clear();
  }
}

void addPending(Actions &list, const Actions &added) {
  for (const std::shared_ptr<Action> &action : added)
    if (!action->isDone && std::find(list.begin(), list.end(), action) == list.end())
      list.push_back(action);
}

bool areDone(const Actions &actions) {
  return std::all_of(actions.begin(), actions.end(),
                     [](const std::shared_ptr<Action> &action) { return action->isDone; });
}

cuda::CUresult finish(Actions wanted) {
  State &state = emulated();
  if (areDone(wanted)) return state.failure;
  Schedule schedule(state, std::move(wanted));
  while (state.failure == cuda::Success && !schedule.isFinished())
    schedule.runOne();
  return state.failure;
}

void advance(Actions wanted) {
  Schedule schedule(emulated(), std::move(wanted));
  if (!schedule.isFinished()) schedule.runOne();
}

cuda::CUresult finishAll() {
  State &state = emulated();
  Actions all = std::move(state.abandoned);
  state.abandoned.clear();
  std::map<unsigned, cuda::CUstream> byLane; // addresses differ from run to run
  for (auto &[handle, stream] : state.streams)
    byLane[stream->lane] = handle;
  for (auto [lane, stream] : byLane)
    addPending(all, stream->last);
  return finish(std::move(all));
}

} // namespace dlm::emulator
