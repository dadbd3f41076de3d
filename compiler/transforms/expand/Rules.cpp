// A rule for all parameters at once is copied once, over flat tensors. A rule for each of them is
// copied for every parameter, over the segments of the flat tensors, which a pack joins again.
#include "compiler/transforms/expand/Rules.h"

#include "compiler/transforms/expand/GradientNorm.h"
#include "compiler/transforms/expand/RegionCopy.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::expand {

using mlir::RankedTensorType;
using mlir::Value;

namespace {

Value segment(Program &program, Value flat, const train::FlatLayout &layout, size_t number,
              RankedTensorType type) {
  return SegmentOp::create(program.builder(), program.function().getLoc(), type, flat,
                           layout.offsets[number]);
}

/// One flat tensor of the parts, of zeros if there are none.
Value packed(Program &program, llvm::ArrayRef<Value> parts, const train::FlatLayout &layout,
             RankedTensorType type) {
  mlir::Location loc = program.function().getLoc();
  if (parts.empty()) return ConstantOp::create(program.builder(), loc, type, 0.0);
  return PackOp::create(program.builder(), loc, type, parts, layout.offsets);
}

void addInitialMoments(Program &program, DeclaredState &state, const ParameterGroup &group,
                       llvm::ArrayRef<Value> parameters, Value flat,
                       std::vector<NamedResult> &results) {
  for (const Moment &moment : group.moments) {
    auto start = [&](Value target, const std::string &path) {
      RegionCopy copy(program, state, Purpose::Training);
      copy.given["params"] = target;
      copy.drawnFor = path;
      return copy.copy(*moment.init).front().second;
    };
    if (!group.isEach) {
      results.emplace_back(moment.buffer, start(flat, ""));
      continue;
    }
    llvm::SmallVector<Value> parts;
    for (auto [value, parameter] : llvm::zip_equal(parameters, group.parameters))
      parts.push_back(start(value, parameter.path));
    results.emplace_back(moment.buffer, packed(program, parts, moment.layout, moment.flatType));
  }
}

/// The value that goes to a buffer, or null.
Value resultFor(llvm::ArrayRef<NamedResult> results, llvm::StringRef buffer) {
  for (const auto &[name, value] : results)
    if (name == buffer) return value;
  return {};
}

/// Follows one rule for the parameters of its group.
class RuleCopy {
public:
  /// `norm` is null if gradients are not shortened.
  RuleCopy(Program &program, DeclaredState &state, const ParameterGroup &group, Value norm)
      : program(program), state(state), group(group), norm(norm),
        parameters(program.argument(group.buffer("params"), group.flatType)),
        gradient(program.argument(group.buffer("grads"), group.flatType)) {
    for (const Moment &moment : group.moments)
      moments.push_back(program.argument(moment.buffer, moment.flatType));
  }

  void addResults(std::vector<NamedResult> &results);

private:
  std::vector<NamedResult> copyWhole();
  std::vector<NamedResult> copyFor(size_t number);
  Value limited(Value part);

  Program &program;
  DeclaredState &state;
  const ParameterGroup &group;
  Value norm, parameters, gradient;
  llvm::SmallVector<Value> moments;
};

Value RuleCopy::limited(Value part) {
  if (!norm) return part;
  double limit = *state.updates[group.ofUpdate].clipNorm;
  return shortened(program.builder(), state.run.getLoc(), part, norm, limit);
}

std::vector<NamedResult> RuleCopy::copyWhole() {
  RegionCopy copy(program, state, Purpose::Training);
  copy.counter = state.updates[group.ofUpdate].made();
  copy.given["params"] = parameters;
  copy.given["grads"] = limited(gradient);
  for (const auto &[moment, value] : llvm::zip_equal(group.moments, moments))
    copy.given["opt." + moment.name] = value;
  return copy.copy(*group.update);
}

std::vector<NamedResult> RuleCopy::copyFor(size_t number) {
  RegionCopy copy(program, state, Purpose::Training);
  copy.counter = state.updates[group.ofUpdate].made();
  RankedTensorType type = group.parameters[number].type;
  copy.drawnFor = group.parameters[number].path;
  copy.given["params"] = segment(program, parameters, group.layout, number, type);
  copy.given["grads"] = limited(segment(program, gradient, group.layout, number, type));
  for (const auto &[moment, value] : llvm::zip_equal(group.moments, moments))
    copy.given["opt." + moment.name] = segment(program, value, moment.layout, number, moment.type);
  return copy.copy(*group.update);
}

/// What is reported comes from the first rule that tells it.
void RuleCopy::addResults(std::vector<NamedResult> &results) {
  bool isEach = group.isEach;
  std::vector<NamedResult> first = isEach ? std::vector<NamedResult>() : copyWhole();
  std::vector<llvm::SmallVector<Value>> parts; // of each name
  for (size_t i = 0; isEach && i < group.parameters.size(); ++i) {
    std::vector<NamedResult> one = copyFor(i);
    if (i == 0) first = one;
    parts.resize(first.size());
    for (size_t k = 0; k < one.size(); ++k)
      parts[k].push_back(one[k].second);
  }
  for (size_t k = 0; k < first.size(); ++k) {
    const std::string &name = first[k].first;
    Value value = first[k].second;
    llvm::StringRef what = name;
    if (what.consume_front("report.")) {
      std::string reported = state.updates[group.ofUpdate].report(what);
      if (!resultFor(results, reported)) results.emplace_back(reported, value);
      continue;
    }
    auto moment =
        llvm::find_if(group.moments, [&](const Moment &each) { return each.name == name; });
    bool isTarget = name == "target";
    const train::FlatLayout &layout = isTarget ? group.layout : moment->layout;
    RankedTensorType type = isTarget ? group.flatType : moment->flatType;
    results.emplace_back(isTarget ? group.buffer("params") : moment->buffer,
                         isEach ? packed(program, parts[k], layout, type) : value);
  }
}

/// A parameter after the step.
Value updatedParameter(Program &program, DeclaredState &state, llvm::ArrayRef<NamedResult> updated,
                       llvm::StringRef path) {
  auto [group, number] = state.placeOf(path);
  Value flat = resultFor(updated, group->buffer("params"));
  if (!flat) flat = program.argument(group->buffer("params"), group->flatType);
  if (auto pack = flat.getDefiningOp<PackOp>()) return pack.getParts()[number];
  return segment(program, flat, group->layout, number, group->parameters[number].type);
}

} // namespace

std::vector<NamedResult> initialParameters(Program &program, DeclaredState &state) {
  RegionCopy copy(program, state, Purpose::Training);
  std::vector<NamedResult> results, moments;
  for (const ParameterGroup &group : state.groups) {
    llvm::SmallVector<Value> parts;
    for (const PlacedParameter &param : group.parameters)
      parts.push_back(copy.copy(*param.init).front().second);
    Value flat = packed(program, parts, group.layout, group.flatType);
    results.emplace_back(group.buffer("params"), flat);
    addInitialMoments(program, state, group, parts, flat, moments);
  }
  llvm::append_range(results, moments);
  return results;
}

std::vector<NamedResult> updatedParameters(Program &program, DeclaredState &state, size_t update) {
  std::vector<NamedResult> results;
  Value norm;
  if (state.updates[update].clipNorm) {
    llvm::SmallVector<Value> gradients;
    for (const ParameterGroup &group : state.groups)
      if (group.update && group.ofUpdate == update)
        gradients.push_back(program.argument(group.buffer("grads"), group.flatType));
    if (!gradients.empty()) norm = gradientNorm(program.builder(), state.run.getLoc(), gradients);
  }
  for (const ParameterGroup &group : state.groups)
    if (group.update && group.ofUpdate == update)
      RuleCopy(program, state, group, norm).addResults(results);
  return results;
}

std::vector<NamedResult> updatedAverages(Program &program, DeclaredState &state,
                                         llvm::ArrayRef<NamedResult> updated) {
  std::vector<NamedResult> results;
  mlir::OpBuilder &build = program.builder();
  for (train::AverageOp average : state.averages) {
    mlir::Location loc = average.getLoc();
    auto buffer = *llvm::find_if(
        state.buffers, [&](train::BufferOp op) { return op.getPath() == average.getPath(); });
    RankedTensorType type = buffer.getTensorType();
    Value old = program.argument(("buffer." + average.getPath()).str(), type), now;
    if (state.placeOf(average.getOf()).first) {
      now = updatedParameter(program, state, updated, average.getOf());
    } else {
      std::string of = ("buffer." + average.getOf()).str();
      now = resultFor(updated, of);
      if (!now) now = program.argument(of, type);
    }
    if (!type.getElementType().isF32()) {
      results.emplace_back("buffer." + average.getPath().str(), now);
      continue;
    }
    Value share = ConstantOp::create(build, loc, type, 1.0 - average.getDecay().convertToDouble());
    Value way = MulOp::create(build, loc, SubOp::create(build, loc, now, old), share);
    results.emplace_back("buffer." + average.getPath().str(), AddOp::create(build, loc, old, way));
  }
  return results;
}

} // namespace dlm::expand
