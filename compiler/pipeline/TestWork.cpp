// Every op says what it costs; its location says where the program asks for it.
#include "compiler/pipeline/TestWork.h"

#include "compiler/sema/tensor/GraphWalk.h"
#include "dialects/dlm/Dlm.h"
#include "dialects/interfaces/OpInterfaces.h"

#include "mlir/IR/Location.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace dlm {

namespace {

/// How often an op in loops is done.
uint64_t tripsOf(Operation *op) {
  uint64_t trips = 1;
  while ((op = op->getParentOp()))
    if (auto loop = dyn_cast<ScanOp>(op)) trips = llvm::SaturatingMultiply(trips, loop.getTrips());
  return trips;
}

/// Of a loop without its step, whose ops say it themselves.
uint64_t stepsOf(Operation *op) {
  constexpr int64_t flopsOfStep = 128; // of a product, whose loops are fast
  if (op->getNumResults() == 0) return 0;
  int64_t steps = tensorElements(op->getOperands()) + tensorElements(op->getResults());
  auto cost = dyn_cast<CostModelOpInterface>(op);
  if (cost && !isa<ScanOp>(op)) steps += cost.getFlops() / flopsOfStep;
  return llvm::SaturatingMultiply(uint64_t(steps), tripsOf(op));
}

struct Work {
  uint64_t steps = 0;
  Operation *largest = nullptr;
  uint64_t largestSteps = 0;
};

Work workOf(ModuleOp functions) {
  Work work;
  functions.walk([&](Operation *op) {
    uint64_t steps = stepsOf(op);
    work.steps = llvm::SaturatingAdd(work.steps, steps);
    if (steps <= work.largestSteps) return;
    work.largest = op;
    work.largestSteps = steps;
  });
  return work;
}

/// The operation of a graph whose text begins there.
const sema::Node *nodeAt(const sema::Graph &graph, FileLineColLoc place,
                         const SourceManager &sources) {
  return sema::findNode(graph, [&](const sema::Node &node) {
    if (!node.span.isValid()) return false;
    LineColumn begin = sources.position(node.span.file, node.span.begin);
    return begin.line == place.getLine() && begin.column == place.getColumn() &&
           sources.path(node.span.file) == std::string_view(place.getFilename().getValue());
  });
}

/// Where the program asks for an op; not valid if nothing tells.
Span placeOf(Operation *op, const sema::TypedTest &test, const SourceManager &sources) {
  const sema::Node *node = nullptr;
  op->getLoc()->walk([&](Location location) {
    auto place = dyn_cast<FileLineColLoc>(location);
    if (!place) return WalkResult::advance();
    node = nodeAt(test.graph, place, sources);
    for (size_t i = 0; i < test.parameters.size() && !node; ++i)
      node = nodeAt(test.parameters[i].init, place, sources);
    return node ? WalkResult::interrupt() : WalkResult::advance();
  });
  return node ? node->place() : Span();
}

} // namespace

std::string whyTooMuchWork(ModuleOp functions, const sema::TypedTest &test,
                           const SourceManager &sources, DiagnosticEngine &diagnostics) {
  Work work = workOf(functions);
  if (work.steps <= testStepsMax) return "";
  std::string text = std::to_string(work.steps) + " steps, and a test may take up to " +
                     std::to_string(testStepsMax);
  Span place = placeOf(work.largest, test, sources);
  bool isOwn = place.isValid() && place.file == test.span.file;
  auto message =
      diagnostics.error(Kind::WorkLimit, isOwn ? place : test.span, "the test takes " + text);
  std::string part = std::to_string(work.largestSteps) + " of them are taken here";
  if (isOwn)
    message.label(place, part);
  else if (place.isValid())
    message.note(place, part);
  message.help("test it with smaller sizes; a run of the program has no such limit");
  return "it takes " + text;
}

} // namespace dlm
