// `rearrange`, `reduce` and `repeat`: shapes told by names, as in einops (Rogozhnikov, 2022).
//
// The left side takes the tensor apart into axes, each with a size; then axes that the right side
// lacks are reduced, the others are put in its order, new ones are added, and its parentheses join
// them. Names are local: a dimension keeps the name it had only where it goes through whole.
#include "compiler/sema/tensor/AxisPattern.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

class Rearrangement {
public:
  Rearrangement(Evaluator &evaluator, const BuiltinCall &call)
      : evaluator(evaluator), call(call), name(call.builtin.name) {}

  Value run() {
    std::optional<Tensor> given = evaluator.needTensor(call[0], "what `" + name + "` takes");
    std::optional<AxisPattern> parsed = parseAxisPattern(evaluator, call[1]);
    if (!given || !parsed || !readSizes()) return Value();
    x = *given;
    left = std::move(parsed->inputs[0]);
    right = std::move(parsed->output);
    if (parsed->inputs.size() > 1)
      return fault(parsed->inputs[1].span, "`" + name + "` takes one tensor, and the pattern " +
                                               std::to_string(parsed->inputs.size()));
    if (!expand() || !takeApart() || !checkRight() || !checkSizesUsed()) return Value();
    return rewrite();
  }

private:
  struct Axis {
    std::string name;
    Dim dim;
  };

  Value fault(Span span, const std::string &message, const std::string &help = "") {
    Report report(evaluator.report, Kind::AxisPattern, span, message);
    if (!help.empty()) report.help(help);
    return Value();
  }

  bool readSizes() {
    for (const NamedOperand &size : call.named) {
      Operand list = {Value::list({size.operand.value}), nullptr, size.operand.span};
      std::optional<std::vector<Dim>> dims = evaluator.needShape(list);
      if (!dims) return false;
      sizes[size.name] = dims->front().extent;
    }
    return true;
  }

  bool expand() {
    if (!checkRank(evaluator, left, x.type.dims.size(), call[0])) return false;
    const PatternAxis *onLeft = left.find("..."), *onRight = right.find("...");
    for (const PatternGroup &group : left.groups)
      if (onLeft && group.isParenthesized && onLeft->span.begin > group.span.begin &&
          onLeft->span.begin < group.span.end)
        return fault(onLeft->span, "`...` stands in parentheses on the left"), false;
    if (onRight && !onLeft) return fault(onRight->span, "`...` is on the right only"), false;
    if (onLeft && !onRight && name != "reduce")
      return fault(onLeft->span, "`...` is on the left only"), false;
    size_t further = onLeft ? x.type.dims.size() + 1 - left.groups.size() : 0;
    expandEllipsis(left, further);
    expandEllipsis(right, further);
    return true;
  }

  /// Gives every axis of the left its size.
  bool takeApart() {
    for (size_t i = 0; i < left.groups.size(); ++i)
      if (!takeGroup(left.groups[i], x.type.dims[i])) return false;
    return true;
  }

  bool takeGroup(const PatternGroup &group, const Dim &dim) {
    Extent product = Extent::whole(1);
    std::vector<const PatternAxis *> unknown;
    for (const PatternAxis &axis : group.axes) {
      if (axis.kind == PatternAxis::Count && axis.count > 1 && name != "reduce")
        return fault(axis.span, "a size without a name is no axis to find on the right",
                     "name it, and give its size: `" + name +
                         "(x, ..., n = " + std::to_string(axis.count) + ")`"),
               false;
      std::optional<Extent> size = sizeOf(axis);
      if (!size) unknown.push_back(&axis);
      product = Extent::multiply(product, size.value_or(Extent::whole(1))).value_or(product);
    }
    if (unknown.size() > 1) {
      evaluator
          .report(Kind::MissingArgument, unknown[1]->span,
                  "of the axes `" + unknown[0]->name + "` and `" + unknown[1]->name +
                      "` at most one is without a size")
          .help("give it as an argument: `" + unknown[1]->name + " = ...`");
      return false;
    }
    std::optional<Extent> rest = Extent::divide(dim.extent, product);
    bool isWhole = rest && (!rest->isConstant() || rest->isWhole());
    bool fits = unknown.empty() ? product == dim.extent : isWhole;
    if (!fits) return misfit(group, dim, product, unknown.empty());
    bool isOpen = rest && !rest->isConstant();
    if (isOpen && !evaluator.requireWhole(*rest, {Value(), nullptr, group.span}, "a part"))
      return false;
    for (const PatternAxis &axis : group.axes) {
      if (axis.kind == PatternAxis::Count && axis.count == 1) continue;
      std::optional<Extent> size = sizeOf(axis);
      bool isAll = group.axes.size() == 1;
      axes.push_back({axis.name, isAll ? dim : Dim{size ? *size : *rest, "", false}});
    }
    return true;
  }

  bool misfit(const PatternGroup &group, const Dim &dim, const Extent &product, bool isEqual) {
    std::string written(evaluator.sources.text(group.span));
    bool isPlace = group.span.begin != call[1].span.begin; // within a literal
    if (isEqual) {
      evaluator
          .report(Kind::ShapeMismatch, group.span,
                  (isPlace ? "`" + written + "`" : std::string("the axis")) + " is " +
                      product.text() + " by the pattern, and the dimension is " + dimText(dim))
          .secondary(call[0].span, "is `" + typeText(x.type) + "`");
      return false;
    }
    evaluator
        .report(Kind::NotWhole, group.span,
                (isPlace ? "`" + written + "`" : std::string("the pattern")) + " splits " +
                    dimText(dim) + " into parts of " + product.text())
        .secondary(call[0].span, "is `" + typeText(x.type) + "`")
        .help("the dimension has to be a multiple of " + product.text());
    return false;
  }

  std::optional<Extent> sizeOf(const PatternAxis &axis) const {
    if (axis.kind == PatternAxis::Count) return Extent::whole(axis.count);
    auto found = sizes.find(axis.name);
    if (found == sizes.end()) return std::nullopt;
    return found->second;
  }

  const Axis *find(const std::string &axis) const {
    auto found =
        std::find_if(axes.begin(), axes.end(), [&](const Axis &each) { return each.name == axis; });
    return found == axes.end() ? nullptr : &*found;
  }

  /// What stands on one side only has a meaning in `reduce` or `repeat` only.
  bool checkRight() {
    for (const PatternAxis &axis : right.axes()) {
      bool isOne = axis.kind == PatternAxis::Count && axis.count == 1;
      if (isOne || left.find(axis.name)) continue;
      std::optional<Extent> size = sizeOf(axis);
      if (name == "repeat" && size) continue;
      if (name == "repeat") {
        evaluator
            .report(Kind::MissingArgument, axis.span,
                    "the size of the new axis `" + axis.name + "` is not given")
            .help("give it as an argument: `" + axis.name + " = ...`");
        return false;
      }
      std::string text = axis.kind == PatternAxis::Count ? std::to_string(axis.count) : axis.name;
      Report message(evaluator.report, Kind::AxisPattern, axis.span,
                     "`" + text + "` is on the right only");
      message.note("`repeat` adds axes: `repeat(x, pattern, " +
                   (axis.kind == PatternAxis::Count ? std::string("n") : axis.name) + " = ...)`");
      std::vector<std::string> names;
      for (const Axis &each : axes)
        names.push_back(each.name);
      message.nearest("an axis", axis.name, axis.span, names);
      return false;
    }
    for (const PatternAxis &axis : left.axes()) {
      bool isOne = axis.kind == PatternAxis::Count && axis.count == 1;
      if (isOne || right.find(axis.name) || name == "reduce") continue;
      return fault(axis.span, "`" + axis.name + "` is on the left only",
                   "`reduce(x, pattern, mean)` leaves axes out"),
             false;
    }
    return true;
  }

  bool checkSizesUsed() {
    std::vector<std::string> names;
    for (const PatternSide *side : {&left, &right})
      for (const PatternAxis &axis : side->axes())
        if (axis.kind == PatternAxis::Named && axis.name[0] != '.' &&
            !std::count(names.begin(), names.end(), axis.name))
          names.push_back(axis.name);
    for (const NamedOperand &size : call.named) {
      if (std::count(names.begin(), names.end(), size.name)) continue;
      evaluator
          .report(Kind::UnknownArgument, size.nameSpan,
                  "the pattern has no axis `" + size.name + "`")
          .nearestOrAll("a name", size.name, size.nameSpan, names);
      return false;
    }
    return true;
  }

  Value rewrite() {
    TensorWriter &tensors = evaluator.tensors;
    std::vector<Dim> dims;
    for (const Axis &axis : axes)
      dims.push_back(axis.dim);
    Tensor result = tensors.reshape(x, std::move(dims));
    if (name == "reduce") {
      std::optional<Tensor> reduced = reduceAxes(result);
      if (!reduced) return Value();
      result = *reduced;
    }
    std::vector<int64_t> permutation;
    std::vector<Dim> sparse, full;
    for (const PatternAxis &axis : right.axes()) {
      if (axis.kind == PatternAxis::Count && axis.count == 1) continue;
      const Axis *known = find(axis.name);
      if (known) permutation.push_back(known - axes.data());
      full.push_back(known ? known->dim : Dim{*sizeOf(axis), "", false});
      sparse.push_back(known ? known->dim : Dim::one());
    }
    if (!std::is_sorted(permutation.begin(), permutation.end()))
      result = tensors.transpose(result, permutation);
    if (permutation.size() < full.size())
      result = tensors.stretch(tensors.reshape(result, sparse), full);
    return Value::tensor(tensors.reshape(result, joined(full)));
  }

  /// Applies the function to the axes that the right side lacks.
  std::optional<Tensor> reduceAxes(const Tensor &apart) {
    std::vector<Value> positions;
    std::vector<Axis> kept;
    for (size_t i = 0; i < axes.size(); ++i)
      if (right.find(axes[i].name))
        kept.push_back(axes[i]);
      else
        positions.push_back(Value::whole(int64_t(i)));
    if (positions.empty()) return apart;
    axes = std::move(kept);
    std::vector<CallArgument> arguments = {
        {"", {}, {Value::tensor(apart), call[0].expr, call[0].span}, true},
        {"over", call[2].span, {Value::list(std::move(positions)), nullptr, call[2].span}, true}};
    Value value = evaluator.call(call[2], std::move(arguments), call.scope, call.span);
    if (value.is(ValueKind::Tensor) && value.asTensor().type.dims.size() == axes.size())
      return value.asTensor();
    if (!value.isPoison())
      fault(call[2].span, "`reduce` takes a function that reduces, such as `mean` or `max`");
    return std::nullopt;
  }

  /// The dimensions of the result: one for each group of the right.
  std::vector<Dim> joined(const std::vector<Dim> &full) const {
    std::vector<Dim> result;
    size_t next = 0;
    for (const PatternGroup &group : right.groups) {
      std::vector<Dim> parts;
      for (const PatternAxis &axis : group.axes)
        if (axis.kind != PatternAxis::Count || axis.count != 1) parts.push_back(full[next++]);
      if (parts.size() == 1 || parts.empty()) {
        result.push_back(parts.empty() ? Dim::one() : parts[0]);
        continue;
      }
      Extent size = Extent::whole(1);
      for (const Dim &part : parts)
        size = Extent::multiply(size, part.extent).value_or(size);
      result.push_back({size, "", false});
    }
    return result;
  }

  Evaluator &evaluator;
  const BuiltinCall &call;
  const std::string name;
  Tensor x;
  PatternSide left, right;
  std::map<std::string, Extent> sizes; // that the caller gives
  std::vector<Axis> axes;              // that the tensor is taken apart into
};

Value runRearrangement(Evaluator &evaluator, const BuiltinCall &call) {
  return Rearrangement(evaluator, call).run();
}

} // namespace

const BuiltinTable &rearrangeBuiltins() {
  static const BuiltinTable table = {
      {"rearrange", "x, pattern, sizes**", runRearrangement},
      {"reduce", "x, pattern, by, sizes**", runRearrangement},
      {"repeat", "x, pattern, sizes**", runRearrangement},
  };
  return table;
}

} // namespace dlm::sema
