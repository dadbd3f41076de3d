// dlmc: from a .dlm file to an executable, or to whatever a flag asks for.
#include "compiler/driver/DlmcArguments.h"
#include "compiler/driver/FormatCommand.h"
#include "compiler/driver/PackCommand.h"
#include "compiler/driver/TestCommand.h"
#include "compiler/driver/VersionText.h"

#include "compiler/codegen/link/KernelLinker.h"
#include "compiler/diagnostics/Explain.h"
#include "compiler/diagnostics/NearWords.h"
#include "compiler/driver/CommandOutput.h"
#include "compiler/driver/FixFile.h"
#include "compiler/embed/InProcess.h"
#include "runtime/base/FileBytes.h"
#include "runtime/base/FreshFile.h"
#include "runtime/base/StandardStreams.h"
#include "runtime/launch/Commands.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sys/stat.h>

using namespace dlm;

/// The executable beside this one, or the path given.
static std::string runnerPath(const DlmcArguments &arguments, const char *self) {
  if (!arguments.runner.empty()) return arguments.runner;
  static int anchor = 0;
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(self, &anchor));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "dlm-runner");
  return path.str().str();
}

/// An old executable survives a failure.
static Status writeExecutable(const std::string &path, const std::vector<char> &bytes) {
  Expected<FreshFile> fresh = FreshFile::create(path);
  if (!fresh) return fresh.status();
  std::fwrite(bytes.data(), 1, bytes.size(), fresh->stream()); // `finish` asks whether it went
  DLM_TRY(fresh->check());
  constexpr mode_t executable = 0755;
  if (fchmod(fileno(fresh->stream()), executable) != 0)
    return systemError("cannot make `" + path + "` executable", errno);
  return fresh->finish();
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
                        const char *self, CommandOutput &output) {
  std::string path = arguments.output;
  if (path.empty()) {
    llvm::SmallString<256> name(llvm::sys::path::filename(arguments.file));
    llvm::sys::path::replace_extension(name, "");
    path = name.str().str();
  }
  if (std::string reason = whyNotWritten(path, arguments.file); !reason.empty())
    return output.fail("the output " + path + " " + reason + "; give -o PROGRAM");
  std::string runner = runnerPath(arguments, self);
  Expected<std::vector<uint8_t>> bytes = readFileBytes(runner);
  if (!bytes)
    return output.fail("cannot read the runner " + runner +
                       " (--runner PATH names another): " + bytes.status().message());
  std::vector<char> runnerBytes(bytes->begin(), bytes->end());
  std::vector<char> plan(program.plan.begin(), program.plan.end());
  std::vector<Section> sections = {{PlanSection, plan}};
  if (!program.kernels.empty()) sections.push_back({KernelsSection, program.kernels});
  for (const CodeImage &image : program.images)
    sections.push_back({DeviceSectionPrefix + image.name, image.bytes});
  llvm::Expected<Bytes> executable = addSections(runnerBytes, sections);
  if (!executable)
    return output.fail("cannot make an executable of " + runner + ": " +
                       llvm::toString(executable.takeError()));
  Status status = writeExecutable(path, *executable);
  return status.isOk() ? 0 : output.fail(status.message());
}

/// What the page of a word says that stands where messages about programs have their kind.
static std::string pageOf(const std::string &word) {
  if (word == commandWord)
    return word + "\n\nAn error that has no place in a program: in the flags of dlmc, a file that "
                  "cannot be written.\n";
  if (word == internalErrorWord)
    return word + "\n\nThe compiler's fault. The message names a file that replays it.\n";
  std::optional<Kind> kind = findKind(word);
  if (!kind) return "";
  std::string page(explanationPage(*kind));
  return page.empty() ? word + "\n" + std::string(kindInfo(*kind).explanation) + "\n" : page;
}

/// `dlmc explain KIND` and `dlmc --explain KIND`.
static int explain(const std::string &word, CommandOutput &output) {
  if (std::string page = pageOf(word); !page.empty()) {
    output.print(page);
    return 0;
  }
  std::vector<std::string> words;
  std::string list;
  for (const KindInfo &info : allKinds())
    words.emplace_back(info.word);
  std::sort(words.begin(), words.end());
  for (const std::string &each : words)
    list += "\n  " + each;
  if (word.empty()) {
    output.print("The kinds of messages, of which `dlmc explain KIND` explains one:" + list + "\n");
    return 0;
  }
  std::string near = nearestWord(word, words);
  return output.fail("there is no kind `" + word + "`" +
                     (near.empty() ? "; the kinds are" + list : "; there is `" + near + "`"));
}

/// What `--emit` asks for.
static std::string emittedText(const DlmcArguments &arguments, const PipelineResult &result) {
  if (arguments.pipeline.emit != "plan") return result.text;
  return planText(*plan::GetPlan(result.program.plan.data()));
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

static int compile(DlmcArguments arguments, const char *self, const std::vector<std::string> &words,
                   CommandOutput &output) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  arguments.pipeline.backend.build = DLM_VERSION;
  std::string emit = arguments.pipeline.emit;
  arguments.pipeline.checksOnly = arguments.command == DlmcArguments::Check;
  Expected<PipelineResult> result =
      compileFile(arguments.file, arguments.pipeline, sources, diagnostics);
  output.show(diagnostics, arguments.errorsMax);
  if (!result)
    return result.status().message().empty() ? 1 : output.fail(result.status().message());
  if (arguments.warningsFail && diagnostics.warningCount() > 0)
    return output.fail("there are warnings, and --werror was given");
  for (const std::string &note : result->program.notes)
    output.note(note);
  if (arguments.timePhases) output.note("the time of each phase\n" + result->timeReport);
  if (arguments.command == DlmcArguments::Check) {
    if (result->isNotYet && !arguments.json)
      output.note("the program is right, and cannot be compiled yet, for the reasons that the "
                  "warnings give; --werror makes that exit status 1");
    return 0;
  }
  if (!emit.empty()) {
    output.print(emittedText(arguments, *result));
    return 0;
  }
  if (arguments.command == DlmcArguments::Run)
    return runInProcess(result->program, runName(words), arguments.programArguments);
  return writeProgram(arguments, result->program, self, output);
}

static int runCommand(const std::vector<std::string> &words, const char *self,
                      CommandOutput &output) {
  std::string error;
  std::optional<DlmcArguments> arguments = parseArguments(words, error);
  if (!arguments) return output.fail(error);
  if (arguments->help || arguments->version) {
    output.print(arguments->help ? dlmcHelp(arguments->command) : dlmcVersion());
    return 0;
  }
  switch (arguments->command) {
  case DlmcArguments::Explain:
    return explain(arguments->word, output);
  case DlmcArguments::Format:
    return runFormat(*arguments, output);
  case DlmcArguments::Pack:
    return runPack(*arguments, output);
  case DlmcArguments::Test:
    return runTestCommand(*arguments, output);
  default:
    break;
  }
  if (arguments->fix)
    if (Status status = fixFile(*arguments); !status.isOk()) return output.fail(status.message());
  return compile(std::move(*arguments), self, words, output);
}

int main(int argc, char **argv) {
  holdClosedStreams();
  std::vector<std::string> words(argv + 1, argv + argc);
  CommandOutput output(asksForJson(words));
  return output.finish(runCommand(words, argv[0], output));
}
