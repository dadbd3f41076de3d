// The language server: answers an editor's requests about the documents it holds open.
//
// One thread reads, checks and answers. Edits only change texts; documents are checked when nothing
// more waits to be read, or a request asks about them. So there is at most one check for each pause
// of the editor, and the pipe holds back an editor that is faster than that.
#pragma once

#include "compiler/lsp/Documents.h"
#include "compiler/lsp/LibraryFiles.h"

#include <llvm/Support/LSP/Transport.h>

#include <map>
#include <string>

namespace dlm::lsp {

class Server {
public:
  /// Sends through `transport`; copies of library files are written to `cacheFolder`.
  Server(llvm::lsp::JSONTransport &transport, std::string version, std::string cacheFolder);

  /// Serves what comes from a file descriptor. The exit status: 0 if the editor asked to shut down
  /// before it left.
  int run(int input);
  /// After `run`: why it ended, for people; empty if it ended as the protocol says.
  const std::string &whyEnded() const { return failure; }

private:
  template <class T> using Callback = llvm::lsp::Callback<T>;
  using Json = llvm::json::Value;

  void addHandlers();
  /// Handles one message; false if it was `exit`.
  bool handle(const std::string &message);
  bool mayCall(llvm::StringRef method, const Json &id);
  void sendError(Json id, const std::string &text, llvm::lsp::ErrorCode code);

  // Life.
  void onInitialize(const llvm::lsp::NoParams &, Callback<Json> reply);
  void onInitialized(const llvm::lsp::NoParams &) {}
  void onShutdown(const llvm::lsp::NoParams &, Callback<std::nullptr_t> reply);
  // Texts.
  void onOpen(const llvm::lsp::DidOpenTextDocumentParams &params);
  void onChange(const llvm::lsp::DidChangeTextDocumentParams &params);
  void onClose(const llvm::lsp::DidCloseTextDocumentParams &params);
  void onFilesChanged(const llvm::lsp::NoParams &);
  // Questions.
  void onHover(const llvm::lsp::TextDocumentPositionParams &params, Callback<Json> reply);
  void onDefinition(const llvm::lsp::TextDocumentPositionParams &params, Callback<Json> reply);
  void onCompletion(const llvm::lsp::CompletionParams &params, Callback<Json> reply);
  void onSymbols(const llvm::lsp::DocumentSymbolParams &params, Callback<Json> reply);
  void onFormatting(const llvm::lsp::DocumentSymbolParams &params, Callback<Json> reply);
  void onCodeAction(const llvm::lsp::CodeActionParams &params, Callback<Json> reply);

  /// The document, checked; null if it is not open.
  Document *current(const llvm::lsp::URIForFile &uri);
  void checkStale();
  void publish();
  void publishFile(const std::string &path, llvm::json::Array diagnostics);

  llvm::lsp::JSONTransport &transport;
  llvm::lsp::MessageHandler handler;
  std::string version;
  LibraryFiles libraryFiles;
  Documents documents;
  std::map<std::string, std::string> published; // by path: what the editor shows, if it is anything
  std::string failure;
  bool isInitialized = false;
  bool isShutDown = false;
};

} // namespace dlm::lsp
