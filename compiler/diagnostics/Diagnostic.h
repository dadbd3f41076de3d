// What the compiler has to say about a program, as data: how it looks is decided by the renderers.
#pragma once

#include "compiler/source/Span.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlm {

enum class Severity { Error, Warning };

/// The registered kinds of messages, see Kinds.def.
enum class Kind {
#define KIND(name, word, severity, explanation) name,
#include "compiler/diagnostics/Kinds.def"
#undef KIND
};

/// A kind as registered.
struct KindInfo {
  Kind kind;
  std::string_view word;
  Severity severity;
  std::string_view explanation;
};

/// All kinds, in the order of Kinds.def.
const std::vector<KindInfo> &allKinds();
const KindInfo &kindInfo(Kind kind);

/// The kind of a word such as `shape-mismatch`, or nothing.
std::optional<Kind> findKind(std::string_view word);

/// How sure a proposed edit is. Only `Exact` edits are ever applied without a person looking.
enum class Applicability { Exact, Placeholder, Guess };

/// Underlined text: `^` where the fault is (primary), `-` where its cause is. The text may be
/// empty.
struct Label {
  Span span;
  std::string text;
  bool isPrimary = false;
};

/// A further remark; with a span, its line is shown.
struct Note {
  std::string text;
  Span span;
};

/// An edit that would help: `span` is replaced by `replacement`. Without a span it is advice only.
struct Help {
  std::string text;
  Span span;
  std::string replacement;
  Applicability applicability = Applicability::Guess;
};

/// Which messages say the same: code is checked once for every use, and what is wrong in it is
/// said once.
enum class Sameness {
  Text,  // of the same kind, at the same place, with the same text
  Place, // whatever their text: sizes and types differ from use to use
  Call   // and whatever their kind: faults inside of the library, shown at a call of it
};

struct Diagnostic {
  Kind kind;
  Severity severity;
  Sameness sameness;
  Span span;
  std::string message;
  std::vector<Label> labels;
  std::vector<Note> notes;
  std::vector<Help> helps;
};

} // namespace dlm
