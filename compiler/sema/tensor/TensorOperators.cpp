// Operators on tensors: which dtype a literal takes, what stretches, and `@`.
//
// Powers with exponents 2, 3, 4, 0.5 and -0.5 are written as products and roots: they are exact
// to rounding for negative bases too, where the general power has no value.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/AcrossSamples.h"
#include "compiler/sema/tensor/DataSizes.h"
#include "compiler/sema/tensor/DroppedAxes.h"
#include "compiler/sema/tensor/ShapeAdvice.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <map>
#include <set>

namespace dlm::sema {

namespace {

const std::string &nodeName(const std::string &op) {
  static const std::map<std::string, std::string> names = {
      {"+", "add"},   {"-", "sub"}, {"*", "mul"},   {"/", "div"}, {"**", "pow"}, {"==", "eq"},
      {"!=", "ne"},   {"<", "lt"},  {"<=", "le"},   {">", "gt"},  {">=", "ge"},  {"min", "min"},
      {"and", "and"}, {"or", "or"}, {"max", "max"}, {"%", "rem"}};
  return names.at(op);
}

bool isCompare(const std::string &op) { return op.find_first_of("=<>!") != std::string::npos; }

std::string ordinal(int axis, size_t rank) {
  static const char *const words[] = {"first", "second", "third", "fourth"};
  if (axis + 1 == int(rank) && rank > 1) return "last";
  return axis < 4 ? words[axis] : "dimension " + std::to_string(axis);
}

std::string axisLabel(const Tensor &tensor, int axis) {
  const std::vector<Dim> &dims = tensor.type.dims;
  return ordinal(axis, dims.size()) + " dimension of `" + shapeText(dims) + "` is " +
         dimText(dims[axis]);
}

/// Shows where the operands are declared that are plain names, each once.
void noteDeclarations(Report &message, const Operand &lhs, const Operand &rhs) {
  for (const Operand *operand : {&lhs, &rhs}) {
    bool isRepeated = operand == &rhs && rhs.declared == lhs.declared;
    if (operand->declared.isValid() && operand->expr && !isRepeated)
      message.note(operand->declared, "`" + operand->expr->text + "` is declared here");
  }
}

/// Whether an index can stand behind an expression as it is written.
bool isPrimary(const ast::Expr &expr) {
  using ast::ExprKind;
  return expr.kind == ExprKind::Name || expr.kind == ExprKind::Member ||
         expr.kind == ExprKind::Call || expr.kind == ExprKind::Subscript;
}

/// The span with the parentheses that stand close around it, if there are any.
Span withParentheses(const SourceManager &sources, Span span) {
  Span wide = {span.file, span.begin - 1, span.end + 1};
  if (span.begin == 0) return span;
  std::string_view text = sources.text(wide);
  return text.front() == '(' && text.back() == ')' ? wide : span;
}

/// What stands for an operand with an index behind it, and the place it takes.
std::pair<Span, std::string> withIndex(const SourceManager &sources, const Operand &operand,
                                       const std::string &index) {
  Span span = withParentheses(sources, operand.span);
  std::string written(sources.text(span));
  bool needsNone = index.empty() || isPrimary(*operand.expr) || !(span == operand.span);
  return {span, (needsNone ? written : "(" + written + ")") + index};
}

/// A reduction that keeps its axis, in the place of an index behind it; empty if it is none.
std::string withKeptAxis(const ast::Expr &expr, std::string written) {
  static const std::set<std::string> reductions = {"sum", "mean", "max", "min", "var", "std"};
  bool isCall = expr.kind == ast::ExprKind::Call && written.back() == ')';
  if (!isCall || !reductions.count(expr.operands[0]->text)) return "";
  bool hasAxis = false;
  for (const ast::Argument &argument : expr.arguments) {
    if (argument.name.text == "keep") return "";
    hasAxis |= argument.name.text == "over";
  }
  written.back() = ',';
  return hasAxis ? written + " keep = true)" : "";
}

/// `x[:, -1:]` beside a longer axis: its 1 is what happens to be left, and is not written.
void adviseSlice(const Evaluator &evaluator, Report &message, const Operand &operand, int axis) {
  const Tensor *tensor = operand.value.is(ValueKind::Tensor) ? &operand.value.asTensor() : nullptr;
  const ast::Expr *expr = operand.expr;
  bool isSubscript = tensor && expr && expr->kind == ast::ExprKind::Subscript;
  if (!isSubscript || axis >= int(expr->indices.size()) ||
      tensor->type.dims[size_t(axis)].extent != Extent::whole(1))
    return;
  std::string indexes, added;
  for (int i = 0; i < int(expr->indices.size()); ++i) {
    const ast::Index &index = expr->indices[size_t(i)];
    if (index.kind != ast::Index::Slice) return; // the axes would have other places
    std::string text(evaluator.sources.text(index.span));
    if (i == axis)
      text = index.begin ? std::string(evaluator.sources.text(index.begin->span)) : "0";
    indexes += (i ? ", " : "") + text;
    if (i < axis) added += ":, ";
  }
  std::string written = std::string(evaluator.sources.text(expr->operands[0]->span)) + "[" +
                        indexes + "][" + added + "new]";
  message.help("a slice of size 1 does not stretch: `" + written + "`", operand.span, written);
}

/// The reduction because of which shapes do not fit, where that is not written at their place.
std::optional<DroppedAxes> droppedBefore(Evaluator &evaluator, const Operand &lhs,
                                         const Operand &rhs, const Tensor &a, const Tensor &b) {
  std::optional<DroppedAxes> result = findDroppedAxes(evaluator.tensors, b, a.type.dims);
  if (!result) result = findDroppedAxes(evaluator.tensors, a, b.type.dims);
  auto isWithin = [&](Span span) {
    return span.file == result->place.file && span.begin <= result->place.begin &&
           result->place.end <= span.end;
  };
  if (!result || isWithin(lhs.span) || isWithin(rhs.span)) return std::nullopt;
  return result;
}

/// The same as a message: what the reduction lacks, and how it is written.
void adviseDropped(const Evaluator &evaluator, Report &message, const DroppedAxes &dropped) {
  std::string text(evaluator.sources.text(dropped.place));
  std::string name = text.substr(0, text.find('('));
  bool isName = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.';
  });
  std::string what = isName ? "`" + name + "`" : "the reduction";
  if (!dropped.over.empty()) {
    message.note(dropped.place, what + " drops " + dropped.axes + " here");
    message.help("the shapes fit with `over = " + dropped.over + "`");
    return;
  }
  message.note(dropped.place, what + " drops " + dropped.axes + " here; `keep = true` keeps " +
                                  (dropped.count == 1 ? "it" : "them"));
  bool isCall = text.size() > 1 && text.back() == ')' && text[text.size() - 2] != ',' &&
                text.find("keep") == std::string::npos;
  Span end = {dropped.place.file, dropped.place.end - 1, dropped.place.end};
  message.help("the shapes fit if `keep = true` leaves " +
                   std::string(dropped.count == 1 ? "the axis in its place" : "the axes in place"),
               isCall ? end : Span{}, ", keep = true)");
}

void reportStretch(Evaluator &evaluator, const std::string &op, const Operand &lhs,
                   const Operand &rhs, const Tensor &a, const Tensor &b, const Stretch &stretch) {
  std::optional<DroppedAxes> dropped = droppedBefore(evaluator, lhs, rhs, a, b);
  if (dropped && !evaluator.report.unheard) { // one cause, one error
    std::pair<FileId, uint32_t> cause = {dropped->place.file, dropped->place.begin};
    if (!evaluator.program.hints.dropped.insert(cause).second) return;
  }
  std::string left = dimText(a.type.dims[stretch.lhsAxis]);
  std::string right = dimText(b.type.dims[stretch.rhsAxis]);
  Report message(evaluator.report, Kind::ShapeMismatch, rhs.span,
                 "`" + op + "` meets sizes " + left + " and " + right);
  message.label(rhs.span, axisLabel(b, stretch.rhsAxis));
  message.secondary(lhs.span, axisLabel(a, stretch.lhsAxis));
  noteDeclarations(message, lhs, rhs);
  if (!lhs.declared.isValid()) noteSizeOfData(evaluator, message, a, a.type.dims[stretch.lhsAxis]);
  if (!rhs.declared.isValid()) noteSizeOfData(evaluator, message, b, b.type.dims[stretch.rhsAxis]);
  bool isLeftLower = a.type.dims.size() < b.type.dims.size();
  const Operand &lower = isLeftLower ? lhs : rhs;
  std::string index =
      isLeftLower ? fittingIndex(a.type.dims, b.type.dims) : fittingIndex(b.type.dims, a.type.dims);
  bool isProduct = op == "@"; // an index would not reach only the dimensions that lead
  std::string advice = adviceForLabels(evaluator.tensors, a, b);
  message.help(advice);
  if (!advice.empty()) return;
  if (dropped) return adviseDropped(evaluator, message, *dropped);
  if (!index.empty() && lower.expr && !isProduct) {
    std::string side = isLeftLower ? "left" : "right";
    auto [span, written] = withIndex(evaluator.sources, lower, "");
    if (std::string kept = withKeptAxis(*lower.expr, written); !kept.empty()) {
      message.help("the shapes fit if `keep = true` leaves the axis in its place", span, kept);
      return;
    }
    message.help("the shapes fit if the " + side + " side is indexed with `" + index + "`", span,
                 withIndex(evaluator.sources, lower, index).second);
  } else if (stretch.wouldStretchBoth) {
    message.help("of different ranks, only the side with fewer dimensions is expanded: give both "
                 "the same rank by indexing one with `new`");
  } else if (a.type.dims.size() == b.type.dims.size()) {
    adviseSlice(evaluator, message, lhs, stretch.lhsAxis);
    adviseSlice(evaluator, message, rhs, stretch.rhsAxis);
    message.help(adviceForBatchAsNumber(evaluator.program, a.type.dims[stretch.lhsAxis],
                                        b.type.dims[stretch.rhsAxis]));
  }
}

/// Brings a loose scalar to the dtype of what it meets, and a literal or bool into a tensor.
std::optional<Tensor> asTensorBeside(Evaluator &evaluator, const Operand &operand,
                                     const Operand &other, bool wantsReal) {
  TensorWriter &tensors = evaluator.tensors;
  const Value &value = operand.value;
  DType dtype = DType::F32;
  if (other.value.is(ValueKind::Tensor)) {
    dtype = other.value.asTensor().type.dtype;
    bool isLooseWhole = other.value.asTensor().isLoose && dtype == DType::I64;
    bool isReal = value.is(ValueKind::Number)   ? !value.asNumber().isWhole()
                  : value.is(ValueKind::Tensor) ? dlm::sema::isReal(value.asTensor().type.dtype)
                                                : false;
    bool isSize = value.is(ValueKind::Size); // a real number, where it is none of a shape
    if (isLooseWhole && (wantsReal || isReal || isSize)) dtype = DType::F32;
  }
  if (!value.is(ValueKind::Tensor)) return evaluator.literal(operand, dtype, other);
  const Tensor &tensor = value.asTensor();
  bool isLooseWhole = tensor.isLoose && tensor.type.dtype == DType::I64;
  if (isLooseWhole && wantsReal) return tensors.cast(tensor, DType::F32);
  if (isLooseWhole && dtype != DType::I64 && dtype != DType::Bool) {
    bool isOtherLiteral = other.value.is(ValueKind::Number);
    bool staysWhole = isOtherLiteral && other.value.asNumber().isWhole();
    return staysWhole ? tensor : tensors.cast(tensor, dtype);
  }
  return tensor;
}

/// Which side to convert, where one type holds all values of the other.
std::string castHelp(Evaluator &evaluator, const Operand &lhs, const Operand &rhs, const Tensor &a,
                     const Tensor &b) {
  auto holds = [](DType wide, DType narrow) {
    if (wide == DType::Bool || narrow == DType::Bool) return false;
    if (isReal(wide) != isReal(narrow)) return isReal(wide);
    return dtypeRow(wide).bits > dtypeRow(narrow).bits;
  };
  bool isLeft = holds(b.type.dtype, a.type.dtype), isRight = holds(a.type.dtype, b.type.dtype);
  const Operand &narrow = isLeft ? lhs : rhs;
  bool isLibrary = evaluator.report.libraryFiles.count(narrow.span.file) != 0;
  if ((!isLeft && !isRight) || !narrow.value.is(ValueKind::Tensor) || !narrow.expr || isLibrary)
    return "convert one side with `cast`";
  return "convert one side: `cast(" + std::string(evaluator.sources.text(narrow.span)) + ", " +
         dtypeName((isLeft ? b : a).type.dtype) + ")`";
}

/// Of a bool beside a real number: it is converted where it stands. False if there is none.
bool adviseBool(Evaluator &evaluator, Report &message, const Operand &lhs, const Operand &rhs,
                const Tensor &a, const Tensor &b) {
  bool isLeft = a.type.dtype == DType::Bool;
  const Operand &side = isLeft ? lhs : rhs;
  DType real = (isLeft ? b : a).type.dtype;
  bool isLibrary = evaluator.report.libraryFiles.count(side.span.file) != 0;
  bool isMask = isReal(real) && (isLeft ? a : b).type.dtype == DType::Bool;
  if (!isMask || !side.expr || !isPrimary(*side.expr) || isLibrary) return false;
  std::string text =
      "cast(" + std::string(evaluator.sources.text(side.span)) + ", " + dtypeName(real) + ")";
  message.help("true is 1 and false is 0 in `" + text + "`", side.span, text);
  return true;
}

/// How to compute with real numbers what integers cannot be used for.
std::string realHelp(Evaluator &evaluator, const std::string &op, const Operand &lhs,
                     const Operand &rhs) {
  auto written = [&](const Operand &operand) {
    std::string text(evaluator.sources.text(operand.span));
    bool isTensor = operand.value.is(ValueKind::Tensor) && !operand.value.asTensor().isLoose;
    return isTensor ? "cast(" + text + ", f32)" : text;
  };
  constexpr size_t shownMax = 60;
  bool isLibrary = evaluator.report.libraryFiles.count(lhs.span.file) != 0;
  std::string text = written(lhs) + " " + op + " " + written(rhs);
  bool isShort = text.size() <= shownMax && text.find('\n') == std::string::npos;
  bool isPlain = lhs.expr && isPrimary(*lhs.expr); // the text of others may lack parentheses
  return isLibrary || !isShort || !isPlain ? "convert both sides with `cast(x, f32)`"
                                           : "real numbers have it: `" + text + "`";
}

bool checkDtypes(Evaluator &evaluator, const std::string &op, const Operand &lhs,
                 const Operand &rhs, const Tensor &a, const Tensor &b, Span opSpan) {
  DType dtype = a.type.dtype;
  if (dtype != b.type.dtype) {
    Report message(evaluator.report, Kind::DtypeMismatch, opSpan,
                   "`" + op + "` meets `" + dtypeName(dtype) + "` and `" + dtypeName(b.type.dtype) +
                       "`");
    message.secondary(lhs.span, "is `" + typeText(a.type) + "`");
    message.secondary(rhs.span, "is `" + typeText(b.type) + "`");
    std::string advice = isCompare(op) ? adviceForClasses(a.type, b.type) : "";
    if (advice.empty() && !isCompare(op) && adviseBool(evaluator, message, lhs, rhs, a, b))
      return false;
    message.help(advice.empty() ? castHelp(evaluator, lhs, rhs, a, b) : advice);
    return false;
  }
  bool isLogic = op == "and" || op == "or";
  bool isEquality = op == "==" || op == "!=";
  bool isRealOnly = op == "/" || op == "**";
  bool isCounted = isInteger(dtype) && (dtype != DType::U8 || op == "%") && !isRealOnly;
  bool isOrdered = isCompare(op) && (isEquality || isInteger(dtype));
  bool fits =
      op == "where" || (isLogic ? dtype == DType::Bool : isReal(dtype) || isCounted || isOrdered);
  if (fits) return true;
  Report message(evaluator.report, Kind::DtypeMismatch, opSpan,
                 "`" + op + "` has no meaning for `" + dtypeName(dtype) + "`");
  message.secondary(lhs.span, "is `" + typeText(a.type) + "`");
  message.secondary(rhs.span, "is `" + typeText(b.type) + "`");
  bool isQuotient = op == "/" && isInteger(dtype) && dtype != DType::U8;
  if (!isLogic)
    message.help(realHelp(evaluator, op, lhs, rhs) +
                 (isQuotient ? "; `floor` of the quotient rounds it down, `%` is the rest" : ""));
  return false;
}

/// A tensor of integers, which is not a number that turns into a real one where it meets one.
bool isWholeTensor(const Value &value) {
  return value.is(ValueKind::Tensor) && !value.asTensor().isLoose &&
         isInteger(value.asTensor().type.dtype);
}

/// `x ** exponent` as products and roots, for the exponents that have such a form.
std::optional<Tensor> simplePower(TensorWriter &tensors, const Tensor &x, const Value &exponent) {
  if (!exponent.is(ValueKind::Number) || !isReal(x.type.dtype)) return std::nullopt;
  double power = exponent.asNumber().toReal();
  if (power == 1) return x;
  if (power == 0.5) return tensors.unary("sqrt", x);
  if (power == -0.5) return tensors.unary("rsqrt", x);
  if (power != 2 && power != 3 && power != 4) return std::nullopt;
  Tensor square = tensors.binary("mul", x, x);
  if (power == 2) return square;
  return tensors.binary("mul", square, power == 3 ? x : square);
}

} // namespace

std::optional<std::pair<Tensor, Tensor>> Evaluator::unify(const std::string &op, const Operand &lhs,
                                                          const Operand &rhs, Span opSpan) {
  bool isWhole = isWholeTensor(lhs.value) || isWholeTensor(rhs.value);
  bool wantsReal = op == "/" || op == "**" || (op == "%" && !isWhole);
  std::optional<Tensor> a = asTensorBeside(*this, lhs, rhs, wantsReal);
  std::optional<Tensor> b = asTensorBeside(*this, rhs, lhs, wantsReal);
  if (!a || !b || !checkDtypes(*this, op, lhs, rhs, *a, *b, opSpan)) return std::nullopt;
  Stretch stretch = stretchShapes(a->type.dims, b->type.dims);
  if (!stretch.fits) {
    reportStretch(*this, op, lhs, rhs, *a, *b, stretch);
    return std::nullopt;
  }
  return std::make_pair(tensors.stretch(*a, stretch.dims), tensors.stretch(*b, stretch.dims));
}

Value Evaluator::binaryTensors(const std::string &op, const Operand &lhs, const Operand &rhs,
                               Span span, Span opSpan) {
  if (op == "**" && lhs.value.is(ValueKind::Tensor))
    if (std::optional<Tensor> power = simplePower(tensors, lhs.value.asTensor(), rhs.value))
      return Value::tensor(*power);
  auto sides = unify(op, lhs, rhs, opSpan);
  if (!sides) return Value();
  tensors.span = span;
  auto &[a, b] = *sides;
  if (isCompare(op))
    return Value::tensor(tensors.pointwise("compare", {a, b}, DType::Bool, nodeName(op)));
  if (op == "%" && isReal(a.type.dtype)) {
    Tensor quotient = tensors.unary("floor", tensors.binary("div", a, b));
    return Value::tensor(tensors.binary("sub", a, tensors.binary("mul", b, quotient)));
  }
  return Value::tensor(tensors.binary(nodeName(op), a, b));
}

namespace {

/// Whether `@` is the product of two matrices, after flattening what leads on the left and taking a
/// vector for a matrix of one row or column: the batch is at most the first of two axes.
bool isMatrixProduct(const Tensor &a, const Tensor &b) {
  const std::vector<Dim> &left = a.type.dims, &right = b.type.dims;
  if (right.size() > 2 || hasBatchAxis(right)) return false;
  if (left.size() == 2) return !left[1].extent.countsSamples();
  return std::all_of(left.begin(), left.end(), [](const Dim &dim) { return dim.isWhole(); });
}

Tensor matrixProduct(TensorWriter &tensors, const Tensor &a, const Tensor &b) {
  bool isColumn = b.type.dims.size() == 1, isFlat = a.type.dims.size() == 2;
  if (isFlat && !isColumn) return tensors.matmul(a, b);
  std::vector<Dim> dims = a.type.dims, leading(dims.begin(), dims.end() - 1);
  Tensor left = a, right = b;
  std::optional<Extent> rows = elementCount(leading);
  if (!isFlat && rows) left = tensors.reshape(a, {{*rows, "", false}, dims.back()});
  if (isColumn) right = tensors.reshape(b, {b.type.dims[0], Dim::whole(1)});
  dims.pop_back();
  if (!isColumn) dims.push_back(b.type.dims.back());
  return tensors.reshape(tensors.matmul(left, right), dims);
}

/// The dimensions in front of the matrix or vector that an operand of `@` ends with.
std::vector<Dim> leadingDims(const Tensor &tensor) {
  const std::vector<Dim> &dims = tensor.type.dims;
  return {dims.begin(), dims.size() < 2 ? dims.begin() : dims.end() - 2};
}

/// Letters for the leading dimensions of an operand, which are the last ones of `rank`.
std::string leadingLetters(const Tensor &tensor, size_t rank) {
  size_t count = leadingDims(tensor).size();
  std::string letters;
  for (size_t i = rank - count; i < rank; ++i)
    letters += char('a' + i);
  return letters;
}

/// The operand with its leading dimensions stretched to what they meet; missing ones may be.
Tensor stretchLeading(TensorWriter &tensors, const Tensor &x, const std::vector<Dim> &leading) {
  std::vector<Dim> own = leadingDims(x);
  std::vector<Dim> wanted(leading.end() - std::ptrdiff_t(own.size()), leading.end());
  if (sameShape(own, wanted)) return x;
  wanted.insert(wanted.end(), x.type.dims.begin() + std::ptrdiff_t(own.size()), x.type.dims.end());
  return tensors.stretch(x, wanted);
}

/// Any other product: matrices side by side, and vectors, which have one dimension less.
Tensor stackedProduct(TensorWriter &tensors, Tensor a, Tensor b, const std::vector<Dim> &leading) {
  a = stretchLeading(tensors, a, leading);
  b = stretchLeading(tensors, b, leading);
  std::string rows = a.type.dims.size() > 1 ? "x" : "", columns = b.type.dims.size() > 1 ? "z" : "";
  std::string all;
  for (size_t i = 0; i < leading.size(); ++i)
    all += char('a' + i);
  std::vector<Dim> dims = leading;
  if (!rows.empty()) dims.push_back(a.type.dims[a.type.dims.size() - 2]);
  if (!columns.empty()) dims.push_back(b.type.dims.back());
  std::string text = leadingLetters(a, leading.size()) + rows + "y," +
                     leadingLetters(b, leading.size()) + "y" + columns + "->" + all + rows +
                     columns;
  return tensors.contract(text, a, b, dims, a.type.dims.back().extent.countsSamples());
}

} // namespace

Value Evaluator::matmul(const Operand &lhs, const Operand &rhs, Span span, Span opSpan) {
  std::optional<Tensor> a = needTensor(lhs, "the left side of `@`");
  std::optional<Tensor> b = needTensor(rhs, "the right side of `@`");
  if (!a || !b || !checkDtypes(*this, "@", lhs, rhs, *a, *b, opSpan)) return Value();
  size_t left = a->type.dims.size(), right = b->type.dims.size();
  if (left == 0 || right == 0) {
    report(Kind::ShapeMismatch, opSpan, "`@` multiplies matrices and vectors")
        .secondary(lhs.span, "is `" + typeText(a->type) + "`")
        .secondary(rhs.span, "is `" + typeText(b->type) + "`");
    return Value();
  }
  size_t innerAxis = right < 2 ? 0 : right - 2;
  const Dim &inner = a->type.dims.back(), &outer = b->type.dims[innerAxis];
  if (!sameSize(inner, outer)) {
    Report message(report, Kind::ShapeMismatch, opSpan,
                   "`@` contracts sizes " + dimText(inner) + " and " + dimText(outer));
    message.secondary(lhs.span, axisLabel(*a, int(left) - 1));
    message.secondary(rhs.span, axisLabel(*b, int(innerAxis)));
    noteDeclarations(message, lhs, rhs);
    std::string advice = adviceForProduct(a->type.dims, b->type.dims, sources.text(lhs.span),
                                          sources.text(rhs.span));
    message.help(advice.empty() ? adviceForBatchAsNumber(program, inner, outer) : advice);
    return Value();
  }
  Stretch stretch = stretchShapes(leadingDims(*a), leadingDims(*b));
  if (!stretch.fits) {
    reportStretch(*this, "@", lhs, rhs, *a, *b, stretch);
    return Value();
  }
  tensors.span = span;
  return Value::tensor(isMatrixProduct(*a, *b) ? matrixProduct(tensors, *a, *b)
                                               : stackedProduct(tensors, *a, *b, stretch.dims));
}

} // namespace dlm::sema
