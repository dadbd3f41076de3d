// Nothing is written if nothing changes, so build systems see no new file.

#include "compiler/driver/FormatCommand.h"

#include "compiler/driver/ReplaceSource.h"
#include "compiler/format/Format.h"
#include "runtime/base/FileBytes.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace dlm {

namespace fs = std::filesystem;

namespace {

class FormatCommand {
public:
  FormatCommand(const DlmcArguments &arguments, CommandOutput &output)
      : arguments(arguments), output(output) {}

  int run() {
    for (const std::string &path : arguments.files)
      formatArgument(path);
    return status;
  }

private:
  void fail(const std::string &message) { status = output.fail(message); }

  void formatArgument(const std::string &path) {
    if (path == "-") return formatInput();
    std::error_code error;
    if (!fs::is_directory(path, error)) return formatFile(path);
    std::vector<std::string> files;
    fs::recursive_directory_iterator walk(path, error), end;
    for (; !error && walk != end; walk.increment(error)) {
      bool isHidden = walk->path().filename().string()[0] == '.';
      if (isHidden && walk->is_directory(error)) walk.disable_recursion_pending();
      bool isFile = !walk->is_symlink(error) && walk->is_regular_file(error);
      if (isFile && walk->path().extension() == ".dlm") files.push_back(walk->path().string());
    }
    if (error) fail("cannot read the folder " + path + ": " + error.message());
    if (!error && files.empty()) fail("no .dlm file is in the folder " + path);
    std::sort(files.begin(), files.end());
    for (const std::string &file : files)
      formatFile(file);
  }

  /// The formatted text of a file, whose faults are printed.
  std::optional<std::string> format(const SourceManager &sources, FileId file) {
    DiagnosticEngine diagnostics(sources);
    std::optional<std::string> text = formatText(sources, file, diagnostics);
    if (text) return text;
    output.show(diagnostics, arguments.errorsMax);
    status = 1;
    return std::nullopt;
  }

  void formatFile(const std::string &path) {
    SourceManager sources;
    std::string reason;
    std::optional<FileId> file = sources.load(path, reason);
    if (!file) {
      DiagnosticEngine diagnostics(sources);
      diagnostics.error(Kind::MissingFile, {}, "`" + path + "` cannot be read: " + reason);
      output.show(diagnostics, arguments.errorsMax);
      status = 1;
      return;
    }
    std::optional<std::string> text = format(sources, *file);
    if (!text) return;
    Expected<std::vector<uint8_t>> bytes = readFileBytes(path); // with a byte order mark, if any
    if (!bytes) {
      fail(bytes.status().message());
      return;
    }
    if (std::equal(bytes->begin(), bytes->end(), text->begin(), text->end(),
                   [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); }))
      return;
    if (arguments.checksLayout) {
      output.print(path + "\n");
      status = 1;
    } else if (Status written = replaceSource(path, *text); !written.isOk()) {
      fail(written.message());
    }
  }

  /// Standard input to standard output.
  void formatInput() {
    std::string input;
    char buffer[1 << 16];
    while (size_t count = std::fread(buffer, 1, sizeof buffer, stdin))
      input.append(buffer, count);
    SourceManager sources;
    FileId file = sources.addFile("<stdin>", input);
    std::optional<std::string> text = format(sources, file);
    if (!text) return;
    if (arguments.checksLayout && *text != input) {
      output.print("<stdin>\n");
      status = 1;
    }
    if (arguments.checksLayout) return;
    output.print(*text);
  }

  const DlmcArguments &arguments;
  CommandOutput &output;
  int status = 0;
};

} // namespace

int runFormat(const DlmcArguments &arguments, CommandOutput &output) {
  return FormatCommand(arguments, output).run();
}

} // namespace dlm
