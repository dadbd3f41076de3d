// Nothing is written if nothing changes, so build systems see no new file.

#include "compiler/driver/FormatCommand.h"

#include "compiler/diagnostics/Render.h"
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
  int run(const std::vector<std::string> &words) {
    std::vector<std::string> paths;
    for (const std::string &word : words) {
      if (word == "--check")
        isCheck = true;
      else if (word == "--diagnostics=json" || word == "--diagnostics=text")
        isJson = word.back() == 'n';
      else if (word.size() > 1 && word[0] == '-')
        return fail("there is no flag `" + word +
                    "` of `dlmc fmt`; there are `--check` and `--diagnostics=json`");
      else
        paths.push_back(word);
    }
    if (paths.empty()) return fail("no file was given; `dlmc fmt -` formats standard input");
    for (const std::string &path : paths)
      formatArgument(path);
    return status;
  }

private:
  int fail(const std::string &message) {
    std::fprintf(stderr, "error: %s\n", message.c_str());
    return status = 1;
  }

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
    std::fputs((isJson ? renderJson(diagnostics) : renderText(diagnostics)).c_str(), stderr);
    status = 1;
    return std::nullopt;
  }

  void formatFile(const std::string &path) {
    SourceManager sources;
    std::string reason;
    std::optional<FileId> file = sources.load(path, reason);
    if (!file) {
      fail(path + ": " + reason);
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
    if (isCheck) {
      std::printf("%s\n", path.c_str());
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
    if (isCheck && *text != input) {
      std::printf("<stdin>\n");
      status = 1;
    }
    if (isCheck) return;
    bool isWritten = std::fwrite(text->data(), 1, text->size(), stdout) == text->size();
    if (!isWritten || std::fflush(stdout) != 0) fail("cannot write to standard output");
  }

  bool isCheck = false;
  bool isJson = false;
  int status = 0;
};

} // namespace

int runFormat(const std::vector<std::string> &words) { return FormatCommand().run(words); }

} // namespace dlm
