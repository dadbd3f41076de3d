// dlm-lsp: the language server, over standard input and output. compiler/lsp/README.md says how an
// editor starts it.
#include "compiler/lsp/Server.h"

#include <llvm/Support/raw_ostream.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

/// Where copies of the library's files may be written; empty if there is no such place.
static std::string cacheFolder() {
  const char *cache = std::getenv("XDG_CACHE_HOME");
  const char *home = std::getenv("HOME");
  std::string base = cache && *cache ? cache : home && *home ? std::string(home) + "/.cache" : "";
  return base.empty() ? "" : base + "/dlm/stdlib-" DLM_VERSION;
}

int main(int argc, char **argv) {
  std::string word = argc > 1 ? argv[1] : "";
  if (word == "--version") {
    std::printf("dlm-lsp %s\n", DLM_VERSION);
    return 0;
  }
  bool isHelp = word == "--help" || word == "-h";
  if (isHelp || (argc > 1 && word != "--stdio")) {
    std::fprintf(isHelp ? stdout : stderr,
                 "usage: dlm-lsp [--stdio | --version]\n\n"
                 "The language server of DLM: an editor starts it and talks to it over standard\n"
                 "input and output.\n");
    return isHelp ? 0 : 2;
  }
  std::signal(SIGPIPE, SIG_IGN); // an editor that is gone ends the input as well
  llvm::lsp::JSONTransport transport(stdin, llvm::outs());
  dlm::lsp::Server server(transport, DLM_VERSION, cacheFolder());
  int status = server.run(STDIN_FILENO);
  llvm::outs().flush();
  llvm::outs().clear_error();
  if (!server.whyEnded().empty()) std::fprintf(stderr, "dlm-lsp: %s\n", server.whyEnded().c_str());
  return status;
}
