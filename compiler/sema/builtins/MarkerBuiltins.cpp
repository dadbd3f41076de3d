// Functions that make something of a model or a function: what they take, and what is noted of it.
// What the parameters mean in it stands in Markers.cpp.
#include "compiler/sema/data/DataKinds.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/ShapeAdvice.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// The instance that a marker is given, which may be one that is precise or recomputed; null after
/// a report.
const InstanceObject *needInstance(Evaluator &evaluator, const BuiltinCall &call) {
  const Value *value = &call[0].value;
  while (value->is(ValueKind::Marked))
    value = value->asMarked().inner.get();
  if (value->is(ValueKind::Instance)) return &value->asInstance();
  bool isConstructor = call[0].value.is(ValueKind::ModelType);
  Report message(evaluator.report, Kind::TypeMismatch, call[0].span,
                 "`" + std::string(call.builtin.name) + "` takes a model, and this is " +
                     (isConstructor ? "a constructor" : call[0].value.describe()));
  const Value &given = call[0].value;
  if (given.is(ValueKind::Module) && given.asModule().isRun) {
    std::string written(evaluator.sources.text(call[0].span)), models;
    for (const auto &[name, binding] : given.asModule().scope->bindings)
      if (binding.value.is(ValueKind::Instance))
        models += (models.empty() ? "`" : ", `") + written + "." + name + "`";
    message.help(models.empty() ? "" : "name the one that is meant: " + models);
  }
  if (isConstructor) message.help("make one of it: `" + call[0].value.text() + "(...)`");
  return nullptr;
}

/// The runs whose models are being made for `trained`, the outermost first. The frame of one has
/// the train block itself for its scope.
std::vector<std::string> leftRuns(const Evaluator &evaluator) {
  std::vector<std::string> names;
  for (const Frame &frame : evaluator.report.frames)
    if (frame.declaration && frame.scope == frame.declaration) names.push_back(frame.text);
  return names;
}

/// The place of the marker in the list; the same one for what means the same.
int addMarker(Evaluator &evaluator, Marker marker) {
  std::vector<Marker> &markers = evaluator.program.markers;
  auto isSame = [&](const Marker &each) {
    return each.kind == marker.kind && each.of == marker.of && each.path == marker.path &&
           each.decay == marker.decay && each.file == marker.file;
  };
  auto found = std::find_if(markers.begin(), markers.end(), isSame);
  if (found == markers.end()) found = markers.insert(markers.end(), std::move(marker));
  return int(found - markers.begin());
}

Marker markerOf(Evaluator &evaluator, const BuiltinCall &call, const std::string &of) {
  Marker marker;
  marker.kind = call.builtin.name;
  marker.of = of;
  marker.span = evaluator.report.placeToShow(call.span);
  return marker;
}

/// What another run made of its models is not what this one makes of them. The `file` of such a
/// copy or average is the run's name.
void markAsLeft(const Evaluator &evaluator, Marker &marker) {
  std::vector<std::string> runs = leftRuns(evaluator);
  if (runs.empty()) return;
  marker.file = runs.front();
  marker.path = "trained(" + runs.front() + ")." + marker.path;
}

Value withMarker(const Value &value, int marker) {
  if (value.is(ValueKind::Marked))
    return Value::marked(withMarker(*value.asMarked().inner, marker), value.asMarked().marks);
  InstanceObject result = value.asInstance();
  result.marker = marker;
  return Value::instance(std::make_shared<InstanceObject>(std::move(result)));
}

Value runFrozen(Evaluator &evaluator, const BuiltinCall &call) {
  const InstanceObject *instance = needInstance(evaluator, call);
  if (!instance) return Value();
  if (instance->marker >= 0) return call[0].value; // a copy or an average is not trained anyway
  return withMarker(call[0].value, addMarker(evaluator, markerOf(evaluator, call, instance->path)));
}

/// A copy is as the model was at the start. Each place where it is written has its own.
Value runCopy(Evaluator &evaluator, const BuiltinCall &call) {
  const InstanceObject *instance = needInstance(evaluator, call);
  if (!instance) return Value();
  Marker marker = markerOf(evaluator, call, instance->path);
  bool isNamed = evaluator.context.functionDepth == 0 && !evaluator.context.path.empty();
  marker.path = isNamed ? evaluator.context.path : "copy(" + instance->path + ")";
  markAsLeft(evaluator, marker);
  return withMarker(call[0].value, addMarker(evaluator, std::move(marker)));
}

Value runAverage(Evaluator &evaluator, const BuiltinCall &call) {
  const InstanceObject *instance = needInstance(evaluator, call);
  std::optional<Number> number = evaluator.needNumber(call[1], "`decay`");
  if (!instance || !number) return Value();
  double decay = number->toReal();
  if (!(decay >= 0 && decay < 1)) {
    evaluator.report(Kind::SettingRange, call[1].span,
                     "`decay` is at least 0 and below 1, and this is " + call[1].value.text());
    return Value();
  }
  Marker marker = markerOf(evaluator, call, instance->path);
  marker.decay = decay;
  marker.path = "ema(" + instance->path + ", decay = " + formatReal(decay) + ")";
  markAsLeft(evaluator, marker);
  return withMarker(call[0].value, addMarker(evaluator, std::move(marker)));
}

/// The value whose calls are marked. Each function of a list is computed again by itself, so that
/// no more than one of them needs memory at a time.
Value markedCalls(const Value &value, Mark mark) {
  if (mark != MarkRecompute || !value.is(ValueKind::List)) return Value::marked(value, mark);
  std::vector<Value> items;
  for (const Value &item : value.asList())
    items.push_back(item.isCallable() || item.is(ValueKind::List) ? markedCalls(item, mark) : item);
  return Value::list(std::move(items));
}

/// `precise(f)` and `recompute(f)`.
Value runMark(Evaluator &evaluator, const BuiltinCall &call) {
  const Value &value = call[0].value;
  std::string name = call.builtin.name;
  if (!value.isCallable() && !value.is(ValueKind::List)) {
    evaluator.report(Kind::TypeMismatch, call[0].span,
                     "`" + name + "` takes a function or a model, and this is " + value.describe());
    return Value();
  }
  bool isRecompute = name == "recompute";
  if (isRecompute) {
    bool isInstance = value.is(ValueKind::Instance);
    addMarker(evaluator,
              markerOf(evaluator, call, isInstance ? value.asInstance().path : value.text()));
  }
  return markedCalls(value, isRecompute ? MarkRecompute : MarkPrecise);
}

/// The value of an entry of a name map: a name, or `transpose("name")`.
std::optional<std::string> nameInFile(Evaluator &evaluator, const Value &value, Span span,
                                      bool &isTransposed) {
  isTransposed = value.is(ValueKind::Record) && value.asRecord().fields.size() == 1 &&
                 value.asRecord().fields[0].first == "transpose";
  const Value &name = isTransposed ? value.asRecord().fields[0].second : value;
  return evaluator.needString({name, nullptr, span}, "a name in the file");
}

/// The model itself, which starts from a file.
Value runWeights(Evaluator &evaluator, const BuiltinCall &call) {
  const InstanceObject *instance = needInstance(evaluator, call);
  std::optional<std::string> file = evaluator.needString(call[1], "the file of weights");
  if (!instance || !file) return Value();
  Marker marker = markerOf(evaluator, call, instance->path);
  marker.file = *file;
  if (call.has(2)) {
    const Value &names = call[2].value;
    if (!names.is(ValueKind::Map)) {
      evaluator.report(Kind::TypeMismatch, call[2].span,
                       "`names` is a map `[ours => theirs]`, and this is " + names.describe());
      return Value();
    }
    for (const auto &[ours, theirs] : names.asMap().entries) {
      std::optional<std::string> key =
          evaluator.needString({ours, nullptr, call[2].span}, "a parameter's name");
      bool isTransposed = false;
      std::optional<std::string> name = nameInFile(evaluator, theirs, call[2].span, isTransposed);
      if (!key || !name) return Value();
      marker.names.emplace_back(*key, *name);
      if (isTransposed) marker.transposed.push_back(*key);
    }
  }
  if (leftRuns(evaluator).empty()) // else the run that is named began so, and has gone on
    addMarker(evaluator, std::move(marker));
  return call[0].value;
}

/// `transpose("name")` in a name map of `weights`.
Value runTransposeName(Evaluator &evaluator, const BuiltinCall &call) {
  bool isOne = call.positional.size() == 1;
  const Operand none = {Value::none(), nullptr, call.span};
  const Operand &name = call.positional.empty() ? none : call.positional[0];
  if (isOne && name.value.is(ValueKind::String))
    return Value::record({{{"transpose", name.value}}});
  Report message(evaluator.report, Kind::TypeMismatch, name.span,
                 "`transpose` stands before a name in a map of `weights`, and this is " +
                     name.value.describe());
  if (name.value.is(ValueKind::Tensor))
    message.help(adviceForTurn(name.value.asTensor().type.dims));
  return Value();
}

/// The folder of a run's checkpoints: what the run says, or the default.
std::string checkpointFolder(Evaluator &evaluator, const TrainObject &train) {
  const std::string &name = train.declaration->name.text;
  std::string folder = pathFrom(evaluator, train.declaration->name.span, "runs/" + name);
  for (const ast::Item &section : train.declaration->items) {
    if (section.kind != ast::Item::Section || section.name.text != "checkpoint") continue;
    for (const ast::Item &item : section.items) {
      if (item.kind != ast::Item::Setting || item.name.text != "to") continue;
      Operand to = evaluator.evalOperand(*item.value, train.scope);
      if (to.value.is(ValueKind::String))
        folder = pathFrom(evaluator, item.span, to.value.asString());
    }
  }
  return folder;
}

/// The models of another run, as it left them.
Value runTrained(Evaluator &evaluator, const BuiltinCall &call) {
  if (!call[0].value.is(ValueKind::Train)) {
    Report message(evaluator.report, Kind::TypeMismatch, call[0].span,
                   "`trained` takes the name of a train block, and this is " +
                       call[0].value.describe());
    std::string text = call[0].value.is(ValueKind::String) ? call[0].value.asString() : "";
    const Binding *named = text.empty() ? nullptr : call.scope->find(text);
    if (named && named->value.is(ValueKind::Train))
      message.help("the name is written without quotes", call[0].span, text, Applicability::Exact);
    return Value();
  }
  const TrainObject &train = call[0].value.asTrain();
  const std::string &name = train.declaration->name.text;
  if (!evaluator.context.isInRun) {
    evaluator.report(Kind::TopLevelInstance, call.span,
                     "the models of `" + name + "` are made outside of a train block");
    return Value();
  }
  for (const Frame &frame : evaluator.report.frames) {
    if (frame.declaration != train.declaration) continue;
    evaluator.report(Kind::Recursion, call.span, "`" + name + "` needs its own models");
    return Value();
  }
  // What the run started from itself lies within what it left.
  std::string path;
  for (const std::string &outer : leftRuns(evaluator))
    path += outer + ".";
  if (path.empty()) {
    Marker marker = markerOf(evaluator, call, name);
    marker.file = checkpointFolder(evaluator, train);
    addMarker(evaluator, std::move(marker));
  }
  path += name;
  FrameScope frame(evaluator.report, {name, call.span, {}, train.declaration, train.declaration});
  ScopePtr inner = evaluator.makeScope(train.scope);
  for (const ast::Item &item : train.declaration->items) {
    if (item.kind != ast::Item::Fn) continue;
    Binding binding;
    binding.value = evaluator.makeFunction(*item.function, inner);
    binding.declared = Declared::Function;
    evaluator.declare(*inner, item.function->name, std::move(binding));
  }
  for (const ast::Item &item : train.declaration->items) {
    if (item.kind != ast::Item::Let) continue;
    const ast::Stmt &let = *item.statement;
    ContextScope saved(evaluator);
    evaluator.context.path = path;
    evaluator.enterPath(let.pattern.names[0].text);
    evaluator.bind(let.pattern, evaluator.eval(*let.value, inner), let.value->span, *inner,
                   Declared::Let);
  }
  return Value::module({name, inner, true});
}

} // namespace

const BuiltinTable &markerBuiltins() {
  static const BuiltinTable table = {
      {"frozen", "model", runFrozen},
      {"copy", "model", runCopy},
      {"ema", "model, decay", runAverage},
      {"precise", "f", runMark},
      {"recompute", "f", runMark},
      {"weights", "model, file, names?", runWeights},
      {"transpose", "name*", runTransposeName},
      {"trained", "run", runTrained},
  };
  return table;
}

} // namespace dlm::sema
