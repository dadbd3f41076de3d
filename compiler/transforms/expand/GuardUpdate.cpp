// A step that would write NaN is not taken. `grad` has run, its batches are consumed, so `attempt`
// advances whatever happens; `step`, the parameters, the moments and the buffers move only if the
// norm of the gradient and every loss term are finite (x - x == 0 tells a finite x from infinities
// and NaN).
// That choice is a select in device memory: the driver never has to look before it goes on.
#include "compiler/transforms/expand/DeclaredState.h"
#include "compiler/transforms/expand/GradientNorm.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/expand/Program.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::expand {
#define GEN_PASS_DEF_GUARDUPDATEPASS
#include "compiler/transforms/expand/Passes.h.inc"
} // namespace dlm::expand

namespace dlm::expand {
namespace {

using mlir::RankedTensorType;
using mlir::Value;

struct GuardUpdate : impl::GuardUpdatePassBase<GuardUpdate> {
  void runOnOperation() override;
};

/// `grads`, or that of another rule: `grads.2`.
bool isGradient(llvm::StringRef buffer) {
  return buffer.consume_front("grads") && (buffer.empty() || buffer.starts_with("."));
}

/// Writes one `update`.
class GuardedUpdate {
public:
  GuardedUpdate(mlir::func::FuncOp function, llvm::ArrayRef<std::string> terms, bool countsRows)
      : program(function), terms(terms), countsRows(countsRows), loc(function.getLoc()),
        f32(RankedTensorType::get({}, program.builder().getF32Type())),
        i64(RankedTensorType::get({}, program.builder().getI64Type())) {}

  void write();

private:
  mlir::OpBuilder &at() { return program.builder(); }
  Value constant(RankedTensorType type, double number) {
    return ConstantOp::create(at(), loc, type, number);
  }
  Value lossTerm(const std::string &term) { return program.argument("loss." + term, f32); }
  Value isFinite(Value scalar);
  Value choose(Value isOk, Value taken, Value old);
  Value chooseParts(Value isOk, PackOp taken, Value old);
  void guardResults(Value isOk);
  void count(Value isOk);
  void publish(Value norm);
  void reset(llvm::ArrayRef<Value> gradients);

  Program program;
  llvm::ArrayRef<std::string> terms;
  bool countsRows;
  mlir::Location loc;
  RankedTensorType f32, i64;
  std::vector<NamedResult> written;
};

void GuardedUpdate::write() {
  llvm::SmallVector<Value> gradients;
  for (mlir::BlockArgument argument : program.function().getArguments())
    if (isGradient(program.bufferOf(argument))) gradients.push_back(argument);
  Value norm = gradientNorm(at(), loc, gradients);
  Value isOk = isFinite(norm);
  for (const std::string &term : terms)
    isOk = AndOp::create(at(), loc, isOk, isFinite(lossTerm(term)));
  guardResults(isOk);
  count(isOk);
  publish(norm);
  reset(gradients);
  program.setResults(written);
}

Value GuardedUpdate::isFinite(Value scalar) {
  Value difference = SubOp::create(at(), loc, scalar, scalar);
  return CompareOp::create(at(), loc, CompareKind::Eq, difference, constant(f32, 0.0));
}

/// `taken` if the scalar flag holds, else `old`.
Value GuardedUpdate::choose(Value isOk, Value taken, Value old) {
  auto type = mlir::cast<RankedTensorType>(taken.getType());
  if (type.getRank() > 0)
    isOk = BroadcastOp::create(at(), loc, withElementType(type, at().getI1Type()), isOk,
                               llvm::ArrayRef<int64_t>{});
  return SelectOp::create(at(), loc, isOk, taken, old);
}

/// Part by part, so that the choice can join the kernel that computes the part. Gaps need none:
/// they are zero before and after.
Value GuardedUpdate::chooseParts(Value isOk, PackOp taken, Value old) {
  llvm::SmallVector<Value> parts;
  for (auto [part, offset] : llvm::zip_equal(taken.getParts(), taken.getOffsets())) {
    Value before = SegmentOp::create(at(), loc, part.getType(), old, offset);
    parts.push_back(choose(isOk, part, before));
  }
  return PackOp::create(at(), loc, taken.getType(), parts, taken.getOffsets());
}

/// What is reported, such as the rate, is told of a step that is not taken, too.
void GuardedUpdate::guardResults(Value isOk) {
  for (const auto &[buffer, value] : program.results()) {
    if (llvm::StringRef(buffer).starts_with("report.")) {
      written.emplace_back(buffer, value);
      continue;
    }
    Value old = program.argument(buffer, value.getType());
    auto pack = value.getDefiningOp<PackOp>();
    written.emplace_back(buffer, pack ? chooseParts(isOk, pack, old) : choose(isOk, value, old));
  }
}

void GuardedUpdate::count(Value isOk) {
  Value one = constant(i64, 1);
  auto advanced = [&](llvm::StringRef buffer, Value &old) {
    old = program.argument(buffer, i64);
    return Value(AddOp::create(at(), loc, old, one));
  };
  Value attempt, step, skipped;
  written.emplace_back("state.attempt", advanced("state.attempt", attempt));
  Value nextStep = advanced("state.step", step);
  written.emplace_back("state.step", choose(isOk, nextStep, step));
  Value nextSkipped = advanced("state.skipped", skipped);
  written.emplace_back("state.skipped", choose(isOk, skipped, nextSkipped));
  Value flag = CastOp::create(at(), loc, RankedTensorType::get({}, at().getI32Type()), isOk);
  written.emplace_back("state.ok", flag);
}

/// The terms as accumulated, their sum under the name `loss` if it is not one of them, the norm.
void GuardedUpdate::publish(Value norm) {
  Value sum;
  for (const std::string &term : terms) {
    Value loss = lossTerm(term);
    sum = sum ? Value(AddOp::create(at(), loc, sum, loss)) : loss;
    written.emplace_back("report." + term, loss);
  }
  if (sum && !llvm::is_contained(terms, "loss")) written.emplace_back("report.loss", sum);
  written.emplace_back("report.grad_norm", norm);
}

void GuardedUpdate::reset(llvm::ArrayRef<Value> gradients) {
  for (Value gradient : gradients)
    written.emplace_back(program.bufferOf(mlir::cast<mlir::BlockArgument>(gradient)).str(),
                         constant(mlir::cast<RankedTensorType>(gradient.getType()), -0.0));
  for (const std::string &term : terms)
    written.emplace_back("loss." + term, constant(f32, -0.0));
  if (countsRows) written.emplace_back(DeclaredState::Row, constant(i64, 0));
  for (mlir::BlockArgument argument : program.function().getArguments()) {
    llvm::StringRef buffer = program.bufferOf(argument);
    if (buffer.starts_with("next."))
      written.emplace_back(buffer.str(),
                           constant(mlir::cast<RankedTensorType>(argument.getType()), -0.0));
  }
}

void GuardUpdate::runOnOperation() {
  mlir::func::FuncOp grad = Program::find(getOperation(), "grad");
  mlir::func::FuncOp update = Program::find(getOperation(), "update");
  if (!grad || !update) return;
  std::vector<std::string> terms; // the results of `grad` that go to `loss.*`
  for (const NamedResult &result : Program(grad).results()) {
    llvm::StringRef name = result.first;
    if (name.consume_front("loss.")) terms.push_back(name.str());
  }
  bool countsRows = bool(Program(grad).findArgument(DeclaredState::Row));
  GuardedUpdate(update, terms, countsRows).write();
}

} // namespace
} // namespace dlm::expand
