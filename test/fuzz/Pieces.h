// The parts of a program by what the grammar calls them, as ranges of its text: what is cut out of
// one place can stand in another of the same kind.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dlm::fuzz {

enum class PieceKind {
  Declaration,
  Member,
  Item,
  Statement,
  Argument,
  Parameter,
  Expression,
  Type,
  Block,
};
constexpr size_t pieceKindCount = 9;

struct Piece {
  PieceKind kind;
  uint32_t begin = 0;
  uint32_t end = 0;
};

/// All pieces of a program, outer ones first; empty if it does not parse. What it is made of is
/// counted in `kinds`, the bits of which are the kinds of expressions.
std::vector<Piece> piecesOf(const std::string &text, uint64_t &kinds);

} // namespace dlm::fuzz
