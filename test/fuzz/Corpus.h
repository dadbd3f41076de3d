// The programs that mutation starts from: every DLM text of the repository.
#pragma once

#include "test/fuzz/Pieces.h"

#include <array>
#include <string>
#include <vector>

namespace dlm::fuzz {

struct CorpusProgram {
  std::string name; // where it comes from
  std::string text;
  bool checks = false;
  std::vector<Piece> pieces;
  std::array<std::vector<uint32_t>, pieceKindCount> byKind; // indexes into `pieces`
  std::vector<std::string> words;                           // its names
  std::vector<std::string> numbers;
};

struct Corpus {
  std::vector<CorpusProgram> programs;
  /// Names that are known everywhere: functions, types, ambient names, settings.
  std::vector<std::string> knownWords;
  /// Indexes of the programs that check.
  std::vector<uint32_t> clean;
};

/// Reads the `.dlm` files and the `dlm` blocks of `.md` files below the repository's root. Throws
/// std::runtime_error if there are none. Data is looked for in the current folder.
Corpus readCorpus(const std::string &root);

/// The program's pieces of a kind that are texts, as views.
std::string_view textOf(const CorpusProgram &program, const Piece &piece);

} // namespace dlm::fuzz
