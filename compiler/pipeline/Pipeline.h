// The whole compiler, in order. This folder is the only place that knows it:
//
//   parse check lower expand simplify pin | fuse place, then what the target needs
//
// The first half is here, the second in Backend.h.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/pipeline/Backend.h"

#include <utility>

namespace dlm {

struct PipelineOptions {
  /// `-D NAME=VALUE`, in order.
  std::vector<std::pair<std::string, std::string>> definitions;
  /// The train block to compile, if the file has several.
  std::string train;
  /// Stop here and return text: one of `emitPhases`; empty: go on to the end.
  std::string emit;
  /// Stop after checking, and check every train block if none is named.
  bool checksOnly = false;
  BackendOptions backend;
  PhaseOptions phases;
};

/// The values of `--emit`, in order.
const std::vector<std::string> &emitPhases();

/// Is it one that only a program for a GPU goes through?
bool isDevicePhase(const std::string &phase);

struct PipelineResult {
  CompiledProgram program;
  /// The program after the phase that `emit` names.
  std::string text;
  std::string timeReport;
  /// Of a program that was only checked: it is right, and cannot be compiled yet. Warnings say why.
  bool isNotYet = false;
};

/// Compiles the file at `path`. Errors of the user's are in `diagnostics` and make the status
/// InvalidArgument with an empty message; any other failure explains itself in its message.
Expected<PipelineResult> compileFile(const std::string &path, const PipelineOptions &options,
                                     SourceManager &sources, DiagnosticEngine &diagnostics);

} // namespace dlm
