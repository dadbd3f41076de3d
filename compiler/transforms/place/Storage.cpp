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
  return a.object == b.object && a.offset < b.offset + b.sizeBytes &&
         b.offset < a.offset + a.sizeBytes;
}

static bool isView(Operation *op) { return isa<ReshapeOp, SegmentOp, PackOp>(op); }

LogicalResult ProgramStorage::run() {
  Block &block = function.getBody().front();
  for (Operation &op : block.without_terminator())
    if (!isView(&op)) {
      order[&op] = instructions.size();
      instructions.push_back(&op);
    }
  if (failed(addArguments())) return failure();
  collectOldReads();
  Operation *end = block.getTerminator();
  for (OpOperand &use : end->getOpOperands()) {
    auto name = function.getResultAttrOfType<StringAttr>(use.getOperandNumber(), "dlm.buffer");
    if (!name)
      return function.emitError() << "result " << use.getOperandNumber() << " names no buffer";
    unsigned object = namedObject(name, use.get());
    if (objects[object].type != use.get().getType())
      return function.emitError() << "buffer '" << name.getValue() << "' has two types";
    claim(use.get(), {object, 0, objects[object].sizeBytes}, instructions.size());
  }
  for (Operation &op : block.without_terminator()) {
    for (Value result : op.getResults()) {
      if (isa<PackOp>(op) && !places.contains(result))
        claimPack(cast<PackOp>(op), newObject(result));
    }
  }
  for (Operation *op : instructions)
    for (Value result : op->getResults())
      if (!places.contains(result)) places[result] = newObject(result);
  buildSteps();
  computeLifetimes();
  shareInputs();
  return success();
}

unsigned ProgramStorage::namedObject(StringRef name, Value value) {
  for (unsigned i = 0; i < objects.size(); ++i)
    if (objects[i].name == name) return i;
  auto type = cast<RankedTensorType>(value.getType());
  objects.push_back({name.str(), type, function.getLoc(), tensorBytes(type)});
  return objects.size() - 1;
}

LogicalResult ProgramStorage::addArguments() {
  for (BlockArgument argument : function.getArguments()) {
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "dlm.buffer");
    if (!name)
      return function.emitError() << "argument " << argument.getArgNumber() << " names no buffer";
    unsigned object = namedObject(name, argument);
    places[argument] = {object, 0, objects[object].sizeBytes};
  }
  return success();
}

Range ProgramStorage::newObject(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  objects.push_back({"", type, value.getLoc(), tensorBytes(type)});
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

static StringRef resultName(func::FuncOp function, unsigned number) {
  auto name = function.getResultAttrOfType<StringAttr>(number, "dlm.buffer");
  return name ? name.getValue() : StringRef();
}

void ProgramStorage::collectOldReads() {
  Operation *end = function.getBody().front().getTerminator();
  SmallVector<Operation *> readers(instructions);
  function.walk([&](PackOp pack) { readers.push_back(pack); });
  readers.push_back(end);
  for (Operation *op : readers)
    for (OpOperand &use : op->getOpOperands()) {
      Value argument = viewedArgument(use.get());
      if (!argument) continue;
      Range range = resolve(use.get());
      if (op == end && use.get() == argument &&
          objects[range.object].name == resultName(function, use.getOperandNumber()))
        continue; // the buffer keeps what it holds
      oldReads.push_back({range, op, use.getOperandNumber()});
    }
}

/// The range of a value that has a place, seen through views.
Range ProgramStorage::resolve(Value value) {
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
bool ProgramStorage::isOverwriteSafe(Value value, Range place) const {
  auto result = dyn_cast<OpResult>(value);
  unsigned writer = order.lookup(result.getOwner());
  unsigned sharing = 0;
  for (const OldRead &read : oldReads) {
    if (!overlap(read.range, place)) continue;
    auto reader = order.find(read.op);
    if (reader == order.end() || reader->second > writer)
      return false; // read by a copy at the end, or later
    if (reader->second < writer) continue;
    bool exact = read.range.offset == place.offset && read.range.sizeBytes == place.sizeBytes;
    if (!exact || ++sharing > 1 || !mayShare(read.op, read.operand, result.getResultNumber()))
      return false;
  }
  return true;
}

/// Asks that `value` lies at `place` when instruction `before` starts.
void ProgramStorage::claim(Value value, Range place, unsigned before) {
  Operation *op = value.getDefiningOp();
  if (auto known = places.find(value); known != places.end() || !op) {
    const Range &there = known->second;
    if (there.object != place.object || there.offset != place.offset)
      extras.push_back({value, place, before, value.getLoc()});
    return;
  }
  if (isa<ReshapeOp>(op)) {
    claim(op->getOperand(0), place, before);
  } else if (auto pack = dyn_cast<PackOp>(op)) {
    if (!pack->hasOneUse() && !isUntouched(place)) {
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
bool ProgramStorage::isUntouched(Range place) const {
  return llvm::none_of(oldReads, [&](const OldRead &read) { return overlap(read.range, place); });
}

void ProgramStorage::claimPack(PackOp pack, Range place) {
  places[pack.getResult()] = place;
  int64_t bytes = elementBytes(pack.getType());
  unsigned before = firstReader(pack.getResult());
  for (auto [part, offset] : llvm::zip(pack.getParts(), pack.getOffsets()))
    claim(part, {place.object, place.offset + offset * bytes, tensorBytes(part.getType())}, before);
  fillGaps(pack, place);
}

/// The number of the first instruction that reads `value` or a view of it.
unsigned ProgramStorage::firstReader(Value value) const {
  unsigned first = instructions.size();
  for (Operation *user : value.getUsers()) {
    if (auto found = order.find(user); found != order.end())
      first = std::min(first, found->second);
    else if (isView(user))
      first = std::min(first, firstReader(user->getResult(0)));
  }
  return first;
}

void ProgramStorage::fillGaps(PackOp pack, Range place) {
  int64_t bytes = elementBytes(pack.getType()), at = 0;
  unsigned before = firstReader(pack.getResult());
  auto add = [&](int64_t begin, int64_t end) {
    if (begin < end)
      extras.push_back(
          {Value(), {place.object, place.offset + begin, end - begin}, before, pack.getLoc()});
  };
  for (auto [part, offset] : llvm::zip(pack.getParts(), pack.getOffsets())) {
    add(at, offset * bytes);
    at = offset * bytes + tensorBytes(part.getType());
  }
  add(at, tensorBytes(pack.getType()));
}

} // namespace dlm::place
