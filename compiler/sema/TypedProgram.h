// What `check` hands to `lower`: the program with every name resolved, every model and function
// made concrete, and every tensor typed. Nothing here can be wrong any more.
//
// Tensor computations are graphs of nodes. A node names an operation of the `dlm` or `train`
// dialect by its mnemonic, so that lowering is one to one. Sizes may hold symbols, above all that
// of the batch, which takes the size of the signature that `lower` instantiates.
#pragma once

#include "compiler/sema/Extent.h"
#include "compiler/source/Span.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dlm::sema {

enum class DType { Bool, U8, U32, I8, I32, I64, F16, BF16, F32, F64 };

/// One dimension of a tensor: its size and the name it was written with (may be empty).
struct Dim {
  Extent extent;
  std::string name;
  bool isWrittenOne = false; // a 1 that was written as such: `new`, `keep = true`, a literal

  static Dim whole(int64_t size, std::string name = "") {
    return {Extent::whole(size), std::move(name), false};
  }
  static Dim batch(std::string name = "batch") { return {Extent::batch(), std::move(name), false}; }
  static Dim one(std::string name = "") { return {Extent::whole(1), std::move(name), true}; }

  /// The size, if it is known when the program is compiled.
  int64_t size() const { return extent.asWhole(); }
  bool isWhole() const { return extent.isWhole(); }
  bool isBatch() const { return extent.isBatch(); }
};

struct TensorType {
  DType dtype = DType::F32;
  std::vector<Dim> dims;
};

/// How a value depends on the batch: not at all, sample by sample, as a sum over samples that is
/// used linearly, or otherwise (then the batch cannot be split into micro-batches).
enum class Grade { Constant, Row, Sum, Coupled };

using NodeId = uint32_t;

/// One operation. What `ints`, `number`, `numbers` and `text` hold depends on `op`:
///
///   leaves      input(text = field)  parameter(text = path)  option(text = name)
///               ambient(text = "step" | "steps")  state(text = name)  target()  gradient()
///               constant(number: a splat of the type)  dense(numbers, row-major)
///               iota(ints = {dim})  sample_count()  random(text = "uniform" | "normal")
///               extent(text = symbol): the value of a size other than the batch, as f32
///   elementwise neg abs exp log sqrt rsqrt tanh erf sin cos floor ceil round sign relu
///               add sub mul div max min pow   compare(text = eq ne lt le gt ge)
///               and or not   select(condition, a, b)   cast(to the node's dtype)
///               operands have equal shapes: stretching is always a `broadcast` node
///   shape       broadcast(ints[i] = result dim of operand dim i; any other dim is new)
///               reshape   transpose(ints = permutation)   stop_gradient
///   reduction   reduce(text = add max min, ints = dims; dims are dropped)
///               batch_reduce(the same, one dim of samples): over the whole batch or evaluation set
///               argmax(ints = {dim}; the dim is dropped; i32)
///   product     matmul(ints = {transposeLhs, transposeRhs}), both of rank 2
///               contract(text = "abc,adc->abd": a letter for each dim)   batch_contract: the
///               same, summed over all samples
///   text        encode decode(text = data source): bytes to token ids, and back
///   batch       share: a Constant-graded operand that joins Sum-graded ones, to be scaled by
///               micro-batch / batch so that it is counted once
struct Node {
  std::string op;
  TensorType type;
  std::vector<NodeId> operands;
  std::vector<int64_t> ints;
  std::vector<double> numbers;
  double number = 0;
  std::string text;
  Grade grade = Grade::Constant;
  bool dependsOnModel = false; // on a parameter, a buffer or anything computed from one
  Span span;
  uint32_t layer = 0; // index into TypedProgram::layers
};

/// Nodes in an order in which operands stand before their uses, and named results.
struct Graph {
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, NodeId>> results;
};

/// A trained tensor. `init` has one result, of the parameter's type.
struct Parameter {
  std::string path; // "hidden.weight"
  TensorType type;
  Graph init;
  Span span;
};

/// An option of the program. A compile-time option is already folded into the graphs.
struct Option {
  std::string name;
  std::string doc;
  DType dtype = DType::F32; // F32 or I64
  double value = 0;         // the default, or what -D gave
  bool isRunTime = true;
  Span span;
  std::string kind = {}; // of what is not a number: "bool", "string", "steps", ...
  std::string text = {}; // and its value, as `-D` would give it
};

struct Field {
  std::string name;
  TensorType type; // of one sample: without the batch axis
};

/// A column of a table. A category is a whole number from 0 up to, not including, `size`.
struct Column {
  std::string name;
  bool isCategory = false;
  int64_t size = 0;
};

/// What `data.map` makes of a sample: leaves input(text = field of the source), results the new
/// fields. `training` is true in the first graph, and false in the second.
struct SampleMap {
  Graph training;
  Graph evaluation;
  Span span;
};

/// Where samples come from. Counts are read when the program is compiled and compared at start.
struct DataSource {
  std::string name; // of the `let` that holds it
  std::string kind; // "idx", "text", ...: a function of the module `data`
  std::string path; // absolute
  std::vector<Field> fields;
  int64_t trainCount = 0;
  int64_t validationCount = 0; // cut from the end of the training files
  int64_t testCount = 0;
  int64_t classes = 0;
  Span span;
  int64_t vocab = 0;                  // of text: number of different tokens
  std::vector<Column> columns = {};   // of a table
  std::vector<SampleMap> maps = {};   // applied in this order
  std::vector<DataSource> parts = {}; // of `data.mix`
  std::string order = {};             // "streams": samples continue those of the batch before
  std::string description = {};       // the file that describes it, if its data was not read
};

enum class Unit { None, Steps, Epochs, Samples, Milliseconds };

/// A count of something, e.g. `5 epochs`. Unit::None means not given.
struct Quantity {
  double value = 0;
  Unit unit = Unit::None;
};

struct Settings {
  int64_t batch = 0;         // the default, if an option gives it
  std::string batchOption;   // name of the run-time option that gives the batch, or empty
  int64_t micro = 0;         // 0 = auto
  int64_t batchMultiple = 1; // batch and micro-batches are multiples of it
  Quantity duration;
  Quantity evaluateEvery;
  Quantity checkpointEvery;
  int64_t checkpointKeep = 3;
  std::string checkpointTo; // absolute; never empty
  uint64_t seed = 1;
};

/// A state of an optimizer, of the parameter's shape, and the number it starts at.
struct OptimizerState {
  std::string name;
  double init = 0;
};

/// The rule, checked once for a flat tensor of all parameters: leaves target(), gradient(),
/// state(name), option, ambient; results "target" and one per state, by its name.
struct OptimizerRule {
  std::string name;
  std::vector<OptimizerState> states;
  Graph update;
  Span span;
};

struct TypedProgram {
  std::string name; // of the train block
  std::vector<Option> options;
  DataSource data;
  std::vector<Parameter> parameters;
  Graph loss;           // training = true; results are the named terms ("loss" if there is one)
  Graph evaluationLoss; // training = false; same results
  Graph metrics;        // training = false
  OptimizerRule optimizer;
  Settings settings;
  std::vector<std::string> layers; // [0] is the empty path
};

} // namespace dlm::sema
