// dlmc: from a .dlm file to an executable, or to whatever a flag asks for.
#include "compiler/driver/DlmcArguments.h"
#include "compiler/driver/FormatCommand.h"
#include "compiler/driver/TestCommand.h"

#include "compiler/codegen/link/KernelLinker.h"
#include "compiler/diagnostics/Explain.h"
#include "compiler/diagnostics/NearWords.h"
#include "compiler/diagnostics/Render.h"
#include "compiler/driver/FixFile.h"
#include "compiler/embed/Embed.h"
#include "runtime/base/FileBytes.h"
#include "runtime/launch/Commands.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace dlm;

static int fail(const std::string &message) {
  std::fprintf(stderr, "%s%s\n",
               message.rfind("internal error", 0) == 0 ? "" : "error: ", message.c_str());
  return 1;
}

/// The executable beside this one, or the path given.
static std::string runnerPath(const DlmcArguments &arguments, const char *self) {
  if (!arguments.runner.empty()) return arguments.runner;
  static int anchor = 0;
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(self, &anchor));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "dlm-runner");
  return path.str().str();
}

/// Writes the executable by way of a temporary file, so that an old one survives a failure.
static Status writeExecutable(const std::string &path, const std::vector<char> &bytes) {
  std::string fresh = path + ".partial";
  DLM_TRY(writeFileBytes(fresh, std::vector<uint8_t>(bytes.begin(), bytes.end())));
  using namespace llvm::sys::fs;
  std::error_code error = setPermissions(fresh, perms::all_read | perms::owner_write | all_exe);
  if (!error) error = rename(fresh, path);
  return error ? Status::error(Code::Io, "cannot write " + path + ": " + error.message())
               : Status::ok();
}

/// Why the executable must not replace what is at `output`; empty if it may. A device such as
/// /dev/null would be gone for every program of the machine.
static std::string whyNotWritten(const std::string &output, const std::string &source) {
  if (output == source || llvm::sys::fs::equivalent(output, source))
    return "would overwrite the program's text";
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(output, status)) return "";
  if (llvm::sys::fs::is_directory(status)) return "is a directory";
  return llvm::sys::fs::is_regular_file(status) ? "" : "is a device, not a file";
}

static int writeProgram(const DlmcArguments &arguments, const CompiledProgram &program,
                        const char *self) {
  std::string output = arguments.output;
  if (output.empty()) {
    llvm::SmallString<256> path(llvm::sys::path::filename(arguments.file));
    llvm::sys::path::replace_extension(path, "");
    output = path.str().str();
  }
  if (std::string reason = whyNotWritten(output, arguments.file); !reason.empty())
    return fail("the output " + output + " " + reason + "; give -o PROGRAM");
  std::string runner = runnerPath(arguments, self);
  Expected<std::vector<uint8_t>> bytes = readFileBytes(runner);
  if (!bytes)
    return fail("cannot read the runner " + runner +
                " (--runner PATH names another): " + bytes.status().message());
  std::vector<char> runnerBytes(bytes->begin(), bytes->end());
  std::vector<char> plan(program.plan.begin(), program.plan.end());
  std::vector<Section> sections = {{PlanSection, plan}};
  if (!program.kernels.empty()) sections.push_back({KernelsSection, program.kernels});
  for (const CodeImage &image : program.images)
    sections.push_back({DeviceSectionPrefix + image.name, image.bytes});
  llvm::Expected<Bytes> executable = addSections(runnerBytes, sections);
  if (!executable)
    return fail("cannot make an executable of " + runner + ": " +
                llvm::toString(executable.takeError()));
  Status status = writeExecutable(output, *executable);
  return status.isOk() ? 0 : fail(status.message());
}

/// `dlmc explain KIND` and `dlmc --explain KIND`.
static int explain(const std::string &word) {
  std::optional<Kind> kind = findKind(word);
  if (kind) {
    std::string page(explanationPage(*kind));
    if (page.empty()) page = word + "\n" + std::string(kindInfo(*kind).explanation) + "\n";
    std::printf("%s", page.c_str());
    return 0;
  }
  std::vector<std::string> words;
  std::string list;
  for (const KindInfo &info : allKinds())
    words.emplace_back(info.word);
  std::sort(words.begin(), words.end());
  for (const std::string &each : words)
    list += "\n  " + each;
  if (word.empty()) return fail("no kind was given; the kinds are" + list);
  std::string near = nearestWord(word, words);
  return fail("there is no kind `" + word + "`" +
              (near.empty() ? "; the kinds are" + list : "; there is `" + near + "`"));
}

/// What `--emit` asks for, on standard output.
static int printText(const DlmcArguments &arguments, const PipelineResult &result) {
  std::string text = result.text;
  if (arguments.pipeline.emit == "plan")
    text = planText(*plan::GetPlan(result.program.plan.data()));
  bool isWritten = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return isWritten && std::fflush(stdout) == 0 ? 0 : fail("cannot write to standard output");
}

/// How the user would call the program of `dlmc run` again: the words up to `--`.
static std::string runName(const std::vector<std::string> &words) {
  std::string name = "dlmc";
  for (const std::string &word : words) {
    if (word == "--") break;
    name += " " + word;
  }
  return name + " --";
}

/// Colours are for people at a terminal who have not asked for none (no-color.org).
static std::string messageText(const DlmcArguments &arguments,
                               const DiagnosticEngine &diagnostics) {
  if (arguments.json) return renderJson(diagnostics);
  const char *noColour = std::getenv("NO_COLOR");
  bool isRefused = noColour && *noColour;
  return renderText(diagnostics, {arguments.errorsMax, !isRefused && isatty(STDERR_FILENO) == 1});
}

static int compile(DlmcArguments arguments, const char *self,
                   const std::vector<std::string> &words) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  arguments.pipeline.backend.build = DLM_VERSION;
  std::string emit = arguments.pipeline.emit;
  arguments.pipeline.checksOnly = arguments.command == DlmcArguments::Check;
  Expected<PipelineResult> result =
      compileFile(arguments.file, arguments.pipeline, sources, diagnostics);
  std::fputs(messageText(arguments, diagnostics).c_str(), stderr);
  if (!result) return result.status().message().empty() ? 1 : fail(result.status().message());
  if (arguments.warningsFail && diagnostics.warningCount() > 0)
    return fail("there are warnings, and --werror was given");
  for (const std::string &note : result->program.notes)
    std::fprintf(stderr, "note: %s\n", note.c_str());
  if (arguments.timePhases) std::fputs(result->timeReport.c_str(), stderr);
  if (arguments.command == DlmcArguments::Check) {
    std::string chosen = result->hasSeveralTrains ? "--train " + result->notYet + " " : "";
    if (!result->notYet.empty() && !arguments.json)
      std::fprintf(stderr,
                   "note: the program is right, and cannot be compiled yet; `dlmc %s%s` says why\n",
                   chosen.c_str(), arguments.file.c_str());
    return 0;
  }
  if (!emit.empty()) return printText(arguments, *result);
  if (arguments.command == DlmcArguments::Run)
    return runInProcess(result->program, runName(words), arguments.programArguments);
  return writeProgram(arguments, result->program, self);
}

int main(int argc, char **argv) {
  std::string error;
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "fmt") return runFormat({words.begin() + 1, words.end()});
  std::optional<DlmcArguments> arguments = parseArguments(words, error);
  if (!arguments) return fail(error);
  if (arguments->help) {
    std::fputs(dlmcHelp().c_str(), stdout);
    return 0;
  }
  if (arguments->version) {
    std::printf("dlmc %s\n", DLM_VERSION);
    return 0;
  }
  if (arguments->command == DlmcArguments::Explain) return explain(arguments->word);
  if (arguments->fix)
    if (Status status = fixFile(*arguments); !status.isOk()) return fail(status.message());
  if (arguments->command == DlmcArguments::Test) return runTestCommand(*arguments);
  return compile(std::move(*arguments), argv[0], words);
}
