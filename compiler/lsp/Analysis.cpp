// A file with several train blocks is checked once for each. A message is kept if any of these
// checks gives it; that an option is unused, only if all of them do.
#include "compiler/lsp/Analysis.h"

#include "compiler/sema/Check.h"
#include "compiler/sema/modules/LibraryTexts.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <tuple>

namespace dlm::lsp {

Library::Library() : diagnostics(sources), modules(sources, diagnostics) {
  for (const sema::LibraryText &text : sema::libraryTexts())
    modules.findInLibrary(std::string(text.name));
}

namespace {

/// The names of the runs to check; one without a name if there is none.
std::vector<std::string> runsOf(const ast::File &file) {
  std::vector<std::string> result;
  for (const ast::Train &train : file.trains)
    if (std::find(result.begin(), result.end(), train.name.text) == result.end())
      result.push_back(train.name.text);
  if (result.empty()) result.emplace_back();
  return result;
}

class Messages {
public:
  void add(const DiagnosticEngine &engine, bool isFirst) {
    std::set<Key> here;
    for (const Diagnostic *message : engine.sorted()) {
      Key key = {message->kind, message->span.file, message->span.begin, message->message};
      here.insert(key);
      if (message->kind == Kind::UnusedOption && !isFirst) continue;
      if (seen.insert(key).second) all.push_back(*message);
    }
    if (isFirst) return;
    auto isUsedHere = [&](const Diagnostic &message) {
      return message.kind == Kind::UnusedOption &&
             !here.count({message.kind, message.span.file, message.span.begin, message.message});
    };
    all.erase(std::remove_if(all.begin(), all.end(), isUsedHere), all.end());
  }

  std::vector<Diagnostic> all;

private:
  using Key = std::tuple<Kind, FileId, uint32_t, std::string>;
  std::set<Key> seen;
};

void addNames(const std::vector<Declaration> &declarations, Analysis::ByName &byName) {
  for (const Declaration &each : declarations) {
    byName[{each.nameSpan.file, each.nameSpan.begin}] = &each;
    addNames(each.children, byName);
  }
}

} // namespace

std::shared_ptr<const Analysis> analyse(const std::string &path, const std::string &text,
                                        const Library &library,
                                        const SourceManager::Overlay &overlay) {
  auto result = std::make_shared<Analysis>();
  SourceManager &sources = result->sources;
  sources = library.sources;
  result->firstOwn = sources.fileCount();
  sources.setOverlay([&](const std::string &asked) {
    result->paths.insert(asked);
    return overlay(asked);
  });
  result->root = sources.addFile(path, text);
  result->paths.insert(path);
  DiagnosticEngine syntax(sources);
  std::unique_ptr<ast::File> file = parseWhatFits(sources, result->root, syntax);
  result->hasSyntaxErrors = syntax.hasErrors();
  Messages messages;
  messages.add(syntax, true);
  DiagnosticEngine moduleSyntax(sources);
  sema::ModuleFiles modules(sources, moduleSyntax);
  modules.takeLibrary(library.modules);
  FactCollector collector(result->firstOwn);
  sema::CheckOptions options;
  options.observer = &collector;
  bool isFirst = true;
  for (const std::string &run : runsOf(*file)) {
    options.train = run;
    DiagnosticEngine engine(sources);
    sema::check(*file, sources, modules, engine, options);
    // What was lost with a statement that does not parse would be missed by others.
    if (!result->hasSyntaxErrors) messages.add(engine, isFirst);
    mergeFacts(result->facts, std::move(collector.facts));
    isFirst = false;
  }
  messages.add(moduleSyntax, true);
  result->diagnostics = std::move(messages.all);
  result->library = std::move(collector.library);
  result->declarations[result->root] = declarationsOf(*file, sources);
  for (const auto &entry : modules.all())
    if (entry.second.file)
      result->declarations[entry.second.id] = declarationsOf(*entry.second.file, sources);
  for (const auto &entry : result->declarations)
    addNames(entry.second, result->byName);
  sources.setOverlay(nullptr);
  return result;
}

void probe(const std::string &path, const std::string &text, const Library &library,
           const SourceManager::Overlay &overlay, sema::Observer &observer,
           const std::function<bool()> &isDone) {
  SourceManager sources = library.sources;
  sources.setOverlay(overlay);
  DiagnosticEngine syntax(sources);
  std::unique_ptr<ast::File> file = parseWhatFits(sources, sources.addFile(path, text), syntax);
  sema::ModuleFiles modules(sources, syntax);
  modules.takeLibrary(library.modules);
  sema::CheckOptions options;
  options.observer = &observer;
  for (const std::string &run : runsOf(*file)) {
    options.train = run;
    DiagnosticEngine engine(sources);
    sema::check(*file, sources, modules, engine, options);
    if (isDone()) return;
  }
}

const Fact *Analysis::factAt(FileId file, uint32_t offset) const {
  auto next = facts.upper_bound({file, offset});
  if (next == facts.begin()) return nullptr;
  const Fact &fact = std::prev(next)->second;
  bool isInside = fact.place.file == file && offset <= fact.place.end;
  return isInside ? &fact : nullptr;
}

const Declaration *Analysis::declaration(Span nameSpan) const {
  auto found = byName.find({nameSpan.file, nameSpan.begin});
  return found == byName.end() ? nullptr : found->second;
}

} // namespace dlm::lsp
