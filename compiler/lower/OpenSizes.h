// Sizes of a command that are its arguments are known when it is called. Memory is planned for the
// largest, and so is the computation: each tensor is as large as it can get, and what stands behind
// its size in this call is never looked at. Where elements come together, in a reduction or a
// product, those behind it are first made the one that changes nothing.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace dlm::lower {

/// Why a command has to wait.
struct OpenSizesFault {
  Span span;
  std::string what, reason;
};

/// A graph whose sizes are all known. A text that comes in stands in it as the leaf
/// argument(text = NAME.ids): its tokens, with zeros behind them.
struct ClosedCommand {
  sema::Graph graph;
  std::map<std::string, int64_t> texts;         // the most tokens of each argument that is encoded
  std::map<std::string, std::string> arguments; // by the symbol of their value or their tokens
  int64_t madeMax = 0;                          // how many ids `generate` makes at most
  std::optional<OpenSizesFault> fault;          // then the rest is of no use
};

/// `data` is the name of the run's source, whose tokenizer is in the executable.
ClosedCommand closeSizes(const sema::Command &command, const std::string &data);

} // namespace dlm::lower
