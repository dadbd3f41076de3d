// From claims to instructions: their ranges and their order.
#include "compiler/transforms/place/Storage.h"

using namespace mlir;

namespace dlm::place {

std::vector<Step> BlockStorage::buildSteps() {
  std::vector<Step> steps;
  auto addExtras = [&](unsigned before) {
    for (const Extra &extra : extras) {
      if (extra.before != before) continue;
      Step step{extra.source ? Step::Copy : Step::Fill, nullptr, extra.location};
      if (extra.source) step.reads.push_back(resolve(extra.source));
      step.writes.push_back(extra.place);
      steps.push_back(std::move(step));
    }
  };
  for (unsigned number = 0; number < instructions.size(); ++number) {
    addExtras(number);
    Operation *op = instructions[number];
    if (auto loop = dyn_cast<ScanOp>(op)) {
      steps.push_back(buildLoop(loop));
      continue;
    }
    Step step{Step::Run, op, op->getLoc()};
    for (Value operand : op->getOperands())
      step.reads.push_back(resolve(operand));
    for (Value result : op->getResults())
      step.writes.push_back(places.lookup(result));
    steps.push_back(std::move(step));
  }
  addExtras(instructions.size());
  return steps;
}

/// What a trip sees of memory that holds something for each of them.
Range BlockStorage::slice(Range whole, Type type, ScanOp op) const {
  int64_t bytes = tensorBytes(type);
  whole.sizeBytes = bytes;
  if (op.getReverse()) whole.offset += (int64_t(op.getTrips()) - 1) * bytes;
  whole.steps[depth] = op.getReverse() ? -bytes : bytes;
  return whole;
}

Step BlockStorage::buildLoop(ScanOp op) {
  Block &inner = *op.getBody();
  BlockStorage body(inner, objects, depth + 1);
  unsigned states = op.getInits().size(), argument = 1; // the first is the number of the trip
  SmallVector<Range> wantedAt;
  for (unsigned state = 0; state < states; ++state) {
    wantedAt.push_back(places.lookup(op->getResult(state)));
    body.setArgument(inner.getArgument(argument++), wantedAt.back());
  }
  for (Value whole : op.getXs()) {
    BlockArgument part = inner.getArgument(argument++);
    body.setArgument(part, slice(resolve(whole), part.getType(), op));
  }
  for (Value same : op.getCaptures())
    body.setArgument(inner.getArgument(argument++), resolve(same));
  for (OpOperand &use : inner.getTerminator()->getOpOperands().drop_front(states))
    wantedAt.push_back(
        slice(places.lookup(op->getResult(use.getOperandNumber())), use.get().getType(), op));
  Step step{Step::Loop, op, op->getLoc()};
  step.body = body.run(wantedAt);
  return step;
}

} // namespace dlm::place
