// Parsing flags. An own parser of a table rather than a library: the program's options are only
// known at run time, and the messages are the point.
#include "runtime/launch/CommandLine.h"

#include "runtime/driver/Durations.h"
#include "runtime/launch/ForeignFlags.h"
#include "runtime/launch/NearestName.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

namespace dlm {

namespace {

constexpr int64_t StepsMax = 1000000000000;
constexpr int64_t ThreadsMax = 1024;

const CommandSpec Commands[] = {
    {"train", "train the model; saves checkpoints on the way and at the end"},
    {"eval", "measure a checkpoint on the validation and test data"},
    {"predict", "what the program predicts for each row of a file, or of its own data"},
    {"bench", "time a training step and each of its instructions"},
    {"info", "what the program is: its values and where they are from, parameters, work, memory"},
};

std::optional<int64_t> wholeNumber(const std::string &text) {
  errno = 0;
  char *end = nullptr;
  long long number = std::strtoll(text.c_str(), &end, 10);
  bool isNumber = !text.empty() && *end == 0 && !std::isspace(static_cast<unsigned char>(text[0]));
  if (!isNumber || errno == ERANGE) return std::nullopt;
  return number;
}

Status noWholeNumber(const std::string &flag, const std::string &text, int64_t least,
                     int64_t most) {
  return invalidArgument("--" + flag + " takes a whole number from " + std::to_string(least) +
                         " to " + std::to_string(most) + ", not `" + text + "`");
}

/// Text as a whole number within [least, most].
Status parseWhole(const std::string &flag, const std::string &text, int64_t least, int64_t most,
                  int64_t &value) {
  std::optional<int64_t> number = wholeNumber(text);
  if (!number || *number < least || *number > most) return noWholeNumber(flag, text, least, most);
  value = *number;
  return Status::ok();
}

Status parseSeed(const std::string &flag, const std::string &text, uint64_t &value) {
  errno = 0;
  char *end = nullptr;
  bool isDigit = !text.empty() && text[0] >= '0' && text[0] <= '9';
  unsigned long long number = isDigit ? std::strtoull(text.c_str(), &end, 10) : 0;
  if (!isDigit || *end != 0 || errno == ERANGE)
    return invalidArgument("--" + flag + " takes a whole number from 0 to 18446744073709551615, " +
                           "not `" + text + "`");
  value = number;
  return Status::ok();
}

/// How many letters of a name a text begins with.
size_t lengthOfName(const std::string &text) {
  auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return size_t(std::find_if_not(text.begin(), text.end(), isPart) - text.begin());
}

/// The values of flags that take one of a few words.
Status parseChoice(const std::string &flag, const std::string &text) {
  const std::vector<std::string> devices = {"cuda", "emulator"};
  const std::vector<std::string> orders = {"sequential", "reverse", "random", "warp-skew"};
  const std::vector<std::string> splits = {"train", "validation", "test"};
  const std::vector<std::string> &words = flag == "device"  ? devices
                                          : flag == "split" ? splits
                                                            : orders;
  if (std::find(words.begin(), words.end(), text) != words.end()) return Status::ok();
  std::string list;
  for (size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "`" : i + 1 < words.size() ? ", `" : " or `") + words[i] + "`";
  return invalidArgument("--" + flag + " takes " + list + ", not `" + text + "`");
}

/// A finite decimal number; `strtod` alone would also take 0x10.
bool parseReal(const std::string &text, double &value) {
  char *end = nullptr;
  value = std::strtod(text.c_str(), &end);
  bool isNumber = !text.empty() && *end == 0 && !std::isspace(static_cast<unsigned char>(text[0]));
  return isNumber && text.find_first_of("xX") == std::string::npos && std::isfinite(float(value));
}

Status parseOptionValue(const ProgramOption &option, const std::string &text, double &value) {
  if (option.isInteger) {
    constexpr int64_t Exact = int64_t(1) << 53; // kept as a double in the plan
    std::optional<int64_t> whole = wholeNumber(text);
    if (!whole || *whole < -Exact || *whole > Exact) {
      auto [least, most] = wholeRange(option.tests, -Exact, Exact);
      return noWholeNumber(option.name, text, least, most);
    }
    value = double(*whole);
    return checkValue("--" + option.name, value, false, option.tests);
  }
  if (!parseReal(text, value))
    return invalidArgument("--" + option.name + " takes a finite number, not `" + text + "`");
  return checkValue("--" + option.name, value, true, option.tests);
}

/// The value of a declared command's flag; truth is 1 or 0.
Status parseArgument(const CommandArgument &argument, const std::string &text, double &value) {
  if (argument.type == "bool") {
    value = text == "true";
    if (text == "true" || text == "false") return Status::ok();
    return invalidArgument("--" + argument.name + " takes `true` or `false`, not `" + text + "`");
  }
  constexpr int64_t Exact = int64_t(1) << 24; // the command gets it as an f32
  ProgramOption option{argument.name, "", argument.type == "int"};
  if (!option.isInteger) return parseOptionValue(option, text, value);
  int64_t whole = 0;
  DLM_TRY(parseWhole(argument.name, text, std::max(argument.lower, -Exact),
                     std::min(argument.upper, Exact), whole));
  value = double(whole);
  return Status::ok();
}

std::string proposal(const char *kind, const char *dashes, const std::vector<std::string> &names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text +=
        (i ? ", `" : std::string("; there is a ") + kind + " named `") + dashes + names[i] + "`";
  return text;
}

class Parser {
public:
  Parser(const std::vector<std::string> &arguments, const std::vector<ProgramOption> &options,
         bool isForDevices, const std::vector<DeclaredCommand> &declared)
      : arguments(arguments), options(options), isForDevices(isForDevices), declared(declared) {}

  Status run(CommandLine &line) {
    for (; place < arguments.size(); ++place) {
      const std::string &word = arguments[place];
      if (word == "-h")
        line.help = true;
      else if (word.rfind("--", 0) == 0 && word.size() > 2)
        DLM_TRY(parseFlag(word.substr(2), line));
      else if (word == "help" || word == "version") // as in `PROGRAM help train`
        (word == "help" ? line.help : line.version) = true;
      else
        DLM_TRY(parseCommand(word, line));
    }
    if (line.help || line.version) return Status::ok();
    if (line.command.empty()) return invalidArgument("no command given; --help lists them");
    DLM_TRY(checkUse(line));
    return command ? completeArguments(line) : Status::ok();
  }

private:
  Status parseCommand(const std::string &word, CommandLine &line) {
    if (!line.command.empty())
      return invalidArgument("`" + word + "` after `" + line.command +
                             "` means nothing; values follow their flag" +
                             (line.command == "predict" ? ": --data " + word : ""));
    std::vector<std::string> names;
    for (const CommandSpec &command : Commands) {
      if (word == command.name) line.command = word;
      names.push_back(command.name);
    }
    for (const DeclaredCommand &each : declared) {
      if (word == each.name) {
        line.command = word;
        line.isDeclared = true;
        command = &each;
      }
      names.push_back(each.name);
    }
    if (!line.command.empty()) return Status::ok();
    std::string other = foreignCommand(word);
    return invalidArgument("unknown command `" + word + "`" +
                           (std::count(names.begin(), names.end(), other)
                                ? "; here that is `" + other + "`"
                                : proposal("command", "", nearestNames(word, names))));
  }

  Status parseFlag(const std::string &word, CommandLine &line) {
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    for (const FlagSpec &flag : ProgramFlags) {
      if (name != flag.name) continue;
      if (!*flag.argument && value) return invalidArgument("--" + name + " takes no value");
      if (flag.isForDevices && !isForDevices)
        return invalidArgument("--" + name +
                               " is of programs for a GPU, and this one was compiled " +
                               "for the processor; `dlmc --target=cuda` makes the other kind");
      if (*flag.argument) DLM_TRY(takeValue(name, flag.argument, value));
      bool isOneOfSeveral = name == "data"; // each source may have its own
      if (*flag.argument && !isOneOfSeveral) DLM_TRY(noteGiven(name));
      used.push_back(&flag);
      return setFlag(name, value.value_or(""), line);
    }
    std::string written = name;
    std::replace(written.begin(), written.end(), '-', '_');
    for (const ProgramOption &option : options) {
      if (written == option.name) return setOption(option, value, line);
    }
    for (size_t i = 0; command && i < command->arguments.size(); ++i)
      if (written == command->arguments[i].name)
        return setArgument(command->arguments[i], value, line);
    if (!value && place + 1 < arguments.size() && arguments[place + 1].rfind("--", 0) != 0)
      value = arguments[place + 1];
    return unknownFlag(name, value.value_or(""));
  }

  /// Of two values the user meant one, and which is not known.
  Status noteGiven(const std::string &name) {
    if (given.insert(name).second) return Status::ok();
    return invalidArgument("--" + name + " is given twice; give it once");
  }

  Status setArgument(const CommandArgument &argument, std::optional<std::string> value,
                     CommandLine &line) {
    DLM_TRY(noteGiven(argument.name));
    bool isSwitch = argument.type == "bool" &&
                    (place + 1 >= arguments.size() ||
                     (arguments[place + 1] != "true" && arguments[place + 1] != "false"));
    if (!value && isSwitch)
      value = "true";
    else
      DLM_TRY(takeValue(argument.name,
                        argument.type == "bool"     ? "true"
                        : argument.type == "string" ? "TEXT"
                                                    : "VALUE",
                        value));
    if (argument.type == "string") {
      line.texts[argument.name] = *value;
      return Status::ok();
    }
    return parseArgument(argument, *value, line.arguments[argument.name]);
  }

  /// Defaults for what was not given; then the conditions of the command.
  Status completeArguments(CommandLine &line) const {
    for (const CommandArgument &argument : command->arguments) {
      bool isText = argument.type == "string";
      bool isGiven = line.arguments.count(argument.name) + line.texts.count(argument.name) != 0;
      if (!isGiven && argument.isRequired)
        return invalidArgument("`" + command->name + "` needs --" + argument.name +
                               (isText ? " TEXT" : " VALUE"));
      if (isText) { // what it has to fulfil is of its tokens
        line.texts.emplace(argument.name, argument.byDefault);
        continue;
      }
      double &value = line.arguments[argument.name];
      if (!isGiven) DLM_TRY(parseArgument(argument, argument.byDefault, value));
      DLM_TRY(checkValue("--" + argument.name, value, argument.type == "f32", argument.tests));
    }
    return Status::ok();
  }

  Status takeValue(const std::string &name, const char *argument,
                   std::optional<std::string> &value) {
    if (value) return Status::ok();
    if (place + 1 >= arguments.size() || arguments[place + 1].rfind("--", 0) == 0)
      return invalidArgument("--" + name + " needs a value: --" + name + " " + argument);
    value = arguments[++place];
    return Status::ok();
  }

  Status setOption(const ProgramOption &option, std::optional<std::string> value,
                   CommandLine &line) {
    if (!option.isRunTime)
      return invalidArgument("`" + option.name + "` is fixed when the program is compiled: " +
                             "dlmc -D " + option.name + "=VALUE");
    DLM_TRY(noteGiven(option.name));
    DLM_TRY(takeValue(option.name, "VALUE", value));
    return parseOptionValue(option, *value, line.options[option.name]);
  }

  Status setFlag(const std::string &name, const std::string &value, CommandLine &line) {
    int64_t number = 0;
    if (name == "steps") {
      DLM_TRY(parseWhole(name, value, 1, StepsMax, number));
      line.steps = number;
    } else if (name == "duration") {
      // The shell has cut `--duration 3 epochs` in two.
      bool isCut = place + 1 < arguments.size() && isQuantityUnit(arguments[place + 1]);
      line.duration = parseQuantity(value);
      if (!line.duration && isCut) line.duration = parseQuantity(value + " " + arguments[++place]);
      if (!line.duration)
        return invalidArgument("--duration takes a number above 0 and a unit, such as `500 "
                               "steps`, `3 epochs`, `1e6 samples`, `1e9 tokens` or `90 min` (ms, "
                               "s, min, h), not `" +
                               value + "`");
    } else if (name == "threads" || name == "loader-threads") {
      DLM_TRY(parseWhole(name, value, 1, ThreadsMax, number));
      (name == "threads" ? line.threads : line.loaderThreads) = number;
    } else if (name == "seed" || name == "order-seed") {
      uint64_t seed = 0;
      DLM_TRY(parseSeed(name, value, seed));
      (name == "seed" ? line.seed : line.orderSeed) = seed;
    } else if (name == "to" || name == "from" || name == "emulator-report") {
      if (value.empty()) return invalidArgument("--" + name + " needs a path");
      (name == "to" ? line.to : name == "from" ? line.from : line.emulatorReport) = value;
    } else if (name == "device" || name == "order") {
      DLM_TRY(parseChoice(name, value));
      (name == "device" ? line.device : line.order) = value;
    } else if (name == "data") {
      size_t equals = lengthOfName(value); // a path may have a `=` further behind
      bool isNamed = equals > 0 && equals < value.size() && value[equals] == '=';
      std::string path = isNamed ? value.substr(equals + 1) : value;
      if (path.empty() || value[0] == '=')
        return invalidArgument("--data takes a path, or NAME=PATH, not `" + value + "`");
      std::string source = isNamed ? value.substr(0, equals) : "";
      DLM_TRY(noteGiven(isNamed ? "data " + source : name));
      line.data[source] = path;
    } else if (name == "split") {
      DLM_TRY(parseChoice(name, value));
      line.split = value;
    } else {
      for (auto [switchName, target] : {std::pair<const char *, bool *>{"resume", &line.resume},
                                        {"accept-changes", &line.acceptChanges},
                                        {"json", &line.json},
                                        {"plan", &line.plan},
                                        {"help", &line.help},
                                        {"version", &line.version}}) {
        if (name == switchName) *target = true;
      }
    }
    return Status::ok();
  }

  Status unknownFlag(const std::string &name, const std::string &value) const {
    std::vector<std::string> names, ofProgram;
    for (const FlagSpec &flag : ProgramFlags)
      if (isForDevices || !flag.isForDevices) names.push_back(flag.name);
    for (const ProgramOption &option : options) {
      names.push_back(option.name);
      ofProgram.push_back(option.name);
    }
    for (size_t i = 0; command && i < command->arguments.size(); ++i)
      names.push_back(command->arguments[i].name);
    bool isSpelling = std::any_of(names.begin(), names.end(), [&](const std::string &known) {
      return plainFlagWord(known) == plainFlagWord(name);
    });
    std::string advice = isSpelling ? "" : foreignFlagAdvice(name, value, ofProgram);
    return invalidArgument(
        "unknown flag `--" + name + "`" +
        (advice.empty() ? proposal("flag", "--", nearestNames(name, names)) : "; " + advice));
  }

  /// "; `train` and `bench` do": the commands that take a flag.
  template <class Takes> std::string takersText(const Takes &takes) const {
    std::vector<std::string> takers;
    for (const CommandSpec &each : Commands)
      if (takes(each.name)) takers.emplace_back(each.name);
    for (const DeclaredCommand &each : declared)
      if (takes(each.name)) takers.push_back(each.name);
    std::string text;
    for (size_t i = 0; i < takers.size(); ++i)
      text += (i == 0 ? "; `" : i + 1 < takers.size() ? ", `" : " and `") + takers[i] + "`";
    return takers.empty() ? "" : text + (takers.size() == 1 ? " does" : " do");
  }

  /// Every flag that was given belongs to the command, and every option changes what it does.
  Status checkUse(const CommandLine &line) const {
    for (const FlagSpec *flag : used) {
      auto takes = [&](const std::string &name) { return takesFlag(name, *flag, declared); };
      bool isIdleSeed = command && !command->drawsAtRandom && flag->name == std::string("seed");
      if (isIdleSeed)
        return invalidArgument("nothing that `" + line.command +
                               "` computes is random, so it does not take --seed" +
                               takersText(takes));
      if (!takes(line.command))
        return invalidArgument("`" + line.command + "` does not take --" + flag->name +
                               takersText(takes));
    }
    for (const ProgramOption &option : options) {
      auto takes = [&](const std::string &name) { return option.isOf(name); };
      if (line.options.count(option.name) && !takes(line.command))
        return invalidArgument("nothing that `" + line.command + "` computes depends on --" +
                               option.name + ", so it does not take it" + takersText(takes));
    }
    if (line.steps && line.duration)
      return invalidArgument("--steps and --duration both say how long the run is; give one");
    if (line.command == "info" && line.from) {
      std::string other = !line.options.empty() ? line.options.begin()->first
                          : line.steps          ? "steps"
                          : line.duration       ? "duration"
                          : line.seed           ? "seed"
                          : line.to             ? "to"
                          : !line.data.empty()  ? "data"
                          : line.plan           ? "plan"
                                                : "";
      if (!other.empty())
        return invalidArgument("`info --from` tells what a checkpoint was made with, and --" +
                               other + " changes nothing of that; leave one of the two out");
    }
    const char *emulated = line.order            ? "--order"
                           : line.orderSeed      ? "--order-seed"
                           : line.emulatorReport ? "--emulator-report"
                                                 : nullptr;
    if (emulated && line.device == "cuda")
      return invalidArgument(std::string(emulated) + " is of --device emulator");
    return Status::ok();
  }

  const std::vector<std::string> &arguments;
  const std::vector<ProgramOption> &options;
  bool isForDevices;
  const std::vector<DeclaredCommand> &declared;
  const DeclaredCommand *command = nullptr; // the declared one that is called
  size_t place = 0;
  std::vector<const FlagSpec *> used;
  std::set<std::string> given; // with a value
};

} // namespace

const std::vector<FlagSpec> &flagTable() {
  static const std::vector<FlagSpec> table(std::begin(ProgramFlags), std::end(ProgramFlags));
  return table;
}

const std::vector<CommandSpec> &commandTable() {
  static const std::vector<CommandSpec> table(std::begin(Commands), std::end(Commands));
  return table;
}

bool takesFlag(const std::string &command, const FlagSpec &flag,
               const std::vector<DeclaredCommand> &declared) {
  if (flag.name == std::string("seed"))
    for (const DeclaredCommand &each : declared)
      if (each.name == command) return each.drawsAtRandom;
  char letter = 'c';
  for (const CommandSpec &each : Commands)
    if (command == each.name) letter = command[0];
  return std::strchr(flag.commands, letter) != nullptr;
}

Expected<CommandLine> parseCommandLine(const std::vector<std::string> &arguments,
                                       const std::vector<ProgramOption> &options, bool isForDevices,
                                       const std::vector<DeclaredCommand> &declared) {
  CommandLine line;
  Status status = Parser(arguments, options, isForDevices, declared).run(line);
  if (!status.isOk()) return status;
  return line;
}

} // namespace dlm
