// One walk with the set of ranges touched since the last sync.
#include "compiler/transforms/place/Barriers.h"

using namespace mlir;

namespace dlm::place {

namespace {

struct Touched {
  bool isTransient;
  unsigned object; // of a named buffer
  int64_t begin, end;
  bool isWrite;
};

} // namespace

static bool conflict(const Touched &a, const Touched &b) {
  bool sameMemory = a.isTransient == b.isTransient && (a.isTransient || a.object == b.object);
  return sameMemory && (a.isWrite || b.isWrite) && a.begin < b.end && b.begin < a.end;
}

void markBarriers(ProgramStorage &storage) {
  std::vector<Touched> window;
  for (Step &step : storage.steps) {
    std::vector<Touched> touched;
    auto add = [&](const Range &range, bool isWrite) {
      const Object &object = storage.objects[range.object];
      bool isTransient = object.name.empty();
      int64_t begin = range.offset + (isTransient ? object.offset : 0);
      touched.push_back({isTransient, range.object, begin, begin + range.sizeBytes, isWrite});
    };
    for (const Range &range : step.reads)
      add(range, false);
    for (const Range &range : step.writes)
      add(range, true);
    step.sync = llvm::any_of(window, [&](const Touched &earlier) {
      return llvm::any_of(touched, [&](const Touched &now) { return conflict(earlier, now); });
    });
    if (step.sync) window.clear();
    window.insert(window.end(), touched.begin(), touched.end());
  }
}

} // namespace dlm::place
