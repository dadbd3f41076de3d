// Flags are a table: parsing, --help and "there is a flag named ..." read the same rows.
#include "compiler/driver/DlmcArguments.h"

#include "compiler/codegen/cuda/CudaCodegen.h"
#include "compiler/diagnostics/NearWords.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace dlm {

namespace {

struct Flag {
  std::string name;  // with its dashes
  std::string value; // what --help calls its value; empty for a switch
  std::string doc;
  std::function<std::string(DlmcArguments &, const std::string &)> apply; // "" or what is wrong
  bool isOptional = false; // the value may be left out, and never stands alone
};

} // namespace

static std::string joined(const std::vector<std::string> &words, const char *separator) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

static std::string setDefinition(DlmcArguments &arguments, const std::string &value) {
  size_t equals = value.find('=');
  if (equals == std::string::npos || equals == 0) return "-D takes NAME=VALUE, not `" + value + "`";
  arguments.pipeline.definitions.emplace_back(value.substr(0, equals), value.substr(equals + 1));
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
  arguments.word = value;
  return "";
}

static std::vector<Flag> makeFlags() {
  using Arguments = DlmcArguments;
  auto text = [](std::string Arguments::*field) {
    return [field](Arguments &a, const std::string &value) {
      a.*field = value;
      return std::string();
    };
  };
  auto flag = [](bool Arguments::*field) {
    return [field](Arguments &a, const std::string &) {
      a.*field = true;
      return std::string();
    };
  };
  return {
      {"-o", "PROGRAM", "where to write the executable; FILE without .dlm by default",
       text(&Arguments::output)},
      {"-D", "NAME=VALUE", "set an option of the program; may be repeated", setDefinition},
      {"--train", "NAME", "which train block to compile, if the file has several", setTrain},
      {"--target", "TARGET",
       "cpu (default), cuda, or cuda:sm_80,...: for an NVIDIA GPU, and of which\n"
       "architectures (sm_80, sm_90, sm_100 by default; newer ones take the\n"
       "program, too)",
       setTarget},
      {"--emulate", "check",
       "with --target=cuda: put the code for the GPU into the program also as\n"
       "code for x86-64-v3, which runs unless the program is told --device\n"
       "cuda; check: every access to memory is looked at (races, bounds,\n"
       "alignment; far slower)",
       setEmulate, /*isOptional=*/true},
      {"--cpu", "LEVEL", "native (default: the level of this machine), x86-64-v3 or x86-64-v4",
       setCpu},
      {"--vector-width", "N",
       "lanes of a vector in kernels: 16, 32 (default) or 64; the results\n"
       "are the same bits",
       setWidth},
      {"--emit", "PHASE",
       "print the program after a phase instead:\n" + joined(emitPhases(), " ") +
           "\n(the last three with --target=cuda)",
       setEmit},
      {"--dump-phases", "DIR", "write the program after every phase to a numbered file in DIR",
       [](Arguments &a, const std::string &value) {
         a.pipeline.phases.dumpFolder = value;
         return std::string();
       }},
      {"--time-phases", "", "print how long every phase took", flag(&Arguments::timePhases)},
      {"--filter", "TEXT", "with `test`: only tests whose title holds TEXT",
       text(&Arguments::filter)},
      {"--diagnostics", "FORM", "text (default), or json: one object a line", setDiagnostics},
      {"--fix", "",
       "first change FILE by the edits that are certainly right, such as\n"
       "`epochs` for `epoch`, and say which",
       flag(&Arguments::fix)},
      {"--errors", "N", "show the first N errors and warnings only; 20 by default", setErrors},
      {"--all-errors", "", "show all errors and warnings",
       [](Arguments &a, const std::string &) {
         a.errorsMax = ~0u;
         return std::string();
       }},
      {"--werror", "", "warnings are errors: exit status 1, and no executable",
       flag(&Arguments::warningsFail)},
      {"--explain", "KIND", "the same as dlmc explain KIND", setExplain},
      {"--runner", "PATH", "the prebuilt runner; dlm-runner beside dlmc by default",
       text(&Arguments::runner)},
      {"--help", "", "print this", flag(&Arguments::help)},
      {"--version", "", "print the version", flag(&Arguments::version)},
  };
}

static const std::vector<Flag> &flagRows() {
  static const std::vector<Flag> rows = makeFlags();
  return rows;
}

/// Splits `--flag=value` and `-Dname=value`.
static std::pair<std::string, std::optional<std::string>> split(const std::string &argument) {
  if (argument.rfind("-D", 0) == 0 && argument.size() > 2) return {"-D", argument.substr(2)};
  size_t equals = argument.find('=');
  if (argument.rfind("--", 0) == 0 && equals != std::string::npos)
    return {argument.substr(0, equals), argument.substr(equals + 1)};
  return {argument, std::nullopt};
}

/// Applies the flag at `at`; moves `at` past its value. Returns what is wrong, or "".
static std::string applyFlag(DlmcArguments &result, const std::vector<std::string> &arguments,
                             size_t &at) {
  auto [name, value] = split(arguments[at]);
  std::vector<std::string> names;
  for (const Flag &row : flagRows()) {
    names.push_back(row.name);
    if (row.name != name) continue;
    result.given.push_back(name);
    if (row.isOptional && value && value->empty())
      return name + "= needs a value: " + name + " or " + name + "=" + row.value;
    if (row.isOptional) return row.apply(result, value.value_or(""));
    if (row.value.empty()) return value ? name + " takes no value" : row.apply(result, "");
    if (!value && at + 1 >= arguments.size())
      return name + " needs a value: " + name + " " + row.value;
    return row.apply(result, value ? *value : arguments[++at]);
  }
  std::string near = nearestWord(name, names);
  return "there is no flag `" + name + "`" +
         (near.empty() ? "; `dlmc --help` lists them" : "; there is `" + near + "`");
}

/// A flag that `dlmc test` has no use for; or "".
static std::string uselessForTests(const DlmcArguments &arguments) {
  static const std::set<std::string> useful = {"-D", "--filter", "--diagnostics", "--help",
                                               "--version"};
  for (const std::string &name : arguments.given)
    if (!useful.count(name)) return name;
  return "";
}

/// What is wrong with the flags together, or "".
static std::string whyNotTogether(const DlmcArguments &arguments) {
  if (!arguments.output.empty() &&
      (arguments.command != DlmcArguments::Compile || !arguments.pipeline.emit.empty()))
    return "-o names an executable, and this command makes none";
  auto isGiven = [&](const std::string &name) {
    return std::find(arguments.given.begin(), arguments.given.end(), name) != arguments.given.end();
  };
  bool isTest = arguments.command == DlmcArguments::Test;
  if (std::string name = isTest ? uselessForTests(arguments) : ""; !name.empty())
    return name + " does nothing with `dlmc test`";
  if (!isTest && isGiven("--filter")) return "--filter chooses tests: dlmc test FILE --filter TEXT";
  const std::string &emit = arguments.pipeline.emit;
  if (arguments.pipeline.backend.target != Target::Cuda) {
    if (isGiven("--emulate")) return "--emulate needs --target=cuda";
    return isDevicePhase(emit) ? "--emit=" + emit + " needs --target=cuda" : "";
  }
  for (const char *name : {"--cpu", "--vector-width"})
    if (isGiven(name))
      return name + std::string(" is about kernels for the processor and does nothing with "
                                "--target=cuda; what --emulate makes is for x86-64-v3");
  return "";
}

std::optional<DlmcArguments> parseArguments(const std::vector<std::string> &arguments,
                                            std::string &error) {
  DlmcArguments result;
  size_t at = 0;
  static const std::map<std::string, DlmcArguments::Command> commands = {
      {"run", DlmcArguments::Run}, {"check", DlmcArguments::Check}, {"test", DlmcArguments::Test}};
  if (!arguments.empty() && commands.count(arguments[0])) {
    result.command = commands.at(arguments[0]);
    at = 1;
  } else if (!arguments.empty() && arguments[0] == "explain") {
    result.command = DlmcArguments::Explain;
    result.word = arguments.size() > 1 ? arguments[1] : "";
    return result;
  }
  for (; at < arguments.size(); ++at) {
    const std::string &argument = arguments[at];
    if (argument == "--" && result.command == DlmcArguments::Run) {
      result.programArguments.assign(arguments.begin() + at + 1, arguments.end());
      break;
    }
    if (argument.size() > 1 && argument[0] == '-') {
      error = applyFlag(result, arguments, at);
      if (!error.empty()) return std::nullopt;
    } else if (result.file.empty() || result.command == DlmcArguments::Test) {
      result.file = argument;
      result.files.push_back(argument);
    } else {
      error = "one file at a time: `" + result.file + "` and `" + argument + "` were given";
      return std::nullopt;
    }
  }
  if (result.command == DlmcArguments::Explain) return result;
  if (result.file.empty() && !result.help && !result.version) {
    error = "no file was given; `dlmc --help` says how to use this";
    return std::nullopt;
  }
  error = whyNotTogether(result);
  if (!error.empty()) return std::nullopt;
  return result;
}

std::string dlmcHelp() {
  std::string text =
      "dlmc compiles a DLM program to an executable that trains it.\n\n"
      "  dlmc FILE.dlm [-o PROGRAM] [flags]      compile\n"
      "  dlmc run FILE.dlm [flags] [-- args]     compile and run at once, without a file; args "
      "are\n"
      "                                          those of the program, e.g. -- train --steps 100\n"
      "  dlmc check FILE.dlm [flags]             report errors only; --fix mends what is certain\n"
      "  dlmc fmt FILE... [--check]              lay out programs, or list what would change; a\n"
      "                                          folder is all .dlm files in it, - is standard\n"
      "                                          input and output\n"
      "  dlmc test FILE.dlm... [--filter TEXT]   run the tests of files, or of all files in a "
      "folder\n"
      "  dlmc explain KIND                       explain a kind of error, e.g. shape-mismatch\n\n"
      "flags:\n";
  for (const Flag &row : flagRows()) {
    std::string value = row.isOptional ? "[=" + row.value + "]" : " " + row.value;
    std::string left = "  " + row.name + (row.value.empty() ? "" : value);
    left.resize(std::max<size_t>(left.size() + 1, 26), ' ');
    std::string doc = row.doc;
    for (size_t line = doc.find('\n'); line != std::string::npos; line = doc.find('\n', line + 1))
      doc.insert(line + 1, std::string(26, ' '));
    text += left + doc + "\n";
  }
  return text + "\nExit status: 0, or 1 after an error. The executable explains itself: PROGRAM "
                "--help\n";
}

} // namespace dlm
