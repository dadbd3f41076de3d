// The parts of a typed program that say how a run goes: its settings, how parameters change, and
// what else a program declares of it: commands, searches, exports.
#pragma once

#include "compiler/sema/tensor/TypedGraph.h"

#include <map>
#include <optional>

namespace dlm::sema {

enum class Unit { None, Steps, Epochs, Samples, Milliseconds, Tokens, Bytes };

/// A count of something, e.g. `5 epochs`. Unit::None means not given. Periods of a run are never in
/// tokens or bytes: tokens are turned into samples.
struct Quantity {
  double value = 0;
  Unit unit = Unit::None;
};

/// The value of a setting: a word with its arguments (`skip(limit = 3)`), a number, a string, or a
/// list of values, which have names if it is a map.
struct SettingValue {
  enum Kind { Word, Number, Text, List } kind = Word;
  std::string text; // the word, or the string
  double number = 0;
  Unit unit = Unit::None;
  std::vector<std::pair<std::string, SettingValue>> parts;

  static SettingValue word(std::string text) { return {Word, std::move(text), 0, Unit::None, {}}; }
  static SettingValue plain(double number) { return {Number, "", number, Unit::None, {}}; }
  static SettingValue quantity(double number, Unit unit) { return {Number, "", number, unit, {}}; }
  static SettingValue string(std::string text) {
    return {Text, std::move(text), 0, Unit::None, {}};
  }
};

/// A setting that has no field of its own: mostly one that nothing obeys so far.
struct Setting {
  std::string path; // "memory.budget"
  SettingValue value;
  Span span;
};

struct Settings {
  int64_t batch = 0;         // the default, if an option gives it
  std::string batchOption;   // name of the run-time option that gives the batch, or empty
  int64_t micro = 0;         // 0 = auto
  int64_t batchMultiple = 1; // batch and micro-batches are multiples of it
  Quantity duration;
  Quantity evaluateEvery;
  Quantity checkpointEvery;
  Quantity checkpointLight;
  int64_t checkpointKeep = 3;
  std::string checkpointTo; // absolute; never empty
  uint64_t seed = 1;
  double clipNorm = 0;               // to which longer gradients are shortened; 0: none are
  int64_t skipLimit = 3;             // updates in a row that may be skipped as not finite
  std::map<std::string, Span> given; // where each that is written stands, by path
  Span optimizer;                    // the value of that setting
  std::vector<Setting> others;
};

/// A state of an optimizer, of the type it is declared with, and how it starts: `initGraph` has one
/// result, "value", and may read target(). If that is a number, it is `init`.
struct OptimizerState {
  std::string name;
  double init = 0;
  TensorType type = {};
  Graph initGraph = {};
};

/// The rule of an optimizer: leaves target(), gradient(), state(name), option, ambient; results
/// "target" and one per state, by its name. `rate` has one result, "lr", the learning rate as f32,
/// if the optimizer has an argument of that name.
struct OptimizerRule {
  std::string name;
  std::vector<OptimizerState> states;
  Graph update;
  Span span;
  Graph rate = {};
};

/// Parameters that change by one rule. A flat rule works element by element and is followed for the
/// row of all parameters; any other for the one type that its parameters have.
struct OptimizerGroup {
  OptimizerRule rule;
  TensorType type;
  bool isFlat = true;
  std::vector<std::string> parameters; // paths
};

/// One of several optimisations of a step, made in the order written. What is not among its
/// parameters is constant to it.
struct Update {
  std::string name;
  int64_t repeat = 1;                  // times a step, each on a batch of its own
  int64_t every = 1;                   // it is made in every n-th step
  double clipNorm = 0;                 // 0: gradients are not shortened
  Graph loss;                          // training = true; results are named "UPDATE.TERM"
  Graph evaluationLoss;                // training = false; same results
  std::vector<std::string> parameters; // paths
  std::vector<OptimizerGroup> groups;
  std::vector<std::string> constants;
  Span span;
};

/// A flag of a command. `type` is one of int, f32, bool, string; an int is also a symbol
/// of sizes, between bounds.
struct CommandArgument {
  std::string name;
  std::string type;
  bool isRequired = false;
  std::string byDefault; // as the program would write it; of a string, its characters
  std::string symbol;    // of an int, as a size
  int64_t lower = 0;     // 1 at least, if it is a size
  std::optional<int64_t> upper;
  Span span;
};

/// `argument op bound`, of an argument when a command is called, of an option when a run starts. Of
/// a string it is the number of its tokens.
struct CommandTest {
  std::string argument, op;
  Number bound;        // whole, if the argument is
  std::string message; // of the program; may be empty
  Span span;
};

/// The number of tokens that a string of a command has, as a size.
struct TokenCount {
  std::string symbol, argument;
  std::string source; // whose tokens they are
};

/// What a command gives: written as text if `type` is "string", otherwise as a tensor.
struct CommandResult {
  std::string name; // "value" if there is just one
  std::string type;
  std::vector<Extent> sizes = {}; // of what is written; of a string that was decoded, of its tokens
};

/// An entry point of the executable: leaves argument(text = name), parameter, ...
struct Command {
  std::string name;
  std::string doc;
  std::vector<CommandArgument> arguments;
  std::vector<CommandTest> tests;
  std::vector<CommandResult> results;
  Graph graph; // training = false
  Span span;
  std::map<std::string, std::pair<int64_t, int64_t>> bounds = {}; // of the symbols of its sizes
  std::vector<TokenCount> tokenCounts = {};
};

/// The values that a search gives to an option: a list, or a range (`log`, `uniform`, `int`).
struct SearchOption {
  std::string option;
  std::string kind; // "list", "log", "uniform", "int"
  double low = 0, high = 0;
  std::vector<std::string> values; // of a list, as `-D` would give them
  bool isRunTime = true;           // else each value needs an executable of its own
  Span span;
  std::vector<Span> places = {}; // of the values of a list
};

struct Search {
  std::string name;
  std::vector<SearchOption> space;
  SettingValue strategy; // a list
  std::string objective; // "validation.loss"
  bool isMaximized = false;
  Span span;
};

/// What leaves a run: a model, as files.
struct Export {
  std::string name;
  std::string model;             // path of the instance
  std::string stored;            // path of its average or copy, if that is what leaves
  std::vector<Setting> settings; // without `model`
  Span span;
};

} // namespace dlm::sema
