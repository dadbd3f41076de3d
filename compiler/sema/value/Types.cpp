// Checking values against declared types. A dimension name that is not in scope is bound by the
// first parameter that mentions it; one that is in scope is a constraint.
#include "compiler/sema/evaluate/Arguments.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/modules/ForeignMembers.h"
#include "compiler/sema/modules/ForeignNames.h"
#include "compiler/sema/modules/NameAdvice.h"
#include "compiler/sema/tensor/ShapeAdvice.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"
#include "compiler/sema/value/Symbols.h"

#include <algorithm>
#include <map>

namespace dlm::sema {

namespace {

/// Matches a declared tensor type with a tensor.
class TensorMatch {
public:
  TensorMatch(Evaluator &evaluator, const ast::TypeRef &type, const Operand &operand,
              const ScopePtr &scope, const std::string &what, bool mayBind)
      : evaluator(evaluator), type(type), operand(operand), scope(scope), what(what),
        mayBind(mayBind), tensor(operand.value.asTensor()) {}

  Value run() {
    if (!checkDtype()) return Value();
    size_t ellipses = std::count_if(type.dims.begin(), type.dims.end(),
                                    [](const ast::Dim &dim) { return dim.isEllipsis; });
    size_t rank = tensor.type.dims.size(), fixed = type.dims.size() - ellipses;
    if (ellipses > 1) {
      evaluator.report(Kind::UnknownType, type.span, "a shape has at most one `...`");
      return Value();
    }
    if (ellipses ? rank < fixed : rank != fixed) {
      mismatch(nullptr, type.span, "has " + std::to_string(rank) + " dimensions");
      return Value();
    }
    size_t axis = 0;
    for (const ast::Dim &dim : type.dims) {
      size_t count = dim.isEllipsis ? rank - fixed : 1;
      if (dim.isEllipsis ? !matchEllipsis(dim, axis, count) : !matchDim(dim, axis)) return Value();
      axis += count;
    }
    return Value::tensor(tensor);
  }

private:
  bool checkDtype() {
    std::optional<DType> wanted = findDType(type.text);
    std::optional<std::vector<DType>> group = findDTypeClass(type.text);
    bool fits = group ? std::count(group->begin(), group->end(), tensor.type.dtype) > 0
                      : wanted == tensor.type.dtype;
    if (fits) return !group || checkSameInClass();
    Report message(evaluator.report, Kind::DtypeMismatch, operand.span,
                   what + " is declared `" + declared() + "`, and gets `" + typeText(tensor.type) +
                       "`");
    if (!isInLibrary(type.span)) message.note(type.span, "it is declared here");
    bool fitsRank = hasEllipsis() || type.dims.size() == tensor.type.dims.size();
    if (adviseOnArguments(message)) return false;
    if (fitsRank && wanted) message.helpCast("it", operand.span, type.text);
    return false;
  }

  bool isInLibrary(Span span) const { return evaluator.report.libraryFiles.count(span.file) != 0; }

  /// Class ids where scores are wanted; arguments the other way round.
  bool adviseOnArguments(Report &message) {
    const ast::Expr *expr = operand.expr;
    bool isCall = expr && expr->kind == ast::ExprKind::Call;
    bool isArgmax = isCall && evaluator.sources.text(expr->operands[0]->span) == "argmax";
    bool wantsReal = type.text == "float" || type.text == "f32";
    if (isArgmax && wantsReal && !expr->arguments.empty()) {
      Span inner = expr->arguments[0].value->span;
      message.help("leave `argmax` out: `" + std::string(evaluator.sources.text(inner)) + "`");
      return true;
    }
    if (evaluator.program.hints.argument.empty()) return false;
    message.help(evaluator.program.hints.argument);
    return true;
  }

  /// A class of types stands for one type throughout a signature.
  bool checkSameInClass() {
    std::string key = "dtype " + type.text;
    auto known = scope->bindings.find(key);
    if (known == scope->bindings.end()) {
      if (!mayBind) return true;
      Binding binding;
      binding.value = Value::string(dtypeName(tensor.type.dtype));
      binding.span = operand.span;
      binding.declared = Declared::Parameter;
      scope->bindings[key] = std::move(binding);
      return true;
    }
    const std::string &first = known->second.value.asString();
    if (first == dtypeName(tensor.type.dtype)) return true;
    evaluator
        .report(Kind::DtypeMismatch, operand.span,
                "`" + type.text + "` is `" + first + "` in this call, and " + what + " gets `" +
                    typeText(tensor.type) + "`")
        .secondary(known->second.span, "is of `" + first + "`")
        .note(type.span, "it is declared here")
        .help("convert one of them with `cast`");
    return false;
  }

  bool matchDim(const ast::Dim &dim, size_t axis) {
    Dim &actual = tensor.type.dims[axis];
    const ast::Expr &size = *dim.size;
    bool isName = size.kind == ast::ExprKind::Name;
    Binding *binding = isName ? scope->find(size.text) : nullptr;
    bool isFree =
        isName && size.text != "batch" && (!binding || binding->declared == Declared::Library);
    if (isFree && mayBind) {
      Binding bound;
      bound.value = Value::size(actual.extent);
      bound.span = size.span;
      bound.origin = operand.span;
      bound.declared = Declared::Parameter;
      scope->bindings[size.text] = std::move(bound);
      actual.name = size.text;
      return true;
    }
    if (isFlatDim(actual)) return true; // an optimizer's tensor: all parameters in one row
    std::optional<Dim> wanted = evaluator.evalDim(size, scope);
    if (!wanted) return false;
    if (!sameSize(*wanted, actual)) {
      std::string text(evaluator.sources.text(size.span));
      bool isLiteral = size.kind == ast::ExprKind::Number;
      mismatch(binding, size.span,
               (isLiteral ? "the declared size is " : "`" + text + "` is ") + dimText(*wanted) +
                   ", and here it is " + dimText(actual),
               actual);
      return false;
    }
    if (!wanted->name.empty()) actual.name = wanted->name;
    actual.isWrittenOne |= wanted->isWrittenOne;
    return true;
  }

  bool matchEllipsis(const ast::Dim &dim, size_t axis, size_t count) {
    std::vector<Dim> dims(tensor.type.dims.begin() + axis, tensor.type.dims.begin() + axis + count);
    bool isPlain = dim.name.text.empty();
    std::string key = "..." + dim.name.text;
    std::vector<Value> sizes;
    for (const Dim &each : dims)
      sizes.push_back(Value::size(each.extent));
    Binding *known = isPlain ? ownBinding(key) : scope->find(key);
    if (mayBind ? !known : isPlain && !known) {
      if (!mayBind) return true;
      Binding &bound = scope->bindings[key];
      bound.value = Value::list(std::move(sizes));
      bound.span = dim.span;
      bound.origin = operand.span;
      return true;
    }
    if (isPlain && mayBind) return true; // each parameter has its own
    if (!known) {
      evaluator.report(Kind::UnknownName, dim.span, "`" + key + "` is not declared")
          .help("a parameter whose type has `" + key + "` says what it stands for");
      return false;
    }
    const std::vector<Value> &others = known->value.asList();
    auto isSame = [](const Value &a, const Value &b) { return a.text() == b.text(); };
    if (std::equal(others.begin(), others.end(), sizes.begin(), sizes.end(), isSame)) return true;
    std::string before;
    for (const Value &size : others)
      before += (before.empty() ? "" : ", ") + size.text();
    mismatch(known, dim.span,
             "`" + key + "` is [" + before + "], and here it is " + shapeText(dims));
    return false;
  }

  /// A plain `...` in the type of a result is that of the first parameter that has one.
  Binding *ownBinding(const std::string &key) {
    auto found = scope->bindings.find(key);
    return found == scope->bindings.end() ? nullptr : &found->second;
  }

  /// `binding` is what the size is compared with, if that has a name; `written` is in the type.
  void mismatch(const Binding *binding, Span written, const std::string &label,
                const std::optional<Dim> &wanted = std::nullopt) {
    Span origin = binding && binding->span.isValid() ? binding->span : written;
    Report message(evaluator.report, Kind::ShapeMismatch, operand.span,
                   what + " is declared `" + declared() + "`, and gets `" + typeText(tensor.type) +
                       "`");
    message.label(operand.span, label);
    bool isElsewhere = binding && binding->origin.isValid() && !(binding->origin == operand.span);
    if (isElsewhere) message.secondary(binding->origin, "the size was first seen here");
    bool isOpen = noteOpenLengths(message);
    std::string advice = adviceForParameter(knownSizes(), hasEllipsis(), tensor.type.dims);
    if (advice.empty()) advice = adviceForChannels(knownSizes(), tensor.type.dims);
    if (advice.empty() && isOpen)
      advice = "no operation brings it to a fixed length: declare it `" + type.text + "[...]`";
    if (!noteGiven(message, binding, wanted, advice.empty()))
      message.note(origin,
                   origin == type.span ? "it is declared here" : "the size comes from here");
    if (operand.declared.isValid() && operand.expr)
      message.note(operand.declared, "`" + operand.expr->text + "` is declared here");
    bool namesRun = std::any_of(type.dims.begin(), type.dims.end(), [](const ast::Dim &dim) {
      return !dim.isEllipsis && dim.size->kind == ast::ExprKind::Name && dim.size->text == "batch";
    });
    if (advice.empty() && namesRun && !hasBatchAxis(tensor.type.dims))
      advice = "`batch` is that of the run; a name of its own, such as `B`, stands for any number "
               "of samples";
    message.help(advice.empty() ? adviceForWhole() : advice);
  }

  /// Says what the lengths stand for that got a name by themselves, such as that of an encoded
  /// text.
  bool noteOpenLengths(Report &message) const {
    bool isAny = false;
    for (const Dim &dim : tensor.type.dims)
      for (const std::string &name : dim.extent.symbols()) {
        Symbol symbol = symbolOf(evaluator.program.symbols, name);
        if (!symbol.isUnnamed) continue;
        message.note(symbol.declared, "`" + name + "` is " + symbol.what);
        isAny = true;
      }
    return isAny;
  }

  /// A reduction without `over` goes over all axes, where one was meant.
  std::string adviceForWhole() const {
    static const std::vector<std::string> reductions = {"sum", "mean", "max", "min"};
    bool isCall = operand.expr && operand.expr->kind == ast::ExprKind::Call;
    if (!isCall || !tensor.type.dims.empty()) return "";
    const std::string &name = operand.expr->operands[0]->text;
    bool isReduction = std::count(reductions.begin(), reductions.end(), name) > 0;
    return isReduction ? "`" + name + "` leaves one number here: `over = -1` goes along one axis"
                       : "";
  }

  /// The size is an argument of the program's own call: that is shown, and the call as it would
  /// fit, where the argument is a plain number. False if it was not given in the program.
  bool noteGiven(Report &message, const Binding *binding, const std::optional<Dim> &fits,
                 bool helps) {
    const auto &library = evaluator.report.libraryFiles;
    if (!binding || !library.count(binding->span.file)) return false;
    Span given = binding->given;
    if (!given.isValid() || library.count(given.file)) return false;
    message.note(given,
                 "`" + std::string(evaluator.sources.text(binding->span)) + "` is given here");
    std::string text(evaluator.sources.text(given));
    bool isNumber = text.find_first_not_of("0123456789") == std::string::npos;
    if (!helps || !isNumber || !fits || !fits->isWhole()) return true;
    message.help("with " + dimText(*fits) + " here the sizes fit", given, dimText(*fits));
    return true;
  }

  bool hasEllipsis() const {
    return std::any_of(type.dims.begin(), type.dims.end(),
                       [](const ast::Dim &dim) { return dim.isEllipsis; });
  }

  /// The declared sizes that are plain numbers or names with a value; nothing for any other.
  std::vector<std::optional<Extent>> knownSizes() const {
    std::vector<std::optional<Extent>> result;
    for (const ast::Dim &dim : type.dims) {
      if (dim.isEllipsis) continue;
      result.emplace_back();
      const ast::Expr &size = *dim.size;
      if (size.kind != ast::ExprKind::Name && size.kind != ast::ExprKind::Number) continue;
      const Binding *binding = scope->find(size.text);
      Value value = binding ? binding->value : Value();
      if (size.kind == ast::ExprKind::Number)
        if (std::optional<Number> number = parseNumber(size.text)) value = Value::number(*number);
      if (value.is(ValueKind::Number)) result.back() = Extent::number(value.asNumber());
      if (value.is(ValueKind::Size)) result.back() = value.asSize();
    }
    return result;
  }

  std::string declared() const { return std::string(evaluator.sources.text(type.span)); }

  Evaluator &evaluator;
  const ast::TypeRef &type;
  const Operand &operand;
  const ScopePtr &scope;
  const std::string &what;
  bool mayBind;
  Tensor tensor;
};

std::vector<std::string> typeNames() {
  std::vector<std::string> result;
  for (const DTypeRow &row : dtypeRows())
    result.push_back(row.name);
  result.insert(result.end(),
                {"int", "string", "float", "int_", "number", "any", "model", "initialiser",
                 "data.Columns", "steps", "epochs", "samples", "tokens", "time", "bytes"});
  return result;
}

/// What a type of the library's holds, in words; empty where the type itself says it best.
std::string typeWord(const ast::TypeRef &type) {
  static const std::map<std::string, const char *> words = {
      {"f32", "a number"}, {"float", "a number"},     {"number", "a number"},
      {"bool", "a bool"},  {"int", "a whole number"}, {"string", "a string"}};
  std::string suffix = type.isOptional ? " or `none`" : "";
  if (type.kind == ast::TypeRef::List) return "a list";
  if (type.kind == ast::TypeRef::Function) return "a function" + suffix;
  auto found = words.find(type.text);
  if (type.text == "model") return "a model, a function or a list of them" + suffix;
  bool isPlain = type.kind == ast::TypeRef::Named && !type.hasDims && found != words.end();
  return isPlain ? found->second + suffix : "";
}

/// Whether a value that is not a tensor with dimensions is of a named type; nothing if the type
/// is not known.
std::optional<bool> isOfScalarType(const Value &value, const std::string &type) {
  bool isNumber = value.is(ValueKind::Number) || value.is(ValueKind::Size);
  bool isScalar = value.is(ValueKind::Tensor) && value.asTensor().type.dims.empty();
  if (type == "string") return value.is(ValueKind::String) || value.is(ValueKind::RunTimeString);
  if (type == "initialiser")
    return value.is(ValueKind::Initialiser) || value.is(ValueKind::BuiltinFunction);
  if (type == "model")
    return value.isCallable() || value.is(ValueKind::List) || value.is(ValueKind::ModelType);
  if (type == "data.Columns") return value.is(ValueKind::Columns);
  if (type == "any") return true;
  if (type == "bool")
    return value.is(ValueKind::Bool) || (isScalar && value.asTensor().type.dtype == DType::Bool);
  std::optional<DType> dtype = findDType(type);
  bool isKnown = dtype || findDTypeClass(type);
  if (!isKnown) return std::nullopt;
  bool isWholeType = dtype ? !isReal(*dtype) : type == "int_";
  if (isNumber && value.is(ValueKind::Number) && isWholeType) return value.asNumber().isWhole();
  if (isScalar && value.asTensor().isLoose) return true;
  if (isScalar && dtype) return *dtype == value.asTensor().type.dtype;
  return isNumber || isScalar;
}

} // namespace

Value Evaluator::conform(const ast::TypeRef &type, const Operand &operand, const ScopePtr &scope,
                         const std::string &what, bool mayBind) {
  const Value &value = operand.value;
  if (value.isPoison()) return Value();
  if (type.isOptional && value.is(ValueKind::None)) return value;
  std::string declared(sources.text(type.span));
  auto wrong = [&] {
    bool isSaid = operand.expr && operand.expr->kind == ast::ExprKind::Name &&
                  nameHere(operand.expr->text) == "none"; // `None`: that is not a name here
    if (isSaid) return Value();
    bool isLibrary = report.libraryFiles.count(type.span.file) != 0;
    std::string wanted = isLibrary ? typeWord(type) : "";
    Report message(report, Kind::TypeMismatch, operand.span,
                   what + (wanted.empty() ? " is declared `" + declared + "`" : " is " + wanted) +
                       ", and gets " + value.describe());
    if (wanted.empty()) message.note(type.span, "it is declared here");
    bool isQuoted = value.is(ValueKind::String) && operand.expr &&
                    operand.expr->kind == ast::ExprKind::String && parseNumber(value.asString());
    bool wantsNumber = type.text == "number" || type.text == "int" || type.text == "f32";
    if (isQuoted && wantsNumber)
      message.help("a number has no quotes", operand.span, value.asString());
    bool wantsFunction = type.text == "model" || type.kind == ast::TypeRef::Function;
    if (wantsFunction && value.is(ValueKind::String)) adviseFunctionOf(*this, message, operand);
    return Value();
  };
  if (type.kind == ast::TypeRef::Named && !type.hasDims)
    if (std::optional<Measure> measure = findMeasure(type.text))
      return conformToMeasure(*this, *measure, operand, what);
  if (type.kind == ast::TypeRef::Record) {
    if (!value.is(ValueKind::Record)) return wrong();
    RecordObject record = value.asRecord();
    for (const ast::Param &field : type.fields) {
      std::optional<size_t> found = value.asRecord().find(field.name.text);
      if (!found && field.type->isOptional) {
        record.fields.emplace_back(field.name.text, Value::none());
        continue;
      }
      if (!found) return wrong();
      Value &part = record.fields[*found].second;
      part = conform(*field.type, {part, nullptr, operand.span}, scope,
                     what + " field `" + field.name.text + "`", mayBind);
    }
    return Value::record(std::move(record));
  }
  if (type.kind == ast::TypeRef::List) {
    if (!value.is(ValueKind::List)) return wrong();
    std::vector<Value> items;
    if (!spend(value.asList().size(), operand.span)) return Value();
    for (const Value &item : value.asList())
      items.push_back(conform(*type.operands[0], {item, nullptr, operand.span}, scope,
                              "an element of " + what, mayBind));
    return Value::list(std::move(items));
  }
  if (type.kind == ast::TypeRef::Function) {
    bool isApplied = value.isCallable() || value.is(ValueKind::ModelType);
    return isApplied || value.is(ValueKind::OptimizerType) ? value : wrong();
  }
  if (type.hasDims) {
    if (value.is(ValueKind::Tensor))
      return TensorMatch(*this, type, operand, scope, what, mayBind).run();
    bool isScalarType = type.dims.empty();
    return isScalarType && isOfScalarType(value, type.text).value_or(false) ? value : wrong();
  }
  if (type.text == "int" && value.is(ValueKind::Size))
    return requireWhole(value.asSize(), operand, what) ? value : Value();
  if (type.text == "int") {
    std::optional<int64_t> whole = needInt(operand, what);
    return whole ? Value::whole(*whole).from(value.option()) : Value();
  }
  std::optional<bool> fits = isOfScalarType(value, type.text);
  if (fits) return *fits ? value : wrong();
  Report message(report, Kind::UnknownType, type.span, "`" + type.text + "` is not a type");
  if (std::string here = typeHere(type.text); !here.empty())
    message.help("it is written `" + here + "`", type.span, here,
                 type.span.end - type.span.begin == type.text.size() ? Applicability::Exact
                                                                     : Applicability::Guess);
  else if (std::string advice = foreignTypeAdvice(type.text); !advice.empty())
    message.help(advice);
  else
    message.nearestOrAll("a type", type.text, type.span, typeNames());
  return Value();
}

std::optional<Dim> Evaluator::evalDim(const ast::Expr &expr, const ScopePtr &scope) {
  std::string name = expr.kind == ast::ExprKind::Name ? expr.text : "";
  Operand operand = evalOperand(expr, scope);
  std::optional<Extent> size = needSize(operand, "a dimension");
  if (!size) return std::nullopt;
  bool isOne = expr.kind == ast::ExprKind::Number && *size == Extent::whole(1);
  return Dim{*size, name, isOne};
}

std::optional<TensorType> Evaluator::storedType(const ast::TypeRef &type, const ScopePtr &scope) {
  std::optional<DType> dtype = findDType(type.text);
  if (type.kind != ast::TypeRef::Named || !dtype) {
    report(Kind::UnknownType, type.span,
           "`" + std::string(sources.text(type.span)) + "` is not the type of a stored tensor");
    return std::nullopt;
  }
  TensorType result{*dtype, {}};
  for (const ast::Dim &dim : type.dims) {
    if (dim.isEllipsis) {
      report(Kind::UnknownType, dim.span, "a stored tensor has a shape without `...`");
      return std::nullopt;
    }
    std::optional<Dim> size = evalDim(*dim.size, scope);
    if (!size) return std::nullopt;
    result.dims.push_back(*size);
  }
  return result;
}

} // namespace dlm::sema
