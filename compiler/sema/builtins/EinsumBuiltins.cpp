// `einsum(x, w, "b t w, w h d -> b h t d")`: products summed over the axes that the result lacks.
//
// Tensors are taken in from left to right. Before two are multiplied, each is summed over the axes
// that only it has. A product without a sum is a broadcast multiplication, one without axes that
// both sides and the result have is a matrix product, any other a `contract`.
#include "compiler/sema/tensor/AxisPattern.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

using Labels = std::vector<std::string>;

bool has(const Labels &labels, const std::string &label) {
  return std::count(labels.begin(), labels.end(), label) > 0;
}

/// A tensor whose dimensions have labels.
struct Labelled {
  Tensor tensor;
  Labels labels;

  std::string tensorText() const { return typeText(tensor.type); }
  const Dim &dim(const std::string &label) const {
    return tensor.type
        .dims[size_t(std::find(labels.begin(), labels.end(), label) - labels.begin())];
  }
};

class Contraction {
public:
  explicit Contraction(TensorWriter &tensors) : tensors(tensors) {}

  /// Sums over every axis that is not among `kept`.
  Labelled sumOut(const Labelled &x, const Labels &kept) {
    std::vector<int64_t> axes;
    Labels labels;
    for (size_t i = 0; i < x.labels.size(); ++i)
      if (has(kept, x.labels[i]))
        labels.push_back(x.labels[i]);
      else
        axes.push_back(int64_t(i));
    return {tensors.reduce("add", x.tensor, axes, false), labels};
  }

  /// With the dimensions in this order.
  Labelled arrange(const Labelled &x, const Labels &order) {
    if (x.labels == order) return x;
    std::vector<int64_t> permutation;
    for (const std::string &label : order)
      permutation.push_back(std::find(x.labels.begin(), x.labels.end(), label) - x.labels.begin());
    return {tensors.transpose(x.tensor, permutation), order};
  }

  /// The product of two, summed over what is not among `kept`.
  Labelled multiply(const Labelled &a, const Labelled &b, const Labels &kept) {
    Labels both, summed, onlyA, onlyB, result;
    bool isOverSamples = false;
    for (const std::string &label : a.labels)
      (!has(b.labels, label) ? onlyA : has(kept, label) ? both : summed).push_back(label);
    for (const std::string &label : b.labels)
      if (!has(a.labels, label)) onlyB.push_back(label);
    for (const std::string &label : summed)
      isOverSamples |= a.dim(label).extent.countsSamples();
    for (const std::string &label : kept)
      if (has(a.labels, label) || has(b.labels, label)) result.push_back(label);
    if (summed.empty()) return outer(a, b, result);
    if (both.empty() && !isOverSamples) return product(a, b, onlyA, summed, onlyB);
    Node node;
    node.op = isOverSamples ? "batch_contract" : "contract";
    Labels all = a.labels;
    all.insert(all.end(), onlyB.begin(), onlyB.end());
    node.text = letters(a.labels, all) + "," + letters(b.labels, all) + "->" + letters(result, all);
    node.type.dtype = a.tensor.type.dtype;
    for (const std::string &label : result)
      node.type.dims.push_back(jointDim(a, b, label));
    return {tensors.emit(std::move(node), {a.tensor, b.tensor}), result};
  }

private:
  static std::string letters(const Labels &labels, const Labels &all) {
    std::string text;
    for (const std::string &label : labels)
      text += char('a' + (std::find(all.begin(), all.end(), label) - all.begin()));
    return text;
  }

  static Dim jointDim(const Labelled &a, const Labelled &b, const std::string &label) {
    if (!has(a.labels, label)) return b.dim(label);
    Dim dim = a.dim(label);
    if (dim.name.empty() && has(b.labels, label)) dim.name = b.dim(label).name;
    return dim;
  }

  /// Without a sum: both sides stretched to all axes.
  Labelled outer(const Labelled &a, const Labelled &b, const Labels &labels) {
    std::vector<Dim> dims;
    for (const std::string &label : labels)
      dims.push_back(jointDim(a, b, label));
    auto stretched = [&](const Labelled &x) {
      Labels order;
      std::vector<Dim> sparse;
      for (size_t i = 0; i < labels.size(); ++i) {
        bool isThere = has(x.labels, labels[i]);
        sparse.push_back(isThere ? dims[i] : Dim::one());
        if (isThere) order.push_back(labels[i]);
      }
      Tensor arranged = arrange(x, order).tensor;
      return tensors.stretch(tensors.reshape(arranged, sparse), dims);
    };
    Tensor left = stretched(a), right = stretched(b);
    return {tensors.binary("mul", left, right), labels};
  }

  /// As a product of matrices: [what only a has, summed] by [summed, what only b has].
  Labelled product(const Labelled &a, const Labelled &b, const Labels &onlyA, const Labels &summed,
                   const Labels &onlyB) {
    Labels left = onlyA, right = summed, result = onlyA;
    left.insert(left.end(), summed.begin(), summed.end());
    right.insert(right.end(), onlyB.begin(), onlyB.end());
    result.insert(result.end(), onlyB.begin(), onlyB.end());
    Dim inner = joined(a, summed);
    Tensor x = tensors.reshape(arrange(a, left).tensor, {joined(a, onlyA), inner});
    Tensor y = tensors.reshape(arrange(b, right).tensor, {inner, joined(b, onlyB)});
    std::vector<Dim> dims;
    for (const std::string &label : result)
      dims.push_back(has(onlyA, label) ? a.dim(label) : b.dim(label));
    return {tensors.reshape(tensors.matmul(x, y), std::move(dims)), result};
  }

  /// One dimension in the place of several.
  static Dim joined(const Labelled &x, const Labels &labels) {
    if (labels.size() == 1) return x.dim(labels[0]);
    Extent size = Extent::whole(1);
    for (const std::string &label : labels)
      size = Extent::multiply(size, x.dim(label).extent).value_or(size);
    return {size, "", false};
  }

  TensorWriter &tensors;
};

class Einsum {
public:
  Einsum(Evaluator &evaluator, const BuiltinCall &call) : evaluator(evaluator), call(call) {}

  Value run() {
    if (call.positional.size() < 2) {
      evaluator.report(Kind::MissingArgument, call.span,
                       "`einsum` takes tensors, and behind them a pattern");
      return Value();
    }
    std::optional<AxisPattern> parsed = parseAxisPattern(evaluator, call.positional.back());
    if (!parsed) return Value();
    pattern = std::move(*parsed);
    if (!readTensors() || !readLabels() || !readOutput()) return Value();
    return contract();
  }

private:
  bool readTensors() {
    for (size_t i = 0; i + 1 < call.positional.size(); ++i) {
      std::optional<Tensor> tensor =
          evaluator.needTensor(call.positional[i], "what `einsum` multiplies");
      if (!tensor) return false;
      operands.push_back({*tensor, {}});
      DType dtype = tensor->type.dtype, first = operands[0].tensor.type.dtype;
      if (dtype == DType::Bool || dtype != first) {
        bool isBool = dtype == DType::Bool;
        Report message(evaluator.report, Kind::DtypeMismatch, call.positional[i].span,
                       isBool ? "`einsum` has no meaning for `bool`"
                              : "`einsum` meets `" + std::string(dtypeName(first)) + "` and `" +
                                    dtypeName(dtype) + "`");
        message.label(call.positional[i].span, "is `" + typeText(tensor->type) + "`");
        if (!isBool)
          message.secondary(call.positional[0].span,
                            "is `" + typeText(operands[0].tensor.type) + "`");
        message.help("convert it with `cast`");
        return false;
      }
    }
    if (pattern.inputs.size() == operands.size()) return true;
    evaluator
        .report(Kind::AxisPattern, pattern.span,
                "the pattern has the axes of " + std::to_string(pattern.inputs.size()) + " tensor" +
                    (pattern.inputs.size() == 1 ? "" : "s") + ", and there " +
                    (operands.size() == 1 ? "is 1" : "are " + std::to_string(operands.size())))
        .note("the axes of two tensors are separated by a comma");
    return false;
  }

  bool readLabels() {
    for (size_t i = 0; i < operands.size(); ++i) {
      PatternSide &side = pattern.inputs[i];
      size_t rank = operands[i].tensor.type.dims.size();
      if (!checkPlain(side) || !checkRank(evaluator, side, rank, call.positional[i])) return false;
      bool hasEllipsis = side.find("...") != nullptr;
      size_t further = hasEllipsis ? rank + 1 - side.groups.size() : 0;
      furthest = std::max(furthest, further);
      expandEllipsis(side, further);
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      size_t further = 0;
      for (const PatternAxis &axis : pattern.inputs[i].axes())
        further += axis.name.compare(0, 3, "...") == 0;
      for (const PatternAxis &axis : pattern.inputs[i].axes()) {
        std::string label = axis.name;
        if (label.compare(0, 3, "...") == 0) // aligned from the right
          label = "..." + std::to_string(std::stoul(label.substr(3)) + furthest - further);
        if (!addLabel(i, label, axis.span)) return false;
      }
    }
    return true;
  }

  bool addLabel(size_t operand, const std::string &label, Span span) {
    const Dim &dim = operands[operand].tensor.type.dims[operands[operand].labels.size()];
    operands[operand].labels.push_back(label);
    for (size_t other = 0; other < operand; ++other) {
      if (!has(operands[other].labels, label)) continue;
      const Dim &known = operands[other].dim(label);
      if (sameSize(known, dim)) return true;
      const PatternAxis *first = pattern.inputs[other].find(label);
      Report message(evaluator.report, Kind::ShapeMismatch, span,
                     "`" + (label[0] == '.' ? "..." : label) + "` has the sizes " + dimText(known) +
                         " and " + dimText(dim));
      if (first) message.secondary(first->span, "of `" + operands[other].tensorText() + "`");
      message.label(span, "of `" + operands[operand].tensorText() + "`");
      return false;
    }
    return true;
  }

  bool readOutput() {
    if (!checkPlain(pattern.output)) return false;
    expandEllipsis(pattern.output, furthest);
    for (const PatternAxis &axis : pattern.output.axes()) {
      bool isKnown = std::any_of(operands.begin(), operands.end(), [&](const Labelled &operand) {
        return has(operand.labels, axis.name);
      });
      if (!isKnown) {
        Labels names;
        for (const Labelled &operand : operands)
          names.insert(names.end(), operand.labels.begin(), operand.labels.end());
        evaluator
            .report(Kind::AxisPattern, axis.span,
                    "`" + axis.name + "` is an axis of the result only")
            .nearest("an axis", axis.name, axis.span, names);
        return false;
      }
      output.push_back(axis.name);
    }
    return true;
  }

  /// Names and `...` only.
  bool checkPlain(const PatternSide &side) {
    for (const PatternGroup &group : side.groups) {
      bool isCount = !group.axes.empty() && group.axes[0].kind == PatternAxis::Count;
      if (!group.isParenthesized && !isCount) continue;
      evaluator
          .report(Kind::AxisPattern, group.span,
                  isCount ? "`einsum` names its axes, and here stands a number"
                          : "`einsum` has no parentheses")
          .help("`rearrange` joins and splits axes");
      return false;
    }
    return true;
  }

  Value contract() {
    Contraction rules(evaluator.tensors);
    auto keptBehind = [&](size_t last) { // what is needed when `last` was taken in
      Labels kept = output;
      for (size_t i = last + 1; i < operands.size(); ++i)
        for (const std::string &label : operands[i].labels)
          if (!has(kept, label)) kept.push_back(label);
      return kept;
    };
    Labelled result = rules.sumOut(operands[0], keptBehind(0));
    for (size_t i = 1; i < operands.size(); ++i) {
      Labels kept = keptBehind(i), needed = kept;
      needed.insert(needed.end(), result.labels.begin(), result.labels.end());
      Labelled next = rules.sumOut(operands[i], needed);
      result = rules.multiply(result, next, kept);
    }
    return Value::tensor(rules.arrange(result, output).tensor);
  }

  Evaluator &evaluator;
  const BuiltinCall &call;
  AxisPattern pattern;
  std::vector<Labelled> operands;
  Labels output;
  size_t furthest = 0; // axes that the longest `...` stands for
};

Value runEinsum(Evaluator &evaluator, const BuiltinCall &call) {
  return Einsum(evaluator, call).run();
}

} // namespace

const BuiltinTable &einsumBuiltins() {
  static const BuiltinTable table = {{"einsum", "tensors*", runEinsum}};
  return table;
}

} // namespace dlm::sema
