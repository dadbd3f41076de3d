// The declarations of a file, each with its place and doc comment; see AstExpr.h for what they are
// made of.
#pragma once

#include "compiler/syntax/AstExpr.h"

namespace dlm::ast {

struct Function {
  Name name;
  std::vector<Param> params;
  TypeRefPtr result; // null when left out
  Block body;
  std::string doc;
  Span span;
};

/// `param`, `buffer` or `state`.
struct Stored {
  enum Kind { Param, Buffer, State } kind = Param;
  Name name;
  TypeRefPtr type;
  ExprPtr init; // null when left out
  std::string doc;
  Span span;
};

/// A member of a model or an optimizer, in the order written.
struct Member {
  enum Kind { StoredValue, Let, Fn, Require } kind = StoredValue;
  std::unique_ptr<Stored> stored;
  std::unique_ptr<Stmt> statement; // Let, Require
  std::unique_ptr<Function> function;
  Span span;
};

struct Model {
  Name name;
  std::vector<Param> params;
  std::vector<Member> members;
  std::string doc;
  Span span;
};

/// `optimizer O(params) for p: T { members }`.
struct Optimizer {
  Name name;
  std::vector<Param> params;
  Param target;
  std::vector<Member> members;
  std::string doc;
  Span span;
};

/// An item of a `train`, `search`, `export`, section or `update` body.
struct Item {
  enum Kind { Let, Fn, Update, Command, Require, Setting, Section } kind = Setting;
  Name name;                          // Setting, Section, Update
  ExprPtr value;                      // Setting
  std::unique_ptr<Stmt> statement;    // Let, Require
  std::unique_ptr<Function> function; // Fn, Command
  std::vector<Item> items;            // Section, Update
  std::string doc;
  Span span;
};

struct Use {
  std::vector<Name> path; // `a.b.c`
  Name alias;             // empty when left out
  Span span;
};

struct Option {
  Name name;
  TypeRefPtr type;
  ExprPtr value;
  std::string doc;
  Span span;
};

struct Train {
  Name name;
  std::vector<Item> items;
  std::string doc;
  Span span;
};

/// `search s of r { }` and `export e of r { }`.
struct Derived {
  Name name;
  Name of;
  std::vector<Item> items;
  Span span;
};

struct Test {
  std::string title;
  Block body;
  Span span;
};

/// A parsed file: its declarations by kind, each list in source order.
struct File {
  FileId file = ~0u;
  std::vector<Use> uses;
  std::vector<Option> options;
  std::vector<Stmt> lets;
  std::vector<Stmt> conditions; // `require`
  std::vector<Function> functions;
  std::vector<Model> models;
  std::vector<Optimizer> optimizers;
  std::vector<Train> trains;
  std::vector<Derived> searches;
  std::vector<Derived> exports;
  std::vector<Test> tests;
};

} // namespace dlm::ast
