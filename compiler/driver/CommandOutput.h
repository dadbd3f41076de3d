// What a command of dlmc says: results on standard output, messages on standard error, as text for
// people or as one JSON object a line.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"

#include <string>

namespace dlm {

/// The words of messages that are about no program, where a program's messages have their kind.
constexpr const char *commandWord = "command";
constexpr const char *internalErrorWord = "internal-error";

class CommandOutput {
public:
  explicit CommandOutput(bool isJson) : isJson(isJson) {}

  /// A part of the result.
  void print(const std::string &text);

  /// The messages about programs; as text, after `errorsMax` errors only how many are left.
  void show(const DiagnosticEngine &diagnostics, unsigned errorsMax);

  /// An error that has no place in a program; returns the exit status 1.
  int fail(const std::string &message);
  /// What is good to know.
  void note(const std::string &message);

  /// The exit status of a command that has done its work: 1, and an error, if standard output could
  /// not take what it printed.
  int finish(int status);

  const bool isJson;

private:
  void say(const char *word, const char *severity, const std::string &message);
};

} // namespace dlm
