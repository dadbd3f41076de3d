// `generate` in a command makes one id in each call of the command's program. Whoever runs the
// command calls it again and again, and hands it back what it has made so far: so there is no loop
// in the program, and its memory is that of one call.
#pragma once

#include "compiler/sema/TypedProgram.h"
#include "compiler/sema/value/Symbols.h"

#include <optional>
#include <string>

namespace dlm::lower {

/// The hidden argument of such a command: how many ids there are. They lie in NAME.ids. A program
/// has no name with a point in it.
inline constexpr const char *MadeName = "generate.made";
/// Its hidden results: the next id, an i32, and whether it is the last one.
inline constexpr const char *NextName = "generate.next";
inline constexpr const char *EndName = "generate.end";

struct UnfoldedGraph {
  sema::Graph graph;
  int64_t madeMax = 0;    // how many ids there can be; 0: the command does not generate
  std::string madeSymbol; // of how many there are, if `until` decides it
  const sema::Node *refused = nullptr; // a node that has to wait
  std::string what = {}, reason = {};  // what it is, and why
};

/// The graph without `generate`: with the leaves and results named above. Two operations stand in
/// it that no other graph has:
///   size(extents = {e}): a size in this call, as an i32
///   open(x, size): x with the type of the node, whose last size is a symbol that is `size` in
///   this call; without `size` it is made of arguments
UnfoldedGraph unfoldGeneration(const sema::Graph &graph, const sema::Symbols &symbols);

} // namespace dlm::lower
