// Claims: results and parts of packs ask for the place where they are wanted.
#include "compiler/transforms/place/Storage.h"

#include "compiler/transforms/place/Sharing.h"
#include "dialects/kernel/Kernel.h"

using namespace mlir;

namespace dlm::place {

int64_t elementBytes(Type tensorType) {
  unsigned bits = cast<RankedTensorType>(tensorType).getElementTypeBitWidth();
  return bits < 8 ? 1 : bits / 8;
}

int64_t tensorBytes(Type tensorType) {
  return cast<RankedTensorType>(tensorType).getNumElements() * elementBytes(tensorType);
}

bool overlap(const Range &a, const Range &b) {
  if (a.object != b.object) return false;
  if (a.steps != b.steps) return true; // they may meet
  return a.offset < b.offset + b.sizeBytes && b.offset < a.offset + a.sizeBytes;
}

static bool isView(Operation *op) { return isa<ReshapeOp, SegmentOp, PackOp>(op); }

static Range partOf(Range range, int64_t begin, int64_t sizeBytes) {
  range.offset += begin;
  range.sizeBytes = sizeBytes;
  return range;
}

static bool isSame(const Range &a, const Range &b) {
  return a.object == b.object && a.offset == b.offset && a.steps == b.steps;
}

std::vector<Step> BlockStorage::run(ArrayRef<Range> wantedAt) {
  wanted = wantedAt;
  for (Operation &op : block.without_terminator())
    if (!isView(&op)) {
      order[&op] = instructions.size();
      instructions.push_back(&op);
    }
  collectOldReads();
  for (OpOperand &use : block.getTerminator()->getOpOperands())
    claim(use.get(), wanted[use.getOperandNumber()], instructions.size());
  claimPacks();
  claimLoops();
  for (Operation *op : instructions)
    for (Value result : op->getResults())
      if (!places.contains(result)) places[result] = newObject(result);
  return buildSteps();
}

void BlockStorage::claimPacks() {
  for (PackOp pack : block.getOps<PackOp>())
    if (!places.contains(pack.getResult())) claimPack(pack, newObject(pack.getResult()));
}

/// A state lies where it is wanted after the loop, and its first value is made there if nobody else
/// needs that. The last loop first: its first values may be what the one before ends with.
void BlockStorage::claimLoops() {
  auto isOnlyUse = [](Value value) {
    while (value.hasOneUse() && value.getDefiningOp<ReshapeOp>())
      value = value.getDefiningOp()->getOperand(0);
    return value.hasOneUse();
  };
  for (Operation *op : llvm::reverse(instructions)) {
    auto loop = dyn_cast<ScanOp>(op);
    if (!loop) continue;
    unsigned number = order.lookup(op);
    for (auto [first, last] : llvm::zip(loop.getInits(), loop->getResults())) {
      if (!places.contains(last)) places[last] = newObject(last);
      if (isOnlyUse(first))
        claim(first, places.lookup(last), number);
      else
        extras.push_back({first, places.lookup(last), number, first.getLoc()});
    }
  }
}

Range BlockStorage::newObject(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  objects.push_back({"", type, value.getLoc(), tensorBytes(type), depth});
  return {unsigned(objects.size() - 1), 0, objects.back().sizeBytes};
}

/// The argument that a value is a view of, or null.
static Value viewedArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ReshapeOp, SegmentOp>(op)) return Value();
    value = op->getOperand(0);
  }
  return value;
}

void BlockStorage::collectOldReads() {
  Operation *end = block.getTerminator();
  SmallVector<Operation *> readers(instructions);
  llvm::append_range(readers, block.getOps<PackOp>());
  readers.push_back(end);
  for (Operation *op : readers)
    for (OpOperand &use : op->getOpOperands()) {
      Value argument = viewedArgument(use.get());
      if (!argument) continue;
      Range range = resolve(use.get());
      if (op == end && use.get() == argument && isSame(range, wanted[use.getOperandNumber()]))
        continue; // the memory keeps what it holds
      oldReads.push_back({range, op, use.getOperandNumber()});
    }
}

/// The range of a value that has a place, seen through views.
Range BlockStorage::resolve(Value value) {
  auto known = places.find(value);
  if (known != places.end()) return known->second;
  Operation *op = value.getDefiningOp();
  Range range = resolve(op->getOperand(0));
  if (auto segment = dyn_cast<SegmentOp>(op))
    range.offset += int64_t(segment.getOffset()) * elementBytes(value.getType());
  range.sizeBytes = tensorBytes(value.getType());
  places[value] = range;
  return range;
}

/// True if nobody reads, at or after the instruction that computes `value`, what `place` held
/// before.
bool BlockStorage::isOverwriteSafe(Value value, Range place) const {
  auto result = dyn_cast<OpResult>(value);
  unsigned writer = order.lookup(result.getOwner());
  unsigned sharing = 0;
  for (const OldRead &read : oldReads) {
    if (!overlap(read.range, place)) continue;
    auto reader = order.find(read.op);
    if (reader == order.end() || reader->second > writer)
      return false; // read by a copy at the end, or later
    if (reader->second < writer) continue;
    bool exact = isSame(read.range, place) && read.range.sizeBytes == place.sizeBytes;
    if (!exact || ++sharing > 1 || !mayShare(read.op, read.operand, result.getResultNumber()))
      return false;
  }
  return true;
}

/// Asks that `value` lies at `place` when instruction `before` starts.
void BlockStorage::claim(Value value, Range place, unsigned before) {
  Operation *op = value.getDefiningOp();
  if (auto known = places.find(value); known != places.end() || !op) {
    if (!isSame(resolve(value), place)) extras.push_back({value, place, before, value.getLoc()});
    return;
  }
  if (isa<ReshapeOp>(op)) {
    claim(op->getOperand(0), place, before);
  } else if (auto pack = dyn_cast<PackOp>(op)) {
    bool isRead = !pack->hasOneUse() || firstReader(value) < instructions.size();
    if (isRead && !isUntouched(place)) {
      claimPack(pack, newObject(value));
      extras.push_back({value, place, before, value.getLoc()});
    } else {
      claimPack(pack, place);
    }
  } else if (order.contains(op) && isOverwriteSafe(value, place)) {
    places[value] = place;
  } else {
    extras.push_back({value, place, before, value.getLoc()});
  }
}

/// True if the program does not read what `place` held when it started.
bool BlockStorage::isUntouched(Range place) const {
  return llvm::none_of(oldReads, [&](const OldRead &read) { return overlap(read.range, place); });
}

void BlockStorage::claimPack(PackOp pack, Range place) {
  places[pack.getResult()] = place;
  int64_t bytes = elementBytes(pack.getType());
  unsigned before = firstReader(pack.getResult());
  for (auto [part, offset] : llvm::zip(pack.getParts(), pack.getOffsets()))
    claim(part, partOf(place, offset * bytes, tensorBytes(part.getType())), before);
  fillGaps(pack, place);
}

/// The number of the first instruction that reads `value` or a view of it.
unsigned BlockStorage::firstReader(Value value) const {
  unsigned first = instructions.size();
  for (Operation *user : value.getUsers()) {
    if (auto found = order.find(user); found != order.end())
      first = std::min(first, found->second);
    else if (isView(user))
      first = std::min(first, firstReader(user->getResult(0)));
  }
  return first;
}

void BlockStorage::fillGaps(PackOp pack, Range place) {
  int64_t bytes = elementBytes(pack.getType()), at = 0;
  unsigned before = firstReader(pack.getResult());
  auto add = [&](int64_t begin, int64_t end) {
    if (begin < end)
      extras.push_back({Value(), partOf(place, begin, end - begin), before, pack.getLoc()});
  };
  for (auto [part, offset] : llvm::zip(pack.getParts(), pack.getOffsets())) {
    add(at, offset * bytes);
    at = offset * bytes + tensorBytes(part.getType());
  }
  add(at, tensorBytes(pack.getType()));
}

} // namespace dlm::place
