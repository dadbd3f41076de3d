// The command line of a compiled program: `PROGRAM COMMAND [--flag [VALUE]]...`. The flags are a
// table, the program adds its options, and what is not known is an error that names the nearest.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "runtime/abi/ProgramFlags.h"
#include "runtime/base/Status.h"
#include "runtime/launch/ValueTests.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dlm {

/// An option that the program declares.
struct ProgramOption {
  std::string name;
  std::string doc;
  bool isInteger = false;
  bool isRunTime = true;
  double value = 0;                  // the default, of a number
  std::string kind = {};             // "bool", "string", a unit, ...; empty for a number
  std::string text = {};             // the value, of what is not a number
  std::string place = {};            // "FILE:LINE" of its declaration
  bool isGiven = false;              // the value is from `-D`
  std::vector<ValueTest> tests = {}; // what a value has to fulfil
  int64_t multipleOf = 1;            // and, of the batch, what it is cut into
  // Those that take it as a flag, because it changes what they do; nothing: not known, all.
  std::optional<std::set<std::string>> commands = {};

  bool isOf(const std::string &command) const { return !commands || commands->count(command); }
};

/// A flag of a command that the program declares.
struct CommandArgument {
  std::string name;
  std::string type; // "int", "f32", "bool" or "string"
  bool isRequired = false;
  std::string byDefault;                        // as a flag would give it
  int64_t lower = INT64_MIN, upper = INT64_MAX; // of an int; of a string, the most tokens, or 0
  std::vector<ValueTest> tests = {};            // what a value has to fulfil; of a string, its
                                                // number of tokens
};

struct DeclaredCommand {
  std::string name, doc;
  std::vector<CommandArgument> arguments;
  bool drawsAtRandom = true; // so it reads the seed
};

struct CommandLine {
  std::string command; // "train", "eval", ..., or a declared one; empty with `help` or `version`
  bool isDeclared = false;                  // by the program
  std::map<std::string, double> arguments;  // of a declared command, all of them
  std::map<std::string, std::string> texts; // those that are strings
  bool help = false;
  bool version = false;
  bool json = false;
  bool resume = false;
  bool acceptChanges = false;
  bool plan = false;
  std::optional<int64_t> steps;
  std::optional<plan::QuantityT> duration;
  std::optional<int64_t> threads;
  std::optional<int64_t> loaderThreads;
  std::optional<uint64_t> seed;
  std::optional<std::string> to;
  std::optional<std::string> from;
  std::optional<std::string> device;
  std::optional<std::string> order;
  std::optional<uint64_t> orderSeed;
  std::optional<std::string> emulatorReport;
  std::optional<std::string> split;        // of `predict`
  std::map<std::string, std::string> data; // NAME=PATH; one without a name is the program's
  std::map<std::string, double> options;   // run-time options that were given
};

/// A command, for --help.
struct CommandSpec {
  const char *name;
  const char *doc;
};

const std::vector<FlagSpec> &flagTable();
const std::vector<CommandSpec> &commandTable();

/// Whether a command takes a flag.
bool takesFlag(const std::string &command, const FlagSpec &flag,
               const std::vector<DeclaredCommand> &declared);

/// Parses the arguments after the program's name. `isForDevices`: the program was compiled for a
/// GPU. The failure is a sentence for the user.
Expected<CommandLine> parseCommandLine(const std::vector<std::string> &arguments,
                                       const std::vector<ProgramOption> &options,
                                       bool isForDevices = false,
                                       const std::vector<DeclaredCommand> &declared = {});

} // namespace dlm
