// What is known of the names in a document: one fact for each place where a name stands, gathered
// while the document is checked. Facts are texts and places only, since values end with the check.
#pragma once

#include "compiler/sema/evaluate/Observer.h"

#include <map>
#include <string>
#include <vector>

namespace dlm::lsp {

struct Fact {
  Span place; // of the name
  std::string name;
  std::string word;    // "let", "option", "parameter", ...; empty if it is declared nowhere
  Span declared;       // where the name is declared
  Span meaning;        // the function, model or optimizer that it stands for
  Span text;           // of a module: the beginning of its file
  std::string builtin; // or the function of the compiler: "softmax(x, over)"
  Span callee;         // of the name of an argument: what is called
  std::vector<std::string> values; // ": f32[batch, 10]", " = 512": what it was, each once
  std::vector<std::string> parts;  // "weight: f32[784, 10]": parameters, fields
  unsigned count = 0;              // how often it was evaluated
};

/// A name that can be written at a place.
struct Candidate {
  std::string name;
  Fact fact;
};

class FactCollector : public sema::Observer {
public:
  /// Collects about files numbered from `first` on: those before are of the library.
  explicit FactCollector(FileId first) : first(first) {}

  void begin() override {
    facts.clear();
    toldCounts.clear();
  }
  void name(const ast::Expr &expr, const sema::ScopePtr &scope, const sema::Binding *binding,
            const sema::Value &value) override;
  void member(const ast::Expr &expr, const sema::Value &base, const sema::Value &value) override;
  void call(const sema::Signature &signature,
            const std::vector<sema::CallArgument> &arguments) override;
  void scope(const sema::Scope &scope) override;

  /// By file and first byte.
  using Facts = std::map<std::pair<FileId, uint32_t>, Fact>;
  Facts facts;
  /// Names seen everywhere.
  std::vector<Candidate> library;

private:
  void add(Span place, const std::string &name, const sema::Binding *binding,
           const sema::Value &value);

  FileId first;
  std::map<const sema::Scope *, size_t> toldCounts; // bindings at the last time
};

/// Adds the facts of another check of the same texts.
void mergeFacts(FactCollector::Facts &into, FactCollector::Facts &&from);

/// What a binding and its value say of a name.
Fact describe(const std::string &name, const sema::Binding *binding, const sema::Value &value);

/// The members of a value that can be written behind its `.`.
std::vector<Candidate> membersOf(const sema::Value &value);

} // namespace dlm::lsp
