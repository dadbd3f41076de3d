// What an expression can be while a program is checked: a compile-time value, or a tensor that
// stands for a node of a graph. Values are small and copied freely; what is large is shared and
// never changed after it was made.
#pragma once

#include "compiler/sema/value/Number.h"
#include "compiler/sema/value/ValueObjects.h"
#include "compiler/syntax/Ast.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dlm::sema {

struct Builtin;

/// A tensor: a node of the graph with this number. Graph 0 is the free graph: tensors that belong
/// to no hook yet (parameters, run-time options, `step`) and what is computed from them outside
/// of one; they are copied into the graph that uses them.
struct Tensor {
  uint32_t graph = 0;
  NodeId node = 0;
  TensorType type;
  bool isLoose = false; // a scalar made of options and ambient names: a whole one turns into f32
                        // where it meets a real number
};

/// What a quantity counts. Times are held in milliseconds, sizes in bytes.
enum class Measure { Time, Bytes, Steps, Epochs, Samples, Tokens };

enum class ValueKind {
  Poison, // what could not be understood; an error was reported, so nothing more is said
  None,
  Bool,
  Number,
  String,
  Quantity,
  Size, // a size that is known at run time only, such as the batch
  Tensor,
  Record,
  List,
  Map,
  Function,
  BuiltinFunction,
  ModelType,      // a model's constructor
  Instance,       // a model with its parameters
  OptimizerType,  // an optimizer's constructor
  OptimizerValue, // an optimizer with its arguments
  Initialiser,
  Data,
  DataPart,      // what a data source is told in words: a tokenizer, a kind of column
  Columns,       // of a table: what `source.columns` is
  RunTimeString, // a string that is known at run time only: an argument of a command
  Batch,         // the argument of a hook
  Module,
  Marked, // a function or model that something is said of
  Train,  // a train block
  Range,  // a range that is known at run time only
};

class Value {
public:
  Value() = default;

  static Value none() { return Value(ValueKind::None); }
  static Value boolean(bool value);
  static Value number(Number value);
  static Value whole(int64_t value) { return number(Number::whole(value)); }
  static Value string(std::string value);
  static Value quantity(Number value, Measure measure);
  /// A number if the size is known.
  static Value size(const Extent &value);
  static Value tensor(Tensor value);
  static Value record(RecordObject value);
  static Value list(std::vector<Value> items);
  static Value map(MapObject value);
  static Value function(FunctionObject value);
  static Value builtin(const Builtin &value);
  /// A function that belongs to a value: `text.encode`.
  static Value method(const Builtin &value, const Value &receiver);
  static Value modelType(ModelObject value);
  static Value instance(std::shared_ptr<const InstanceObject> value);
  static Value optimizerType(OptimizerObject value);
  static Value optimizer(OptimizerObject value);
  static Value initialiser(InitialiserObject value);
  static Value data(DataSource value);
  static Value batch(std::shared_ptr<const DataSource> value);
  static Value dataPart(DataPartObject value);
  static Value columns(std::shared_ptr<const DataSource> value);
  /// `bytes` is `u8[n]`, for a symbol n.
  static Value runTimeString(Tensor bytes);
  static Value module(ModuleObject value);
  static Value marked(const Value &inner, uint8_t marks, int marker = -1);
  static Value train(TrainObject value);
  static Value range(const Value &begin, const Value &end);

  ValueKind kind() const { return valueKind; }
  bool is(ValueKind kind) const { return valueKind == kind; }
  bool isPoison() const { return is(ValueKind::Poison); }
  bool isCallable() const;

  /// Of a number: the same, and it is the value of this option, or zero or less because that is.
  Value from(const std::string *option) const;
  /// The name of that option, or null.
  const std::string *option() const {
    return is(ValueKind::Number) ? static_cast<const std::string *>(payload.get()) : nullptr;
  }

  bool asBool() const { return flag; }
  const Number &asNumber() const { return amount; }
  const Extent &asSize() const { return get<Extent>(); }
  Measure asMeasure() const { return measure; }
  const std::string &asString() const { return get<std::string>(); }
  const Tensor &asTensor() const { return get<Tensor>(); }
  const RecordObject &asRecord() const { return get<RecordObject>(); }
  /// How many values it is made of, those that stand in it several times counted each time: what
  /// it costs to look at all of it. Lists of lists share their parts, so this can be far more than
  /// what is held.
  size_t weight() const;
  const std::vector<Value> &asList() const { return get<ListObject>().items; }
  const MapObject &asMap() const { return get<MapObject>(); }
  const FunctionObject &asFunction() const { return get<FunctionObject>(); }
  const Builtin &asBuiltin() const { return *builtinFunction; }
  /// What a method belongs to; null for other functions.
  const Value *receiver() const { return static_cast<const Value *>(payload.get()); }
  const ModelObject &asModelType() const { return get<ModelObject>(); }
  const InstanceObject &asInstance() const { return get<InstanceObject>(); }
  const OptimizerObject &asOptimizer() const { return get<OptimizerObject>(); }
  const InitialiserObject &asInitialiser() const { return get<InitialiserObject>(); }
  const DataSource &asData() const { return get<DataSource>(); }
  const DataPartObject &asDataPart() const { return get<DataPartObject>(); }
  const DataSource &asColumns() const { return get<DataSource>(); }
  const Tensor &asRunTimeString() const { return get<Tensor>(); }
  const MarkedObject &asMarked() const { return get<MarkedObject>(); }
  const TrainObject &asTrain() const { return get<TrainObject>(); }
  const RangeObject &asRange() const { return get<RangeObject>(); }
  const ModuleObject &asModule() const { return get<ModuleObject>(); }
  std::shared_ptr<const DataSource> sharedData() const;

  /// The value as a program would write it, shortened: `512`, `f32[batch, 10]`, `"text"`.
  std::string text(unsigned depth = 3) const;
  /// What kind of thing it is, with an article: "a number", "a tensor".
  std::string describe() const;

private:
  explicit Value(ValueKind kind) : valueKind(kind) {}
  template <class T>
  Value(ValueKind kind, T object)
      : valueKind(kind), payload(std::make_shared<const T>(std::move(object))) {}
  template <class T> const T &get() const { return *static_cast<const T *>(payload.get()); }

  ValueKind valueKind = ValueKind::Poison;
  bool flag = false;
  Measure measure = Measure::Time;
  Number amount;
  const Builtin *builtinFunction = nullptr;
  std::shared_ptr<const void> payload;
};

/// The order of the keys of a map, which are texts or numbers.
struct KeyOrder {
  bool operator()(const Value &a, const Value &b) const;
};

/// Where in a map the entry of each key is.
struct KeyPlaces {
  std::map<Value, size_t, KeyOrder> byKey;
};

/// An operand of a computation and where it was written, for messages.
struct Operand {
  Value value;
  const ast::Expr *expr = nullptr;
  Span span;
  Span declared = {}; // of a plain name: where it is declared
  Span written = {};  // of a plain name: the value it is declared with
};

/// `f32`, `i32`, ... as written in programs.
const char *dtypeName(DType dtype);
/// `f32[batch, 10]`.
std::string typeText(const TensorType &type);
/// `[batch, 10]`; the empty list for a scalar.
std::string shapeText(const std::vector<Dim> &dims);
/// One size as messages show it: `batch` or `10`.
std::string dimText(const Dim &dim);
/// "steps", "epochs", ...
const char *measureName(Measure measure);
/// The measure of that name, or nothing.
std::optional<Measure> findMeasure(const std::string &name);

} // namespace dlm::sema
