// What `check` hands to `lower`: the program with every name resolved, every model and function
// made concrete, and every tensor typed. Nothing here can be wrong any more.
#pragma once

#include "compiler/sema/run/TypedRun.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dlm::sema {

/// A trained tensor. `init` has one result, of the parameter's type.
struct Parameter {
  std::string path; // "hidden.weight"
  TensorType type;
  Graph init;
  Span span;
  bool isHeld =
      false; // it belongs to models that are frozen, copied or averaged only: never changed
  Span initSpan = {};
};

/// A stored tensor that `next` changes. Every read sees the value before the step. One over the
/// batch is carried from one batch to the next, row by row; gradients do not follow it.
struct Buffer {
  std::string path;
  TensorType type;
  Graph init; // one result, of the buffer's type
  bool isPerStream = false;
  Span span;
  Span initSpan = {};
};

/// An option of the program. A compile-time option is already folded into the graphs.
struct Option {
  std::string name;
  std::string doc;
  DType dtype = DType::F32; // F32 or I64
  double value = 0;         // the default, or what -D gave
  bool isRunTime = true;
  Span span;
  std::string kind = {};               // of what is not a number: "bool", "string", "steps", ...
  std::string text = {};               // and its value, as `-D` would give it
  bool isGiven = false;                // by `-D`
  std::vector<CommandTest> tests = {}; // of a run-time option: what a flag's value has to fulfil
};

struct Field {
  std::string name;
  TensorType type; // of one sample: without the batch axis
  /// Of ids that the source counts as `classes` or `vocab`: how many there are; 0 if not known.
  int64_t ids = 0;
  bool areTokens = false; // of `vocab`
};

/// A column of a table. A category is a whole number from 0 up to, not including, `size`.
struct Column {
  std::string name;
  bool isCategory = false;
  int64_t size = 0;
  bool mayBeMissing = false; // a number
  int64_t minCount = 0;      // of a category: rarer values are one
  bool hasUnknown = false;   // of a category: it has an id for values that training never saw
  std::string misfit = {};   // of what is mostly numbers: the first cell that is none, in words
  std::string mixture = {};  // of the same, read as a category: what stands in it beside the names
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
  std::string name;                // of the `let` that holds it
  std::string kind;                // "idx", "text", ...: a function of the module `data`
  std::string path;                // absolute
  std::string validationPath = {}; // of a part with files of its own
  std::string testPath = {};
  std::vector<Field> fields;
  int64_t trainCount = 0;
  int64_t validationCount = 0; // cut from the end of the training files
  int64_t testCount = 0;
  bool isValidationCut = false; // by the program, which says how many
  bool isTestCut = false;
  bool arePartsMixed = false; // what is cut is from all over the files, and not from their end
  int64_t classes = 0;
  Span span;
  int64_t vocab = 0;                  // of text: number of different tokens
  std::vector<Column> columns = {};   // of a table
  std::vector<SampleMap> maps = {};   // applied in this order
  std::vector<Field> rawFields = {};  // before the first map, if there are any
  std::vector<DataSource> parts = {}; // of `data.mix`
  std::string order = {};             // "streams": samples continue those of the batch before
  std::string target = {};            // of a table: the name of the column that is the target
  std::string facts = {};             // what was read from the files, for the run
  std::string description = {};       // the file that describes it, if its data was not read
};

/// Something made of a model, or of a function, by a function of the library.
struct Marker {
  std::string kind; // "frozen", "copy", "ema", "weights", "trained", "recompute"
  std::string of;   // the path of the model, the name of the run, the text of the function
  std::string path; // of what is stored for it: of "copy" and "ema"
  double decay = 0; // of "ema"
  std::string file; // of "weights"
  std::vector<std::pair<std::string, std::string>> names = {}; // of "weights": ours => theirs
  std::vector<std::string> transposed = {};                    // of "weights": ours
  Span span;
};

/// A parameter or buffer that starts from a tensor of a file: `weights` of its model. Its `init` is
/// the leaf weights(text = name).
struct WeightStart {
  std::string path; // of the parameter or buffer
  std::string file; // absolute
  std::string name; // in the file
  bool isTransposed = false;
  Span span;
};

/// An `expect` of a test. One that is not known when the program is compiled has the result
/// "N" of the test's graph, a bool tensor, where N is its place in the list; where it compares,
/// also "N.left" and "N.right".
struct Expectation {
  Span span;        // of the condition
  std::string text; // behind the comma; may be empty
  bool isKnown = false;
  bool holds = true;                                    // if it is known
  std::vector<std::pair<Span, std::string>> notes = {}; // of a known one: its sides
};

/// A `test` block. Models made in it have parameters of its own, which start from seed 1.
struct TypedTest {
  std::string title;
  Span span;
  std::vector<Parameter> parameters;
  Graph graph;
  std::vector<Expectation> expectations;
};

struct TypedProgram {
  std::string name; // of the train block; empty: the program has none
  std::vector<Option> options;
  DataSource data;
  std::vector<Parameter> parameters;
  std::vector<Buffer> buffers;
  Graph loss;           // training = true; results are the named terms ("loss" if there is one)
  Graph evaluationLoss; // training = false; same results
  Graph metrics;        // training = false
  /// `fn predict`, without arguments: its results have the batch as their first axis and are rows.
  std::optional<Command> predict;
  std::vector<Command> commands;
  std::vector<Search> searches;
  std::vector<Export> exports;
  std::vector<Update> updates; // if there are any, `loss` and `groups` are empty
  std::vector<OptimizerGroup> groups;
  std::vector<std::string> constants; // paths of the parameters that `fn optimizer` gives `none`
  Settings settings;
  std::vector<std::string> layers; // [0] is the empty path
  std::vector<TypedTest> tests;
  std::vector<Marker> markers;
  std::vector<WeightStart> weights;
};

} // namespace dlm::sema
