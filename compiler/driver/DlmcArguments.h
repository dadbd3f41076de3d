// The command line of dlmc.
#pragma once

#include "compiler/pipeline/Pipeline.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm {

struct DlmcArguments {
  enum Command { Compile, Run, Check, Test, Format, Pack, Explain } command = Compile;
  std::string file;
  std::vector<std::string> files; // of `test`, `fmt` and `pack`: one or more
  std::string filter;             // of `test`: a part of a title
  std::string output;             // empty: the file's name without .dlm; `pack` needs one
  std::string runner;             // empty: dlm-runner beside dlmc
  std::string word;               // of `explain`
  std::string tokenizer;          // of `pack`: a kind or a file
  std::string endToken;           // of `pack`: what ends a document; may be empty
  std::vector<std::string> programArguments;
  std::vector<std::string> given; // the flags, with their dashes
  PipelineOptions pipeline;
  unsigned errorsMax = 20;   // shown in text form
  bool checksLayout = false; // of `fmt`
  bool fix = false;
  bool json = false;
  bool warningsFail = false;
  bool timePhases = false;
  bool help = false;
  bool version = false;
};

/// Parses the arguments after the program's name. On failure returns nothing and `error` is a
/// sentence for the user.
std::optional<DlmcArguments> parseArguments(const std::vector<std::string> &arguments,
                                            std::string &error);

/// Whether messages are to be JSON, also those about arguments that are wrong.
bool asksForJson(const std::vector<std::string> &arguments);

/// How a command is called: "dlmc check".
std::string commandName(DlmcArguments::Command command);

/// The text of --help: of the command, or of dlmc for `Compile`.
std::string dlmcHelp(DlmcArguments::Command command);

} // namespace dlm
