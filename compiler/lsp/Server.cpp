// The life of the server, its documents, and what is published about them. Answers to questions
// are in Answers.cpp.
#include "compiler/lsp/Server.h"

#include "compiler/lsp/MessageInput.h"
#include "compiler/lsp/ProtocolValues.h"

#include <filesystem>
#include <set>
#include <tuple>

namespace dlm::lsp {

using namespace llvm::lsp;
namespace json = llvm::json;

namespace {

/// One spelling for each file, as modules are looked up by path.
std::string pathOf(const URIForFile &uri) {
  return std::filesystem::path(uri.file().str()).lexically_normal().string();
}

} // namespace

Server::Server(JSONTransport &transport, std::string version, std::string cacheFolder)
    : transport(transport), handler(transport), version(std::move(version)),
      libraryFiles(std::move(cacheFolder)) {
  addHandlers();
}

void Server::addHandlers() {
  handler.method("initialize", this, &Server::onInitialize);
  handler.notification("initialized", this, &Server::onInitialized);
  handler.method("shutdown", this, &Server::onShutdown);
  handler.notification("textDocument/didOpen", this, &Server::onOpen);
  handler.notification("textDocument/didChange", this, &Server::onChange);
  handler.notification("textDocument/didClose", this, &Server::onClose);
  handler.notification("textDocument/didSave", this, &Server::onFilesChanged);
  handler.notification("workspace/didChangeWatchedFiles", this, &Server::onFilesChanged);
  handler.method("textDocument/hover", this, &Server::onHover);
  handler.method("textDocument/definition", this, &Server::onDefinition);
  handler.method("textDocument/completion", this, &Server::onCompletion);
  handler.method("textDocument/documentSymbol", this, &Server::onSymbols);
  handler.method("textDocument/formatting", this, &Server::onFormatting);
  handler.method("textDocument/codeAction", this, &Server::onCodeAction);
}

int Server::run(int descriptor) {
  MessageInput input(descriptor);
  std::string message;
  while (true) {
    if (!input.hasWaiting()) checkStale();
    if (!input.read(message) || !handle(message)) break;
  }
  failure = input.failure();
  if (failure.empty() && !isShutDown) failure = "the editor left without `shutdown`";
  return isShutDown && failure.empty() ? 0 : 1;
}

void Server::sendError(Json id, const std::string &text, ErrorCode code) {
  transport.reply(std::move(id), llvm::make_error<LSPError>(text, code));
}

/// Whether a request fits the state; if not, it is answered with an error.
bool Server::mayCall(llvm::StringRef method, const Json &id) {
  if (isShutDown)
    sendError(id, "the server was shut down", ErrorCode::InvalidRequest);
  else if (!isInitialized && method != "initialize")
    sendError(id, "the server is not initialized", ErrorCode::ServerNotInitialized);
  else if (isInitialized && method == "initialize")
    sendError(id, "the server is initialized already", ErrorCode::InvalidRequest);
  else
    return true;
  return false;
}

/// Whether values stand in each other deeper than any request needs: parsing and freeing them
/// would take as much stack.
static bool isNestedTooDeep(const std::string &message) {
  constexpr int depthMax = 1000;
  int depth = 0;
  bool isString = false;
  for (size_t i = 0; i < message.size(); ++i) {
    char c = message[i];
    if (isString && c == '\\') ++i;
    if (c == '"') isString = !isString;
    if (isString) continue;
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (depth > depthMax) return true;
  }
  return false;
}

bool Server::handle(const std::string &message) {
  if (isNestedTooDeep(message)) {
    sendError(nullptr, "this is nested too deep for a request", ErrorCode::ParseError);
    return true;
  }
  llvm::Expected<Json> parsed = json::parse(message);
  if (!parsed) {
    sendError(nullptr, llvm::toString(parsed.takeError()), ErrorCode::ParseError);
    return true;
  }
  json::Object *object = parsed->getAsObject();
  std::optional<llvm::StringRef> method;
  if (object) method = object->getString("method");
  const Json *id = object ? object->get("id") : nullptr;
  bool isReply = object && !method && id && (object->get("result") || object->get("error"));
  if (isReply) return true; // nothing is ever asked of the editor
  bool isFormed = method && object->getString("jsonrpc") == llvm::StringRef("2.0");
  if (!isFormed) {
    sendError(id ? *id : Json(nullptr), "this is not a request", ErrorCode::InvalidRequest);
    return true;
  }
  if (*method == "exit") return false;
  Json params = nullptr;
  if (const Json *given = object->get("params")) params = *given;
  if (id) {
    if (mayCall(*method, *id)) handler.onCall(*method, std::move(params), *id);
  } else if (isInitialized && !isShutDown) {
    handler.onNotify(*method, std::move(params));
  }
  return true;
}

void Server::onInitialize(const NoParams &, Callback<Json> reply) {
  isInitialized = true;
  reply(json::Object{
      {"serverInfo", json::Object{{"name", "dlm-lsp"}, {"version", version}}},
      {"capabilities",
       json::Object{
           {"positionEncoding", "utf-16"},
           {"textDocumentSync", json::Object{{"openClose", true},
                                             {"change", int(TextDocumentSyncKind::Incremental)},
                                             {"save", true}}},
           {"hoverProvider", true},
           {"definitionProvider", true},
           {"completionProvider",
            json::Object{{"triggerCharacters", json::Array{".", "("}}, {"resolveProvider", false}}},
           {"documentSymbolProvider", true},
           {"documentFormattingProvider", true},
           {"codeActionProvider", json::Object{{"codeActionKinds", json::Array{"quickfix"}}}},
       }}});
}

void Server::onShutdown(const NoParams &, Callback<std::nullptr_t> reply) {
  isShutDown = true;
  reply(nullptr);
}

void Server::onOpen(const DidOpenTextDocumentParams &params) {
  const TextDocumentItem &item = params.textDocument;
  documents.open(pathOf(item.uri), item.uri.uri().str(), item.version, item.text);
}

void Server::onChange(const DidChangeTextDocumentParams &params) {
  std::vector<dlm::lsp::TextEdit> edits;
  for (const TextDocumentContentChangeEvent &change : params.contentChanges) {
    dlm::lsp::TextEdit edit;
    if (change.range) edit.range = fromProtocol(*change.range);
    edit.text = change.text;
    edits.push_back(std::move(edit));
  }
  documents.change(pathOf(params.textDocument.uri), params.textDocument.version, edits);
}

void Server::onClose(const DidCloseTextDocumentParams &params) {
  documents.close(pathOf(params.textDocument.uri));
  checkStale();
  publish();
}

/// Something was saved, perhaps a module or a data set: whatever reads files is checked again.
void Server::onFilesChanged(const NoParams &) { documents.touch(""); }

Document *Server::current(const URIForFile &uri) {
  Document *document = documents.find(pathOf(uri));
  if (document && documents.refresh(*document)) publish();
  return document;
}

void Server::checkStale() {
  bool isChanged = false;
  for (auto &entry : documents.all())
    isChanged |= documents.refresh(entry.second);
  if (isChanged) publish();
}

/// Tells the editor the messages of all files. A file has those of every open document that uses
/// it, since a function is checked where it is called.
void Server::publish() {
  std::map<std::string, json::Array> all;
  std::set<std::tuple<std::string, uint32_t, std::string>> seen;
  for (auto &[path, document] : documents.all()) {
    all[path];
    if (!document.analysis) continue;
    const Analysis &analysis = *document.analysis;
    ProtocolPlaces places(analysis, libraryFiles);
    for (const Diagnostic &diagnostic : analysis.diagnostics) {
      bool isOwn = diagnostic.span.isValid() && diagnostic.span.file >= analysis.firstOwn;
      std::string file = isOwn ? std::string(analysis.sources.path(diagnostic.span.file)) : path;
      if (libraryFiles.contains(file)) continue; // a copy of the library is not a program
      Diagnostic placed = diagnostic;
      if (!isOwn) placed.span = {analysis.root, 0, 0};
      Json value(toProtocol(placed, places));
      bool isNew = seen.emplace(file, placed.span.begin, placed.message).second;
      if (isNew) all[file].push_back(std::move(value));
    }
  }
  for (const auto &entry : std::map<std::string, std::string>(published))
    all[entry.first]; // what is no longer said is taken back
  for (auto &[path, diagnostics] : all)
    publishFile(path, std::move(diagnostics));
}

void Server::publishFile(const std::string &path, json::Array diagnostics) {
  bool isEmpty = diagnostics.empty();
  json::Object params{{"diagnostics", std::move(diagnostics)}};
  const Document *document = documents.find(path);
  if (document) {
    params["uri"] = document->uri;
    params["version"] = document->version;
  } else {
    llvm::Expected<URIForFile> uri = URIForFile::fromFile(path);
    if (!uri) return llvm::consumeError(uri.takeError());
    params["uri"] = uri->uri().str();
  }
  Json value(std::move(params));
  std::string text = llvm::formatv("{0}", value).str();
  auto known = published.find(path);
  if (known != published.end() && known->second == text) return;
  if (isEmpty && !document)
    published.erase(path);
  else
    published[path] = text;
  transport.notify("textDocument/publishDiagnostics", std::move(value));
}

} // namespace dlm::lsp
