// A program as a block whose arguments and results are named buffers; lifetimes over all of it, and
// outputs that take over what dies.
#include "compiler/transforms/place/Sharing.h"
#include "compiler/transforms/place/Storage.h"

#include <numeric>

using namespace mlir;

namespace dlm::place {

unsigned ProgramStorage::namedObject(StringRef name, Value value) {
  for (unsigned i = 0; i < objects.size(); ++i)
    if (objects[i].name == name) return i;
  auto type = cast<RankedTensorType>(value.getType());
  objects.push_back({name.str(), type, function.getLoc(), tensorBytes(type)});
  return objects.size() - 1;
}

/// Numbers the steps in order; returns the first number that is free.
static int numberSteps(std::vector<Step> &steps, int number) {
  for (Step &step : steps) {
    step.number = number++;
    number = numberSteps(step.body, number);
    step.last = number - 1;
  }
  return number;
}

LogicalResult ProgramStorage::run() {
  Block &block = function.getBody().front();
  BlockStorage storage(block, objects, 0);
  for (BlockArgument argument : function.getArguments()) {
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "dlm.buffer");
    if (!name)
      return function.emitError() << "argument " << argument.getArgNumber() << " names no buffer";
    unsigned object = namedObject(name, argument);
    storage.setArgument(argument, {object, 0, objects[object].sizeBytes});
  }
  SmallVector<Range> wanted;
  for (OpOperand &use : block.getTerminator()->getOpOperands()) {
    auto name = function.getResultAttrOfType<StringAttr>(use.getOperandNumber(), "dlm.buffer");
    if (!name)
      return function.emitError() << "result " << use.getOperandNumber() << " names no buffer";
    unsigned object = namedObject(name, use.get());
    if (objects[object].type != use.get().getType())
      return function.emitError() << "buffer '" << name.getValue() << "' has two types";
    wanted.push_back({object, 0, objects[object].sizeBytes});
  }
  steps = storage.run(wanted);
  numberSteps(steps, 0);
  SmallVector<const Step *> loops;
  computeLifetimes(steps, loops);
  shareInputs();
  return success();
}

/// What belongs outside of a loop is in use during all of its trips.
void ProgramStorage::computeLifetimes(ArrayRef<Step> list, SmallVectorImpl<const Step *> &loops) {
  for (const Step &step : list) {
    auto touch = [&](const Range &range) {
      Object &object = objects[range.object];
      const Step &user = object.depth < loops.size() ? *loops[object.depth] : step;
      object.birth = object.birth < 0 ? user.number : object.birth;
      object.death = std::max(object.death, user.last);
    };
    llvm::for_each(step.reads, touch);
    llvm::for_each(step.writes, touch);
    loops.push_back(&step);
    computeLifetimes(step.body, loops);
    loops.pop_back();
  }
}

static void renameObjects(std::vector<Step> &steps, ArrayRef<unsigned> owner) {
  for (Step &step : steps) {
    for (Range &range : step.reads)
      range.object = owner[range.object];
    for (Range &range : step.writes)
      range.object = owner[range.object];
    renameObjects(step.body, owner);
  }
}

/// Lets an output take over the memory of an input that dies at the same step.
void ProgramStorage::shareInputs() {
  std::vector<unsigned> owner(objects.size());
  std::iota(owner.begin(), owner.end(), 0u);
  takeOver(steps, 0, owner);
  renameObjects(steps, owner);
}

/// Of steps at one depth, memory that belongs there.
void ProgramStorage::takeOver(ArrayRef<Step> list, unsigned depth, std::vector<unsigned> &owner) {
  auto isFree = [&](unsigned object) {
    return objects[object].name.empty() && objects[object].depth == depth;
  };
  for (const Step &step : list) {
    takeOver(step.body, depth + 1, owner);
    if (step.kind != Step::Run) continue;
    // Nobody may read an output; then what it took over dies at this step still, but is given away.
    llvm::DenseSet<unsigned> given;
    for (unsigned output = 0; output < step.writes.size(); ++output) {
      unsigned fresh = step.writes[output].object;
      bool isWhole = step.writes[output].sizeBytes == objects[fresh].sizeBytes;
      if (!isFree(fresh) || objects[fresh].birth != step.number || !isWhole) continue;
      for (unsigned input = 0; input < step.reads.size(); ++input) {
        unsigned dying = owner[step.reads[input].object];
        auto readsIt = [&](const Range &range) { return owner[range.object] == dying; };
        if (dying == fresh || !isFree(dying) || objects[dying].death != step.number ||
            step.reads[input].sizeBytes != objects[dying].sizeBytes ||
            objects[dying].sizeBytes != objects[fresh].sizeBytes ||
            llvm::count_if(step.reads, readsIt) != 1 || !mayShare(step.op, input, output) ||
            !given.insert(dying).second)
          continue;
        owner[fresh] = dying;
        objects[dying].death = objects[fresh].death;
        objects[fresh].birth = objects[fresh].death = -1;
        break;
      }
    }
  }
}

} // namespace dlm::place
