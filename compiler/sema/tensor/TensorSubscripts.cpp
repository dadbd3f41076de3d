// `x[...]` of tensors. Indexes and bounds are known when a program is compiled, so the result has a
// shape; they become one `slice`, and a `reshape` where axes go or come. The only run-time index is
// one integer tensor in the first place, `table[ids]`: a gather of rows.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/DataSizes.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"
#include "compiler/sema/value/Symbols.h"

namespace dlm::sema {

namespace {

/// `None`, `none` and `np.newaxis`, where other languages have `new`.
bool isForeignNew(const ast::Index &index) {
  if (index.kind != ast::Index::Single) return false;
  const ast::Expr &expr = *index.begin;
  bool isNone = expr.kind == ast::ExprKind::None ||
                (expr.kind == ast::ExprKind::Name && (expr.text == "None" || expr.text == "null"));
  bool isNamed = expr.kind == ast::ExprKind::Member || expr.kind == ast::ExprKind::Name;
  return isNone || (isNamed && expr.text == "newaxis");
}

bool isNew(const ast::Index &index) {
  bool isNamed = index.kind == ast::Index::Single && index.begin->kind == ast::ExprKind::Name &&
                 index.begin->text == "new";
  return isNamed || isForeignNew(index);
}

class TensorSubscript {
public:
  TensorSubscript(Evaluator &evaluator, const ast::Expr &expr, const Operand &base,
                  const ScopePtr &scope)
      : evaluator(evaluator), tensors(evaluator.tensors), expr(expr), scope(scope),
        tensor(base.value.asTensor()), dims(tensor.type.dims) {}

  Value run() {
    size_t ellipses = 0, used = 0;
    for (const ast::Index &index : expr.indices) {
      if (isForeignNew(index))
        evaluator.report(Kind::TypeMismatch, index.span, "an axis of size 1 is added by `new`")
            .help("write `new`", index.span, "new", Applicability::Exact);
      bool isEllipsis = index.kind == ast::Index::Ellipsis;
      if (isEllipsis && ++ellipses > 1) return fault(index.span, "an index has one `...`");
      used += !isEllipsis && !isNew(index);
    }
    if (used > dims.size())
      return fault(expr.span, std::to_string(used) + " indexes for " + std::to_string(dims.size()) +
                                  " dimensions");
    for (const ast::Index &index : expr.indices) {
      if (isNew(index))
        result.push_back(Dim::one());
      else if (index.kind == ast::Index::Ellipsis)
        takeWhole(dims.size() - used);
      else if (!take(index))
        return Value();
    }
    takeWhole(dims.size() - parts.size());
    tensors.span = expr.span;
    Tensor part = tensors.slice(tensor, begins, parts);
    if (!ids) return Value::tensor(tensors.reshape(part, std::move(result)));
    result.insert(result.begin(), parts[0]);
    part = tensors.reshape(part, std::move(result));
    return Value::tensor(tensors.gather(part, *ids, 0));
  }

private:
  void takePart(Extent begin, Dim dim, bool isDropped) {
    begins.push_back(std::move(begin));
    parts.push_back(dim);
    if (!isDropped) result.push_back(std::move(dim));
  }

  void takeWhole(size_t count) {
    for (; count > 0; --count)
      takePart(Extent(), dims[parts.size()], false);
  }

  bool take(const ast::Index &index) {
    if (index.kind == ast::Index::Slice) return takeSlice(index);
    Operand operand = evaluator.evalOperand(*index.begin, scope);
    if (operand.value.isPoison()) return false;
    if (operand.value.is(ValueKind::Tensor)) return takeRows(index, operand);
    std::optional<Extent> at = position(operand, "an index");
    if (!at) return false;
    const Dim &dim = dims[parts.size()];
    std::optional<Extent> last = Extent::subtract(dim.extent, Extent::whole(1));
    if (!isWithin(Extent(), *at) || !last || !isWithin(*at, *last))
      return outside(index.span, operand.value, false, !last || isOpen(*at, *last));
    takePart(*at, Dim::whole(1), true);
    return true;
  }

  bool takeSlice(const ast::Index &index) {
    const Dim &dim = dims[parts.size()];
    Extent begin, end = dim.extent;
    for (auto [bound, value] : {std::pair(index.begin.get(), &begin), {index.end.get(), &end}}) {
      if (!bound) continue;
      Operand operand = evaluator.evalOperand(*bound, scope);
      std::optional<Extent> at = position(operand, "a bound of a slice");
      if (!at) return false;
      if (!isWithin(Extent(), *at) || !isWithin(*at, dim.extent))
        return outside(bound->span, operand.value, true, isOpen(*at, dim.extent));
      *value = *at;
    }
    if (begin == Extent() && end == dim.extent) return takeWhole(1), true;
    std::optional<Extent> size = Extent::subtract(end, begin);
    if (!size || (size->isConstant() && size->constantPart().numerator < 1)) {
      evaluator.report(Kind::BadSize, index.span,
                       "the slice from " + begin.text() + " to " + end.text() +
                           " holds no elements");
      return false;
    }
    takePart(begin, {*size, "", false}, false);
    return true;
  }

  /// An integer tensor in the first place.
  bool takeRows(const ast::Index &index, const Operand &operand) {
    const Tensor &at = operand.value.asTensor();
    std::string name(evaluator.sources.text(expr.operands[0]->span));
    if (at.type.dtype == DType::Bool) {
      evaluator
          .report(Kind::TypeMismatch, index.span,
                  "how many elements a mask picks is not known when a program is compiled")
          .label(index.span, "is `" + typeText(at.type) + "`")
          .help("reductions take a mask: `mean(" + name +
                ", where = " + std::string(evaluator.sources.text(index.span)) + ")`");
      return false;
    }
    if (!isInteger(at.type.dtype)) {
      evaluator.report(Kind::DtypeMismatch, index.span,
                       "an index is a whole number, and this is `" + typeText(at.type) + "`");
      return false;
    }
    if (&index != &expr.indices[0]) {
      evaluator
          .report(Kind::TypeMismatch, index.span,
                  "a tensor is an index in the first place only, where it picks rows")
          .help("`gather(" + name + ", ids, over = " + std::to_string(parts.size()) +
                ")` picks along another axis");
      return false;
    }
    if (!checkRowCount(evaluator, tensor, dims[0], at, expr.span)) return false;
    ids = at;
    takePart(Extent(), dims[0], true);
    return true;
  }

  /// The name of a column where its place is meant.
  bool reportColumnName(const Operand &operand, const std::string &what) {
    const DataSource *data = evaluator.context.data;
    if (!data || !operand.value.is(ValueKind::String)) return false;
    const std::string &name = operand.value.asString();
    bool isColumn = std::any_of(data->columns.begin(), data->columns.end(),
                                [&](const Column &column) { return column.name == name; });
    if (!isColumn) return false;
    evaluator
        .report(Kind::TypeMismatch, operand.span,
                what + " is a whole number, and this is the name of a column")
        .help("`columns.index` gives its place", operand.span,
              data->name + ".columns.index(\"" + name + "\")");
    return true;
  }

  /// The place an operand stands for, negative ones counted from the end.
  std::optional<Extent> position(const Operand &operand, const std::string &what) {
    if (operand.value.is(ValueKind::Size)) return operand.value.asSize();
    if (reportColumnName(operand, what)) return std::nullopt;
    std::optional<int64_t> value = evaluator.needInt(operand, what);
    if (!value) return std::nullopt;
    if (*value >= 0) return Extent::whole(*value);
    return Extent::add(Extent::whole(*value), dims[parts.size()].extent);
  }

  /// Whether a <= b is known.
  bool isWithin(const Extent &a, const Extent &b) const {
    return compareSizes(evaluator.program.symbols, "<=", a, b).value_or(false);
  }

  /// Whether a run decides how two sizes compare.
  static bool isOpen(const Extent &a, const Extent &b) {
    return !a.isConstant() || !b.isConstant();
  }

  /// The argument of a command that a size is; empty for any other.
  std::string argumentOf(const Extent &size) const {
    std::vector<std::string> names = size.symbols();
    bool isAlone = names.size() == 1 && size == Extent::symbol(names[0]);
    if (!isAlone || !evaluator.context.isInCommand() || size.countsSamples()) return "";
    bool isArgument = !symbolOf(evaluator.program.symbols, names[0]).isUnnamed;
    return isArgument ? names[0].substr(names[0].rfind('.') + 1) : "";
  }

  bool outside(Span span, const Value &at, bool isBound, bool isOpen) {
    const Dim &dim = dims[parts.size()];
    std::string argument = at.is(ValueKind::Size) ? argumentOf(at.asSize()) : "";
    bool isBounded = !argument.empty() && dim.extent != Extent::whole(1);
    bool isBelowZero = !argument.empty() &&
                       symbolOf(evaluator.program.symbols, at.asSize().symbols()[0]).lower < 0;
    std::string place = argument.empty() ? at.text() : "`" + argument + "`";
    std::string what = (isBound ? "the bound " : "index ") + place;
    bool isNamed = !dim.name.empty() && dim.name != dimText(dim);
    bool isOfSamples = dim.extent.countsSamples() && parts.empty() && expr.indices.size() == 1;
    std::string base(evaluator.sources.text(expr.operands[0]->span));
    std::string written(evaluator.sources.text(expr.indices[0].span));
    std::string meant = base + "[:, " + written + "]";
    bool isColumn = isOfSamples && dims.size() > 1;
    evaluator
        .report(Kind::IndexRange, span,
                what + (isOpen ? " need not lie within" : " is outside of") + " an axis of " +
                    dimText(dim) + (isNamed ? ", `" + dim.name + "`" : ""))
        .secondary(expr.operands[0]->span, "is `" + typeText(tensor.type) + "`")
        .help(isColumn
                  ? "the first axis is that of the samples; of each of them it is `" + meant + "`"
              : isBounded ? "say in the command that it does: `require " +
                                (isBelowZero ? argument + " >= 0 and " : "") + argument +
                                (isBound ? " <= " : " < ") + dimText(dim) + "`"
                          : "");
    return false;
  }

  Value fault(Span span, const std::string &message) {
    evaluator.report(Kind::ShapeMismatch, span, message)
        .secondary(expr.operands[0]->span, "is `" + typeText(tensor.type) + "`");
    return Value();
  }

  Evaluator &evaluator;
  TensorWriter &tensors;
  const ast::Expr &expr;
  const ScopePtr &scope;
  const Tensor &tensor;
  const std::vector<Dim> &dims;
  std::vector<Extent> begins; // of what is taken of each axis
  std::vector<Dim> parts;     // and how long it is
  std::vector<Dim> result;    // with new axes, and without those that are indexed
  std::optional<Tensor> ids;
};

} // namespace

Value Evaluator::tensorSubscript(const ast::Expr &expr, const Operand &base,
                                 const ScopePtr &scope) {
  return TensorSubscript(*this, expr, base, scope).run();
}

} // namespace dlm::sema
