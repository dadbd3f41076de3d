// From claims to instructions: their ranges, their order, and how long transient objects live.
#include "compiler/transforms/place/Sharing.h"
#include "compiler/transforms/place/Storage.h"

#include <numeric>

using namespace mlir;

namespace dlm::place {

void ProgramStorage::buildSteps() {
  auto addExtras = [&](unsigned before) {
    for (const Extra &extra : extras) {
      if (extra.before != before) continue;
      Step step{extra.source ? Step::Copy : Step::Fill, nullptr, extra.location, {}, {}};
      if (extra.source) step.reads.push_back(resolve(extra.source));
      step.writes.push_back(extra.place);
      steps.push_back(std::move(step));
    }
  };
  for (unsigned number = 0; number < instructions.size(); ++number) {
    addExtras(number);
    Operation *op = instructions[number];
    Step step{Step::Run, op, op->getLoc(), {}, {}};
    for (Value operand : op->getOperands())
      step.reads.push_back(resolve(operand));
    for (Value result : op->getResults())
      step.writes.push_back(places.lookup(result));
    steps.push_back(std::move(step));
  }
  addExtras(instructions.size());
}

void ProgramStorage::computeLifetimes() {
  for (int number = 0; number < int(steps.size()); ++number) {
    auto touch = [&](const Range &range) {
      Object &object = objects[range.object];
      object.birth = object.birth < 0 ? number : object.birth;
      object.death = number;
    };
    llvm::for_each(steps[number].reads, touch);
    llvm::for_each(steps[number].writes, touch);
  }
}

/// Lets an output take over the memory of an input that dies at the same step.
void ProgramStorage::shareInputs() {
  std::vector<unsigned> owner(objects.size());
  std::iota(owner.begin(), owner.end(), 0u);
  takeOver(owner);
  for (Step &step : steps) {
    for (Range &range : step.reads)
      range.object = owner[range.object];
    for (Range &range : step.writes)
      range.object = owner[range.object];
  }
}

void ProgramStorage::takeOver(std::vector<unsigned> &owner) {
  for (int number = 0; number < int(steps.size()); ++number) {
    Step &step = steps[number];
    if (step.kind != Step::Run) continue;
    // Nobody may read an output; then what it took over dies at this step still, but is given away.
    llvm::DenseSet<unsigned> given;
    for (unsigned output = 0; output < step.writes.size(); ++output) {
      unsigned fresh = step.writes[output].object;
      bool isWhole = step.writes[output].sizeBytes == objects[fresh].sizeBytes;
      if (!objects[fresh].name.empty() || objects[fresh].birth != number || !isWhole) continue;
      for (unsigned input = 0; input < step.reads.size(); ++input) {
        unsigned dying = owner[step.reads[input].object];
        auto readsIt = [&](const Range &range) { return owner[range.object] == dying; };
        if (dying == fresh || !objects[dying].name.empty() || objects[dying].death != number ||
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
