// First fit over lifetimes.
#include "compiler/transforms/place/ArenaLayout.h"

#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace dlm::place {

/// Buffers from this size on are staggered.
static constexpr int64_t LargeBuffer = 64 * 1024;
static constexpr int64_t PageBytes = 4096;
static constexpr int64_t StaggerBytes = 9 * BufferAlignment;

static bool liveTogether(const Object &a, const Object &b) {
  return a.birth <= b.death && b.birth <= a.death;
}

int64_t layoutTransient(std::vector<Object> &objects) {
  std::vector<Object *> waiting, placed;
  for (Object &object : objects)
    if (object.name.empty() && object.birth >= 0) waiting.push_back(&object);
  std::sort(waiting.begin(), waiting.end(), [](Object *a, Object *b) {
    return std::make_pair(-a->sizeBytes, a) < std::make_pair(-b->sizeBytes, b);
  });
  int64_t sizeBytes = 0;
  for (Object *object : waiting) {
    object->offset = 0;
    // `placed` is kept by offset, so one sweep finds the first gap that is wide enough.
    for (Object *other : placed) {
      if (!liveTogether(*object, *other)) continue;
      if (object->offset + object->sizeBytes <= other->offset) break;
      int64_t end = int64_t(llvm::alignTo(other->offset + other->sizeBytes, BufferAlignment));
      object->offset = std::max(object->offset, end);
    }
    placed.insert(std::upper_bound(placed.begin(), placed.end(), object,
                                   [](Object *a, Object *b) { return a->offset < b->offset; }),
                  object);
    sizeBytes = std::max(sizeBytes, object->offset + object->sizeBytes);
  }
  return int64_t(llvm::alignTo(sizeBytes, BufferAlignment));
}

int64_t placePermanent(int64_t sizeBytes, unsigned number, int64_t &end) {
  int64_t offset = int64_t(llvm::alignTo(end, BufferAlignment));
  if (sizeBytes >= LargeBuffer) {
    int64_t wanted = (number * StaggerBytes) % PageBytes;
    offset += (wanted - offset % PageBytes + PageBytes) % PageBytes;
  }
  end = offset + sizeBytes;
  return offset;
}

} // namespace dlm::place
