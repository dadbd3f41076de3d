// Edits are chosen on the pieces of the unchanged program and applied from the back, so that the
// ranges stay true.
#include "test/fuzz/Mutate.h"

#include "compiler/sema/builtins/Builtin.h"
#include "test/fuzz/Tokens.h"
#include "test/fuzz/Words.h"

#include <algorithm>
#include <tuple>

namespace dlm::fuzz {

namespace {

struct Edit {
  uint32_t begin = 0;
  uint32_t end = 0;
  std::string text;
};

/// Everything an edit is made from.
struct Bench {
  const Corpus &corpus;
  const CorpusProgram &program;
  Random &random;

  const Piece *pickOf(const CorpusProgram &from, PieceKind kind) const {
    const std::vector<uint32_t> &indexes = from.byKind[size_t(kind)];
    return indexes.empty() ? nullptr : &from.pieces[random.pick(indexes)];
  }
  std::string ownExpression() const {
    const Piece *piece = pickOf(program, PieceKind::Expression);
    if (!piece || piece->end - piece->begin > 200) return "1";
    return std::string(textOf(program, *piece));
  }
  std::string ownName() const { return random.pick(program.words); }
};

bool isListed(PieceKind kind) {
  return kind == PieceKind::Argument || kind == PieceKind::Parameter;
}

const char *separatorOf(PieceKind kind) { return isListed(kind) ? ", " : "\n"; }

/// The text with some of its names exchanged for names of the program.
std::string withOwnNames(const Bench &bench, std::string_view text) {
  std::vector<Token> tokens = tokensOf(text);
  for (Token &token : tokens)
    if (token.kind == TokenKind::Word && bench.random.oneIn(3)) token.text = bench.ownName();
  return joined(tokens);
}

Edit cut(const Bench &bench, const Piece &piece) {
  Edit edit = {piece.begin, piece.end, ""};
  const std::string &text = bench.program.text;
  if (!isListed(piece.kind)) return edit;
  while (edit.end < text.size() && (text[edit.end] == ' ' || text[edit.end] == ','))
    if (text[edit.end++] == ',') break;
  return edit;
}

Edit doubled(const Bench &bench, const Piece &piece) {
  return {piece.end, piece.end,
          separatorOf(piece.kind) + std::string(textOf(bench.program, piece))};
}

/// The piece replaced by, or preceded by, one of the same kind from any program.
Edit spliced(const Bench &bench, const Piece &piece) {
  const CorpusProgram &other =
      bench.random.oneIn(2) ? bench.program : bench.random.pick(bench.corpus.programs);
  const Piece *piece2 = bench.pickOf(other, piece.kind);
  if (!piece2) return {piece.begin, piece.begin, ""};
  std::string text(textOf(other, *piece2));
  if (&other != &bench.program && bench.random.oneIn(2)) text = withOwnNames(bench, text);
  if (piece.kind == PieceKind::Expression) text = "(" + text + ")";
  bool isAdded = piece.kind != PieceKind::Expression && piece.kind != PieceKind::Type &&
                 piece.kind != PieceKind::Block && bench.random.oneIn(2);
  if (isAdded) return {piece.begin, piece.begin, text + separatorOf(piece.kind)};
  return {piece.begin, piece.end, text};
}

/// A call of a function of the compiler with fitting names and arguments of the program.
std::string builtinCall(const Bench &bench, const std::string &first) {
  static const std::vector<const sema::BuiltinTable *> tables = {
      &sema::pointwiseBuiltins(), &sema::reductionBuiltins(), &sema::shapeBuiltins(),
      &sema::creationBuiltins(), &sema::initialiserBuiltins()};
  const sema::Builtin &builtin = bench.random.pick(*bench.random.pick(tables));
  const sema::SignatureNames &signature = builtin.signature;
  std::string arguments;
  for (size_t i = 0; i < signature.names.size(); ++i) {
    if (signature.isOptional[i] && bench.random.oneIn(2)) continue;
    std::string value = i == 0                  ? first
                        : bench.random.oneIn(3) ? extremeNumber(bench.random)
                        : bench.random.oneIn(3) ? "[" + bench.ownExpression() + "]"
                        : bench.random.oneIn(4) ? extremeString(bench.random)
                                                : bench.ownExpression();
    bool isNamed = signature.isOptional[i];
    arguments +=
        (arguments.empty() ? "" : ", ") + (isNamed ? signature.names[i] + " = " : "") + value;
  }
  return std::string(builtin.name) + "(" + arguments + ")";
}

/// An expression made around one of the program.
std::string wrapped(const Bench &bench, const std::string &x) {
  static const std::vector<std::string> operators = {" + ",  " - ",  " * ",  " / ", " % ",  " ** ",
                                                     " @ ",  " .. ", " == ", " < ", " in ", " and ",
                                                     " or ", " |> ", " != ", " >= "};
  Random &random = bench.random;
  switch (random.below(18)) {
  case 0:
  case 1:
    return "(" + x + random.pick(operators) + bench.ownExpression() + ")";
  case 2:
    return "(" + x + random.pick(operators) + extremeNumber(random) + ")";
  case 3:
    return "if " + bench.ownExpression() + " { " + x + " } else { " + bench.ownExpression() + " }";
  case 4:
    return "[" + x + " for i in " + bench.ownExpression() + " if " + bench.ownExpression() + "]";
  case 5:
    return "[" + x + ", " + bench.ownExpression() + "]";
  case 6:
    return "(" + x + ")[" + bench.ownExpression() + "]";
  case 7:
    return "(" + x + ")[0.." + extremeNumber(random) + ", ...]";
  case 8:
    return "(a = " + x + ", b = " + bench.ownExpression() + ")";
  case 9:
    return "(" + x + ")." + bench.ownName();
  case 10:
    return "fn(x) { " + x + " }";
  case 11:
    return "(" + x + ")(" + bench.ownExpression() + ")";
  case 12:
    return "[" + x + " => " + bench.ownExpression() + "]";
  case 13:
    return "-" + x;
  default:
    return builtinCall(bench, x);
  }
}

/// The expression inside of many brackets, calls or conditions of one sort.
std::string nested(const Bench &bench, const std::string &x) {
  static const std::vector<std::pair<std::string, std::string>> sorts = {
      {"(", ")"},
      {"[", "]"},
      {"-", ""},
      {"not ", ""},
      {"if true { ", " } else { 1 }"},
      {"fn(x) { ", " }"},
      {"exp(", ")"},
      {"(a = ", ")"},
      {"[", " for i in [1, 2]]"},
      {"1 + ", ""},
      {"2 ** ", ""},
      {"(", " + 1)"},
      {"[1, 2] + ", ""},
      {"", "[0]"},
      {"", ".a"}};
  const auto &sort = bench.random.pick(sorts);
  size_t depth = bench.random.oneIn(4) ? bench.random.below(400) : bench.random.below(20);
  std::string text = x;
  std::string before, after;
  for (size_t i = 0; i < depth; ++i) {
    before += sort.first;
    after += sort.second;
  }
  return before + text + after;
}

Edit expressionEdit(const Bench &bench, const Piece &piece) {
  std::string x(textOf(bench.program, piece));
  auto by = [&](std::string text) { return Edit{piece.begin, piece.end, std::move(text)}; };
  switch (bench.random.below(10)) {
  case 0:
  case 1:
    return by(extremeNumber(bench.random));
  case 2:
    return by(bench.random.oneIn(3) ? extremeString(bench.random) : bench.ownName());
  case 3:
    return by(bench.random.pick(bench.corpus.knownWords));
  case 4:
    return by(x.size() < 300 ? nested(bench, x) : x);
  case 5:
  case 6:
  case 7:
    return by(wrapped(bench, x));
  default:
    return spliced(bench, piece);
  }
}

/// A type of the program or one made up.
Edit typeEdit(const Bench &bench, const Piece &piece) {
  static const std::vector<std::string> bases = {"f32", "i32", "u8",    "bool",
                                                 "i64", "int", "string"};
  std::string text = bench.random.pick(bases) + "[";
  for (size_t i = bench.random.below(4); i > 0; --i)
    text += (bench.random.oneIn(3)   ? extremeNumber(bench.random)
             : bench.random.oneIn(3) ? std::string("...")
             : bench.random.oneIn(3) ? bench.ownExpression()
                                     : bench.ownName()) +
            (i > 1 ? ", " : "");
  return {piece.begin, piece.end, text + "]"};
}

Edit editOf(const Bench &bench) {
  auto kind = PieceKind(bench.random.below(pieceKindCount));
  if (bench.random.oneIn(2)) kind = PieceKind::Expression;
  const Piece *piece = bench.pickOf(bench.program, kind);
  if (!piece) return {};
  if (kind == PieceKind::Expression) return expressionEdit(bench, *piece);
  if (kind == PieceKind::Type && bench.random.oneIn(2)) return typeEdit(bench, *piece);
  switch (bench.random.below(4)) {
  case 0:
    return cut(bench, *piece);
  case 1:
    return doubled(bench, *piece);
  default:
    return spliced(bench, *piece);
  }
}

} // namespace

std::string mutateTree(const Corpus &corpus, const CorpusProgram &program, Random &random) {
  Bench bench = {corpus, program, random};
  std::vector<Edit> edits;
  size_t count = 1 + (random.oneIn(2) ? 0 : random.below(4));
  for (size_t i = 0; i < count; ++i)
    edits.push_back(editOf(bench));
  std::sort(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) {
    return std::tie(a.begin, a.end, a.text) > std::tie(b.begin, b.end, b.text);
  });
  std::string text = program.text;
  uint32_t limit = uint32_t(text.size());
  for (const Edit &edit : edits) {
    if (edit.end > limit) continue; // lies around one already made
    text.replace(edit.begin, edit.end - edit.begin, edit.text);
    limit = edit.begin;
  }
  return text;
}

} // namespace dlm::fuzz
