// What is gathered while a program is checked, besides graphs: its options, which of them have
// to be known at compile time, its parameters and layers.
#pragma once

#include "compiler/sema/Check.h"
#include "compiler/sema/TypedProgram.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace dlm::sema {

struct Program {
  explicit Program(const CheckOptions &options) : checkOptions(options) {}

  /// The index of a layer path in `layers`.
  uint32_t layerIndex(const std::string &path);
  /// The path, with a number behind it if an instance has it already.
  std::string uniquePath(const std::string &path);

  const CheckOptions &checkOptions;
  std::vector<Option> options;
  std::vector<Parameter> parameters;
  std::map<std::string, Span> parameterPlaces; // in the program, by path
  std::vector<std::string> layers = {""};
  /// Options that must be numbers while checking, found so far; checking starts again when it
  /// finds another.
  std::set<std::string> compileTime;
  bool foundCompileTime = false;

private:
  std::set<std::string> paths;
};

} // namespace dlm::sema
