// What the larger values hold: records, functions, instances and the like. They are made once and
// shared by all values that mean the same.
#pragma once

#include "compiler/sema/TypedProgram.h"
#include "compiler/syntax/Ast.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dlm::sema {

struct Scope;
class Value;
using ScopePtr = std::shared_ptr<Scope>;

/// A record; a field without a name is an element of a tuple.
struct RecordObject {
  /// The number of the field with a name; nothing if there is none.
  std::optional<size_t> find(const std::string &name) const;

  std::vector<std::pair<std::string, Value>> fields;
  /// Of a record of many fields that has become a value: where each is.
  std::shared_ptr<const std::unordered_map<std::string, size_t>> places = nullptr;
  size_t weight = 1; // see Value::weight
};

struct ListObject {
  std::vector<Value> items;
  size_t weight = 1;
};

struct KeyPlaces;

/// `[key => value, ...]`, in the order written.
struct MapObject {
  std::vector<std::pair<Value, Value>> entries;
  std::shared_ptr<KeyPlaces> places;
  size_t weight = 1;
};

/// A function of the program or of the library, with the scope it was written in.
struct FunctionObject {
  std::string name; // empty for `fn(x) { }`
  const std::vector<ast::Param> *params = nullptr;
  const ast::TypeRef *result = nullptr;
  const ast::Block *body = nullptr;
  Span declared; // of its name
  ScopePtr scope;
  uint32_t layer = 0;       // of the instance it belongs to, if it belongs to one
  std::string instanceText; // "MLP(width = 512)", where it belongs to an instance
  Span createdAt;
};

struct ModelObject {
  const ast::Model *declaration = nullptr;
  ScopePtr scope;
};

struct InstanceObject {
  const ast::Model *declaration = nullptr;
  ScopePtr scope;
  std::string path; // "net.hidden"
  std::string text;
  Span createdAt;
  int marker = -1; // index into Program::markers: what was made of it
};

/// A function or model with what `recompute(f)`, `precise(f)` say of its calls, or a function of a
/// model that something was made of.
struct MarkedObject {
  std::shared_ptr<const Value> inner;
  uint8_t marks = 0;
  int marker = -1;
};

/// Another train block, as `trained` sees it.
struct TrainObject {
  const ast::Train *declaration = nullptr;
  ScopePtr scope; // of its file
};

struct OptimizerObject {
  const ast::Optimizer *declaration = nullptr;
  ScopePtr scope; // of an OptimizerValue: with its arguments
  std::string text;
  Span createdAt;
};

/// The name of the axis that `data.fit` has the training samples along.
inline constexpr const char *fittedAxis = "samples";

/// How a parameter starts, whatever its shape: `normal(std = 0.02)`.
struct InitialiserObject {
  std::string name;  // normal uniform xavier kaiming constant fit truncated_normal orthogonal
  double first = 0;  // mean, low, gain, gain, value, -, mean, gain
  double second = 0; // std, high; of truncated_normal std
  double third = 0;  // of truncated_normal: how many std away from the mean it ends
  std::shared_ptr<const Graph> fit = nullptr; // of `data.fit`: computed from the training samples
  int64_t columns = 0; // of `data.fit` of so many columns: computed for each of them
};

/// A range with a bound that is known at run time only: whole numbers, sizes or scalars.
struct RangeObject {
  std::shared_ptr<const Value> begin, end;
};

struct ModuleObject {
  std::string name;
  ScopePtr scope;
  bool isRun = false; // the models of a train block, of `trained`
};

/// `data.chars()`, `data.category(min_count = 5)`: its name and what it was given.
struct DataPartObject {
  std::string kind;
  RecordObject settings;
};

} // namespace dlm::sema
