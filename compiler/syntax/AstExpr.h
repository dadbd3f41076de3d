// The syntax tree: one struct for each construct of the grammar, a span on every node, no meaning
// yet.
//
// Expressions are one tagged struct, since most of what is done with them is done alike for all
// kinds (walk the operands, copy the span); declarations and statements are separate structs. Trees
// are immutable after parsing and own their children.
#pragma once

#include "compiler/source/Span.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dlm::ast {

struct Expr;
struct TypeRef;
struct Block;
using ExprPtr = std::unique_ptr<Expr>;
using TypeRefPtr = std::unique_ptr<TypeRef>;

/// A name as written, with its place.
struct Name {
  std::string text;
  Span span;
};

/// `x` or `(a, b)` on the left of `let` and `for`.
struct Pattern {
  std::vector<Name> names;
  bool isTuple = false;
  Span span;
};

/// `name: T = value` in a parameter list; `type` and `value` may be null.
struct Param {
  Name name;
  TypeRefPtr type;
  ExprPtr value;
  Span span;
};

/// `value` or `name = value` in a call or record; an empty name means positional.
struct Argument {
  Name name;
  ExprPtr value;
  Span span;
};

/// One entry of `x[...]`: a single index, a slice, or `...`.
struct Index {
  enum Kind { Single, Slice, Ellipsis } kind = Single;
  ExprPtr begin; // the index itself, or the slice's first bound (null when left out)
  ExprPtr end;   // the slice's second bound (null when left out)
  Span span;
};

/// `key => value` or `value` in a list.
struct Entry {
  ExprPtr key; // null for a plain element
  ExprPtr value;
};

/// `for pattern in list` of a comprehension.
struct ForClause {
  Pattern pattern;
  ExprPtr list;
};

enum class ExprKind {
  Number,   // text, unit (optional word behind the number, as in `250 steps`)
  Percent,  // text without the sign
  Quantity, // text as written: `30min`
  String,   // text with escapes resolved
  Bool,     // text: "true" or "false"
  None,
  Name,          // text
  Member,        // operands[0] . text
  Call,          // operands[0] ( arguments )
  Subscript,     // operands[0] [ indices ]
  Unary,         // text: "-" or "not"; operands[0]
  Binary,        // operands[0] text operands[1]: ** * / % @ + - .. == != < <= > >= in and or
  Pipe,          // operands[0] |> operands[1]
  Record,        // ( arguments ) with a comma or a name in it, or ()
  List,          // [ entries ]
  Comprehension, // [ entries[0] for clauses if operands[0] ]; operands is empty without `if`
  If,            // if operands[0] body else (elseBody or operands[1], which is another If)
  Lambda,        // fn params -> resultType body
};

struct Expr {
  ExprKind kind = ExprKind::None;
  Span span;     // the whole expression
  Span nameSpan; // the operator, the member's name or the unit, where there is one
  std::string text;
  std::string unit;
  std::vector<ExprPtr> operands;
  std::vector<Argument> arguments;
  std::vector<Index> indices;
  std::vector<Entry> entries;
  std::vector<ForClause> clauses;
  std::vector<Param> params;
  TypeRefPtr resultType;
  std::unique_ptr<Block> body;
  std::unique_ptr<Block> elseBody;

  Expr() = default;
  ~Expr(); // frees long chains of operands without recursion
};

/// One dimension of a type: an expression, or `...` with an optional name.
struct Dim {
  bool isEllipsis = false;
  Name name;    // of a named ellipsis
  ExprPtr size; // null for an ellipsis
  Span span;
};

struct TypeRef {
  enum Kind { Named, Record, List, Function } kind = Named;
  Span span;
  std::string text;     // Named: `f32`, `int`, `data.Columns`
  bool hasDims = false; // Named: whether `[...]` was written
  std::vector<Dim> dims;
  bool isOptional = false;
  std::vector<Param> fields;        // Record
  std::vector<TypeRefPtr> operands; // List: the element; Function: the parameters
  TypeRefPtr result;                // Function
};

enum class StmtKind { Let, Next, Require, Expect, Expr };

/// One line of a block.
struct Stmt {
  StmtKind kind = StmtKind::Expr;
  Span span;
  Pattern pattern;     // Let
  TypeRefPtr type;     // Let
  Name target;         // Next
  ExprPtr value;       // the expression of every kind
  std::string message; // Require, Expect: the text behind the comma, or empty
};

/// `{ ... }`: its value is that of the last statement, which is then an expression.
struct Block {
  std::vector<Stmt> statements;
  Span span;
};

} // namespace dlm::ast
