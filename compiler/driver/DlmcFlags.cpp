// Each flag says which commands it serves: parsing, --help and "does nothing with" read the same
// rows.
#include "compiler/driver/DlmcFlags.h"

#include "compiler/codegen/cuda/CudaCodegen.h"
#include "compiler/diagnostics/NearWords.h"

#include <algorithm>

namespace dlm {

static std::string joined(const std::vector<std::string> &words, const char *separator) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

static std::string setDefinition(DlmcArguments &arguments, const std::string &value) {
  size_t equals = value.find('=');
  if (equals == std::string::npos || equals == 0) return "-D takes NAME=VALUE, not `" + value + "`";
  std::string name = value.substr(0, equals), text = value.substr(equals + 1);
  for (const auto &[other, before] : arguments.pipeline.definitions)
    if (other == name)
      return "-D gives `" + name + "` twice: `" + before + "` and `" + text + "`; give it once";
  arguments.pipeline.definitions.emplace_back(std::move(name), std::move(text));
  return "";
}

static std::string setTrain(DlmcArguments &arguments, const std::string &value) {
  arguments.pipeline.train = value;
  return "";
}

static std::string setEmit(DlmcArguments &arguments, const std::string &value) {
  for (const std::string &phase : emitPhases())
    if (phase == value) {
      arguments.pipeline.emit = value;
      return "";
    }
  return "--emit takes one of " + joined(emitPhases(), ", ") + ", not `" + value + "`";
}

static std::string setWidth(DlmcArguments &arguments, const std::string &value) {
  if (value != "16" && value != "32" && value != "64")
    return "--vector-width takes 16, 32 or 64, not `" + value + "`";
  arguments.pipeline.backend.vectorWidth = std::stoi(value);
  return "";
}

static std::string setCpu(DlmcArguments &arguments, const std::string &value) {
  if (value != "native" && value != "x86-64-v3" && value != "x86-64-v4")
    return "--cpu takes native, x86-64-v3 or x86-64-v4, not `" + value + "`";
  arguments.pipeline.backend.cpu = value;
  return "";
}

static std::string setTarget(DlmcArguments &arguments, const std::string &value) {
  BackendOptions &backend = arguments.pipeline.backend;
  size_t colon = value.find(':');
  std::string name = value.substr(0, colon);
  backend.target = name == "cuda" ? Target::Cuda : Target::Cpu;
  backend.architectures.clear();
  if (name != "cuda" && value != "cpu") {
    std::string near = name == "gpu" ? "cuda" : nearestWord(name, {"cpu", "cuda"});
    return "--target takes cpu, cuda or cuda:sm_80,..., not `" + value + "`" +
           (near.empty() || name == near ? "" : "; there is `" + near + "`");
  }
  while (colon != std::string::npos) {
    size_t next = value.find(',', colon + 1);
    std::string word = value.substr(colon + 1, next - colon - 1);
    if (llvm::Error error = checkArchitecture(word))
      return "--target=cuda: " + llvm::toString(std::move(error));
    if (std::find(backend.architectures.begin(), backend.architectures.end(), word) !=
        backend.architectures.end())
      return "--target names the architecture `" + word + "` twice";
    backend.architectures.push_back(word);
    colon = next;
  }
  return "";
}

static std::string setEmulate(DlmcArguments &arguments, const std::string &value) {
  if (!value.empty() && value != "check")
    return "--emulate takes nothing or check, not `" + value + "`";
  arguments.pipeline.backend.emulation = value.empty() ? Emulation::Fast : Emulation::Checked;
  return "";
}

static std::string setDiagnostics(DlmcArguments &arguments, const std::string &value) {
  if (value != "text" && value != "json")
    return "--diagnostics takes text or json, not `" + value + "`";
  arguments.json = value == "json";
  return "";
}

static std::string setErrors(DlmcArguments &arguments, const std::string &value) {
  constexpr size_t digitsMax = 6;
  if (value.empty() || value.size() > digitsMax ||
      value.find_first_not_of("0123456789") != std::string::npos || std::stoi(value) == 0)
    return "--errors takes a number from 1 to 999999, not `" + value + "`";
  arguments.errorsMax = unsigned(std::stoi(value));
  return "";
}

static std::string setExplain(DlmcArguments &arguments, const std::string &value) {
  arguments.command = DlmcArguments::Explain;
  arguments.help |= value == "--help" || value == "-h";
  arguments.word = value;
  return "";
}

static constexpr unsigned forCompile = 1u << DlmcArguments::Compile,
                          forRun = 1u << DlmcArguments::Run, forCheck = 1u << DlmcArguments::Check,
                          forTest = 1u << DlmcArguments::Test, forFmt = 1u << DlmcArguments::Format,
                          forPack = 1u << DlmcArguments::Pack,
                          forExplain = 1u << DlmcArguments::Explain;
static constexpr unsigned forPrograms = forCompile | forRun | forCheck;
static constexpr unsigned forMessages = forPrograms | forTest | forFmt;
static constexpr unsigned forAll = forMessages | forPack | forExplain;

/// What a flag does that only keeps its value, or that it was given.
static auto keepText(std::string DlmcArguments::*field) {
  return [field](DlmcArguments &a, const std::string &value) {
    a.*field = value;
    return std::string();
  };
}
static auto setSwitch(bool DlmcArguments::*field) {
  return [field](DlmcArguments &a, const std::string &) {
    a.*field = true;
    return std::string();
  };
}

static std::vector<DlmcFlag> programFlags() {
  return {
      {"-o", forCompile, "PROGRAM", "where to write the executable; FILE without .dlm by default",
       keepText(&DlmcArguments::output)},
      {"-D", forPrograms | forTest, "NAME=VALUE", "set an option of the program; may be repeated",
       setDefinition},
      {"--train", forPrograms, "NAME", "which train block to compile, if the file has several",
       setTrain},
      {"--target", forCompile | forRun, "TARGET",
       "cpu (default), cuda, or cuda:sm_80,...: for an NVIDIA GPU, and of which\n"
       "architectures (sm_80, sm_90, sm_100 by default; newer ones take the\n"
       "program, too)",
       setTarget},
      {"--emulate", forCompile | forRun, "check",
       "with --target=cuda: put the code for the GPU into the program also as\n"
       "code for x86-64-v3, which runs unless the program is told --device\n"
       "cuda; check: every access to memory is looked at (races, bounds,\n"
       "alignment; far slower)",
       setEmulate, /*isOptional=*/true},
      {"--cpu", forCompile | forRun, "LEVEL",
       "native (default: the level of this machine), x86-64-v3 or x86-64-v4", setCpu},
      {"--vector-width", forCompile | forRun, "N",
       "lanes of a vector in kernels: 16, 32 (default) or 64; the results\n"
       "are the same bits",
       setWidth},
      {"--emit", forCompile, "PHASE",
       "print the program after a phase instead:\n" + joined(emitPhases(), " ") +
           "\n(the last three with --target=cuda)",
       setEmit},
      {"--dump-phases", forPrograms, "DIR",
       "write the program after every phase to a numbered file in DIR",
       [](DlmcArguments &a, const std::string &value) {
         a.pipeline.phases.dumpFolder = value;
         return std::string();
       }},
      {"--time-phases", forPrograms, "", "print how long every phase took",
       setSwitch(&DlmcArguments::timePhases)},
      {"--runner", forCompile, "PATH", "the prebuilt runner; dlm-runner beside dlmc by default",
       keepText(&DlmcArguments::runner)},
  };
}

static std::vector<DlmcFlag> packFlags() {
  return {
      {"-o", forPack, "FILE", "the token file to write", keepText(&DlmcArguments::output)},
      {"--tokenizer", forPack, "HOW",
       "chars or words, as of these texts; a tokenizer.json of byte-level BPE;\n"
       "or a token file, whose tokenizer is taken",
       keepText(&DlmcArguments::tokenizer)},
      {"--end", forPack, "TOKEN",
       "the token that ends a document, e.g. '<|endoftext|>': each text gets\n"
       "one at its end, and programs may have pack = documents",
       keepText(&DlmcArguments::endToken)},
  };
}

static std::vector<DlmcFlag> messageFlags() {
  return {
      {"--check", forFmt, "",
       "change nothing: list the files that would change, and exit with 1 if any",
       setSwitch(&DlmcArguments::checksLayout)},
      {"--filter", forTest, "TEXT", "only tests whose title holds TEXT",
       keepText(&DlmcArguments::filter)},
      {"--diagnostics", forAll, "FORM", "text (default), or json: one object a line",
       setDiagnostics},
      {"--fix", forPrograms, "",
       "first change FILE by the edits that are certainly right, such as\n"
       "`epochs` for `epoch`, and say which",
       setSwitch(&DlmcArguments::fix)},
      {"--errors", forMessages, "N", "show the first N errors and warnings only; 20 by default",
       setErrors},
      {"--all-errors", forMessages, "", "show all errors and warnings",
       [](DlmcArguments &a, const std::string &) {
         a.errorsMax = ~0u;
         return std::string();
       }},
      {"--werror", forPrograms, "", "warnings are errors: exit status 1, and no executable",
       setSwitch(&DlmcArguments::warningsFail)},
      {"--explain", forCompile, "KIND", "the same as dlmc explain KIND", setExplain},
      {"--help", forAll, "", "print this", setSwitch(&DlmcArguments::help)},
      {"--version", forAll, "", "print the version, that of LLVM, and what this machine is",
       setSwitch(&DlmcArguments::version)},
  };
}

const std::vector<DlmcFlag> &dlmcFlags() {
  static const std::vector<DlmcFlag> rows = [] {
    std::vector<DlmcFlag> all = programFlags();
    for (const std::vector<DlmcFlag> &more : {packFlags(), messageFlags()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return rows;
}

} // namespace dlm
