// One walk with the set of ranges touched since the last sync.
#include "compiler/transforms/place/Barriers.h"

using namespace mlir;

namespace dlm::place {

namespace {

struct Touched {
  bool isTransient;
  unsigned object;
  std::array<int64_t, LoopDepthMax> steps;
  int64_t begin, end;
  int64_t wholeBegin, wholeEnd; // of all trips
  bool isWrite;
};

} // namespace

static bool conflict(const Touched &a, const Touched &b) {
  bool sameMemory = a.isTransient == b.isTransient && (a.isTransient || a.object == b.object);
  if (!sameMemory || !(a.isWrite || b.isWrite)) return false;
  if (a.object == b.object && a.steps == b.steps) return a.begin < b.end && b.begin < a.end;
  return a.wholeBegin < b.wholeEnd && b.wholeBegin < a.wholeEnd;
}

static Touched touchedBy(const Range &range, const Object &object, bool isWrite) {
  bool isTransient = object.name.empty();
  int64_t base = isTransient ? object.offset : 0, begin = base + range.offset;
  int64_t end = begin + range.sizeBytes;
  Touched touched{isTransient, range.object, range.steps, begin, end, begin, end, isWrite};
  if (range.steps != decltype(range.steps){}) {
    touched.wholeBegin = base;
    touched.wholeEnd = base + object.sizeBytes;
  }
  return touched;
}

static void mark(std::vector<Step> &steps, ArrayRef<Object> objects) {
  std::vector<Touched> window;
  for (Step &step : steps) {
    if (step.kind == Step::Loop) {
      mark(step.body, objects);
      window.clear();
      continue;
    }
    std::vector<Touched> touched;
    for (const Range &range : step.reads)
      touched.push_back(touchedBy(range, objects[range.object], false));
    for (const Range &range : step.writes)
      touched.push_back(touchedBy(range, objects[range.object], true));
    step.sync = llvm::any_of(window, [&](const Touched &earlier) {
      return llvm::any_of(touched, [&](const Touched &now) { return conflict(earlier, now); });
    });
    if (step.sync) window.clear();
    window.insert(window.end(), touched.begin(), touched.end());
  }
}

void markBarriers(ProgramStorage &storage) { mark(storage.steps, storage.objects); }

} // namespace dlm::place
