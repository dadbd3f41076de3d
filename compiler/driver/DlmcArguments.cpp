// A command, its flags and what they are about, in one pass over the words.
#include "compiler/driver/DlmcArguments.h"

#include "compiler/diagnostics/NearWords.h"
#include "compiler/driver/DlmcFlags.h"

#include <algorithm>
#include <map>

namespace dlm {

static const std::map<std::string, DlmcArguments::Command> &commandWords() {
  static const std::map<std::string, DlmcArguments::Command> words = {
      {"run", DlmcArguments::Run},   {"check", DlmcArguments::Check},
      {"test", DlmcArguments::Test}, {"fmt", DlmcArguments::Format},
      {"pack", DlmcArguments::Pack}, {"explain", DlmcArguments::Explain}};
  return words;
}

std::string commandName(DlmcArguments::Command command) {
  for (const auto &[word, each] : commandWords())
    if (each == command) return "dlmc " + word;
  return "dlmc";
}

namespace {

class ArgumentReader {
public:
  ArgumentReader(const std::vector<std::string> &words, std::string &error)
      : words(words), error(error) {}

  std::optional<DlmcArguments> read() {
    auto command = words.empty() ? commandWords().end() : commandWords().find(words[0]);
    if (command != commandWords().end()) {
      result.command = named = command->second;
      at = 1;
    }
    for (; at < words.size() && error.empty(); ++at) {
      const std::string &word = words[at];
      if (word == "--" && !isBehindFlags && named == DlmcArguments::Run) {
        result.programArguments.assign(words.begin() + ptrdiff_t(at) + 1, words.end());
        break;
      }
      if (word == "--" && !isBehindFlags)
        isBehindFlags = true;
      else
        error = !isBehindFlags && word.size() > 1 && word[0] == '-' ? applyFlag() : take(word);
    }
    if (error.empty() && !result.help && !result.version) error = whyNotTogether();
    if (!error.empty()) return std::nullopt;
    return std::move(result);
  }

private:
  /// Splits `--flag=value` and `-Dname=value`.
  static std::pair<std::string, std::optional<std::string>> split(const std::string &word) {
    if (word == "-h") return {"--help", std::nullopt};
    if (word.rfind("-D", 0) == 0 && word.size() > 2) return {"-D", word.substr(2)};
    size_t equals = word.find('=');
    if (word.rfind("--", 0) == 0 && equals != std::string::npos)
      return {word.substr(0, equals), word.substr(equals + 1)};
    return {word, std::nullopt};
  }

  /// Applies the flag at `at`; moves `at` past its value. Returns what is wrong, or "".
  std::string applyFlag() {
    auto [name, value] = split(words[at]);
    std::vector<std::string> names;
    const DlmcFlag *useless = nullptr;
    for (const DlmcFlag &row : dlmcFlags()) {
      if (row.serves(named)) names.push_back(row.name);
      if (row.name != name) continue;
      if (!row.serves(named)) {
        useless = &row; // unless another command's row has the same name
        continue;
      }
      result.given.push_back(name);
      if (row.isOptional && value && value->empty())
        return name + "= needs a value: " + name + " or " + name + "=" + row.value;
      if (row.isOptional) return row.apply(result, value.value_or(""));
      if (row.value.empty()) return value ? name + " takes no value" : row.apply(result, "");
      if (!value && at + 1 >= words.size())
        return name + " needs a value: " + name + " " + row.value;
      return row.apply(result, value ? *value : words[++at]);
    }
    if (useless) return whyUseless(*useless);
    std::string near = nearestWord(name, names);
    return "there is no flag `" + name + "`" +
           (near.empty() ? "; `" + commandName(named) + " --help` lists them"
                         : "; there is `" + near + "`");
  }

  std::string whyUseless(const DlmcFlag &row) const {
    if (row.name == "-o") return "-o names an executable, and this command makes none";
    std::string whose;
    for (int command = 0; command <= DlmcArguments::Explain; ++command)
      if (row.serves(DlmcArguments::Command(command)))
        whose += (whose.empty() ? "`" : ", `") + commandName(DlmcArguments::Command(command)) + "`";
    return row.name + " does nothing with `" + commandName(named) + "`; it is a flag of " + whose;
  }

  /// A word that is no flag.
  std::string take(const std::string &word) {
    if (result.command == DlmcArguments::Explain) {
      if (!result.word.empty())
        return "one kind at a time: `" + result.word + "` and `" + word + "` were given";
      result.word = word;
      return "";
    }
    bool takesMany = named == DlmcArguments::Test || named == DlmcArguments::Format ||
                     named == DlmcArguments::Pack;
    static const std::vector<std::string> ofPrograms = {"train", "eval",  "predict",
                                                        "info",  "bench", "infer"};
    bool isOfProgram = std::count(ofPrograms.begin(), ofPrograms.end(), result.file) > 0;
    if (named == DlmcArguments::Compile && isOfProgram && result.files.size() == 1)
      return "`" + result.file + "` is a command of a program: `dlmc run " + word + " -- " +
             (result.file == "infer" ? "predict" : result.file) + "`, or `dlmc " + word +
             "` makes an executable that has it";
    if (!takesMany && !result.file.empty())
      return "one file at a time: `" + result.file + "` and `" + word + "` were given" +
             (named == DlmcArguments::Run ? "; what is for the program stands behind `--`" : "");
    result.file = word;
    result.files.push_back(word);
    return "";
  }

  bool isGiven(const std::string &name) const {
    return std::find(result.given.begin(), result.given.end(), name) != result.given.end();
  }

  /// What is wrong with the words together, or "".
  std::string whyNotTogether() const {
    if (result.command == DlmcArguments::Explain) return "";
    if (result.files.empty())
      return "no file was given; `" + commandName(named) + " --help` says how to use this";
    if (result.command == DlmcArguments::Pack) {
      if (result.tokenizer.empty())
        return "--tokenizer says how text becomes numbers: chars, words or a file";
      return result.output.empty() ? "-o names the token file to write" : "";
    }
    const std::string &emit = result.pipeline.emit;
    if (!result.output.empty() && !emit.empty())
      return "-o names an executable, and this command makes none";
    if (result.pipeline.backend.target != Target::Cuda) {
      if (isGiven("--emulate")) return "--emulate needs --target=cuda";
      return isDevicePhase(emit) ? "--emit=" + emit + " needs --target=cuda" : "";
    }
    for (const char *name : {"--cpu", "--vector-width"})
      if (isGiven(name))
        return name + std::string(" is about kernels for the processor and does nothing with "
                                  "--target=cuda; what --emulate makes is for x86-64-v3");
    return "";
  }

  const std::vector<std::string> &words;
  std::string &error;
  DlmcArguments result;
  DlmcArguments::Command named = DlmcArguments::Compile; // by the first word
  size_t at = 0;
  bool isBehindFlags = false; // `--` was read
};

} // namespace

std::optional<DlmcArguments> parseArguments(const std::vector<std::string> &arguments,
                                            std::string &error) {
  return ArgumentReader(arguments, error).read();
}

bool asksForJson(const std::vector<std::string> &arguments) {
  const std::string flag = "--diagnostics";
  bool isJson = false;
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i].rfind(flag + "=", 0) == 0) isJson = arguments[i] == flag + "=json";
    if (arguments[i] == flag && i + 1 < arguments.size()) isJson = arguments[i + 1] == "json";
  }
  return isJson;
}

} // namespace dlm
