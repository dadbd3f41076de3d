// The driver of checking. Whether an option has to be known at compile time is only found on the
// way: then the pass is thrown away and made again with the option's value, until no further one
// is found (at most once for each option). Each pass has its own messages; those of the last are
// kept.
#include "compiler/sema/Check.h"

#include "compiler/sema/RepeatedNames.h"
#include "compiler/sema/Survey.h"
#include "compiler/sema/UnusedNames.h"
#include "compiler/sema/run/Derived.h"
#include "compiler/sema/run/Tests.h"
#include "compiler/sema/run/TrainBlock.h"
#include "compiler/source/LargeStack.h"

#include <algorithm>
#include <map>
#include <memory>

namespace dlm::sema {

namespace {

const ast::Train *chooseTrain(const ast::File &file, Reporter &report,
                              const CheckOptions &options) {
  std::vector<std::string> names;
  for (const ast::Train &train : file.trains)
    names.push_back(train.name.text);
  if (names.empty() && options.purpose != Purpose::Run) return nullptr;
  if (names.empty()) {
    report(Kind::NoTrain, {}, "the program has no `train` block");
    return nullptr;
  }
  if (options.train.empty() && names.size() == 1) return &file.trains[0];
  if (options.train.empty()) {
    report(Kind::NoTrain, file.trains[1].name.span,
           "the program has " + std::to_string(names.size()) + " train blocks, and none was chosen")
        .help("`--train=NAME` chooses one of " + joinNames(names));
    return nullptr;
  }
  auto found = std::find(names.begin(), names.end(), options.train);
  if (found != names.end()) return &file.trains[size_t(found - names.begin())];
  report(Kind::NoTrain, {}, "there is no train block named `" + options.train + "`")
      .nearestOrAll("a train block", options.train, {}, names);
  return nullptr;
}

/// The options of the program are those of its file and of the modules it uses.
void checkDefinitions(const Program &program, Reporter &report, const CheckOptions &options) {
  std::vector<std::string> names;
  for (const Option &option : program.options)
    names.push_back(option.name);
  for (const auto &definition : options.definitions) {
    if (std::count(names.begin(), names.end(), definition.first)) continue;
    Report message(report, Kind::UnknownOption, {}, // what is wrong stands in no file
                   "`-D " + definition.first + "`: the program has no such option");
    if (names.empty()) message.help("it declares no option: `option NAME = ...` would be one");
    message.nearestOrAll("an option", definition.first, {}, names);
  }
}

void reportUnused(const ast::File &file, Scope &scope, Reporter &report) {
  for (const ast::Option &option : file.options) {
    auto binding = scope.bindings.find(option.name.text);
    if (binding != scope.bindings.end() && !binding->second.isUsed)
      report(Kind::UnusedOption, option.name.span,
             "the option `" + option.name.text + "` is never used");
  }
}

struct Pass {
  SourceManager &sources;
  ModuleFiles &modules;
  const CheckOptions &options;
  WorkBudget &budget;
  std::set<std::string> compileTime;
  bool mayMissOptions = true; // that no train block uses; a module has options for other files

  /// Checks everything once; true if it has to be done again with more compile-time options.
  bool run(const ast::File &file, DiagnosticEngine &diagnostics,
           std::optional<TypedProgram> &result) {
    Program program(options);
    program.compileTime = compileTime;
    if (options.observer) options.observer->begin();
    Evaluator evaluator(program, sources, modules, diagnostics, budget);
    ScopePtr scope = evaluator.makeScope(evaluator.library);
    evaluator.loadFile(file, scope, false);
    checkDefinitions(program, evaluator.report, options);
    checkDerivedNames(file, evaluator.report);
    result.emplace();
    if (const ast::Train *train = chooseTrain(file, evaluator.report, options))
      result = TrainBlock(evaluator, *train, scope).check(file);
    evaluator.checkConditions();           // that no train block has asked for
    for (const ast::Stmt &let : file.lets) // after the run, whose length schedules may need
      for (const ast::Name &name : let.pattern.names) {
        auto binding = scope->bindings.find(name.text);
        if (binding != scope->bindings.end()) evaluator.force(binding->second, name.span);
      }
    if (options.observer) {
      Survey(evaluator).file(file, scope);
      options.observer->scope(*scope);
    }
    if (!diagnostics.hasErrors() && mayMissOptions) reportUnused(file, *scope, evaluator.report);
    if (!diagnostics.hasErrors()) reportUnusedNames(file, evaluator.report);
    compileTime = program.compileTime;
    return program.foundCompileTime && !budget.isSpent();
  }

  /// The same for the tests alone. They are checked apart from the run, so that what they need to
  /// know of an option does not change the executable.
  bool runTests(const ast::File &file, DiagnosticEngine &diagnostics,
                std::vector<TypedTest> &result) {
    Program program(options);
    program.compileTime = compileTime;
    Evaluator evaluator(program, sources, modules, diagnostics, budget);
    ScopePtr scope = evaluator.makeScope(evaluator.library);
    evaluator.loadFile(file, scope, false);
    if (options.purpose == Purpose::Test) {
      checkDefinitions(program, evaluator.report, options);
      evaluator.checkConditions();
    }
    result = checkTests(evaluator, file, scope);
    compileTime = program.compileTime;
    return program.foundCompileTime && !budget.isSpent();
  }
};

/// The train blocks to check, one in each round; an empty name stands for the only one.
std::vector<std::string> roundsOf(const ast::File &file, const CheckOptions &options) {
  if (!options.everyTrain || !options.train.empty() || file.trains.size() < 2)
    return {options.train};
  std::vector<std::string> names;
  for (const ast::Train &train : file.trains)
    names.push_back(train.name.text);
  return names;
}

using Messages = std::vector<std::unique_ptr<DiagnosticEngine>>;

/// In how many rounds an option at a place is unused: it is so only if no train block uses it.
using UnusedCounts = std::map<std::pair<FileId, uint32_t>, size_t>;

UnusedCounts countUnused(const Messages &rounds) {
  UnusedCounts counts;
  for (const auto &round : rounds)
    for (const Diagnostic *message : round->sorted())
      if (message->kind == Kind::UnusedOption) ++counts[{message->span.file, message->span.begin}];
  return counts;
}

void copyMessages(const DiagnosticEngine &from, size_t roundCount, const UnusedCounts &unused,
                  DiagnosticEngine &to) {
  for (const Diagnostic *message : from.sorted()) {
    const Span &span = message->span;
    if (message->kind == Kind::UnusedOption && unused.at({span.file, span.begin}) < roundCount)
      continue;
    Sameness sameness = isAboutRepeatedName(message->kind) ? Sameness::Place : message->sameness;
    DiagnosticBuilder builder = to.report(message->kind, message->span, message->message, sameness);
    for (const Label &label : message->labels)
      label.isPrimary ? builder.label(label.span, label.text)
                      : builder.secondary(label.span, label.text);
    for (const Note &note : message->notes)
      builder.note(note.span, note.text);
    for (const Help &help : message->helps)
      builder.help(help.text, help.span, help.replacement, help.applicability);
  }
}

void copyMessages(const Messages &rounds, DiagnosticEngine &to) {
  UnusedCounts unused = countUnused(rounds);
  for (const auto &round : rounds)
    copyMessages(*round, rounds.size(), unused, to);
}

/// The values of searches that are checked, each by a check of the whole program.
constexpr size_t searchedMax = 32;

/// Checks the program with each value that a search gives an option, all others being as they are:
/// a value that `-D` would be refused for is refused in the search.
void checkSearched(const ast::File &file, const Pass &pass, const std::string &train,
                   const std::vector<Search> &searches, DiagnosticEngine &diagnostics) {
  size_t count = 0;
  for (const Search &search : searches)
    for (const SearchOption &option : search.space)
      for (size_t i = 0; i < option.values.size() && count < searchedMax; ++i, ++count) {
        CheckOptions options = pass.options;
        options.observer = nullptr;
        options.train = train;
        options.definitions.emplace_back(option.option, option.values[i]);
        WorkBudget budget;
        Pass trial{pass.sources, pass.modules, options, budget, {}};
        std::unique_ptr<DiagnosticEngine> said;
        std::optional<TypedProgram> unused;
        do
          said = std::make_unique<DiagnosticEngine>(pass.sources);
        while (trial.run(file, *said, unused));
        for (const Diagnostic *message : said->sorted()) {
          if (message->severity != Severity::Error) continue;
          DiagnosticBuilder builder = diagnostics.report(
              message->kind, option.places[i],
              "with `" + option.option + " = " + option.values[i] + "`: " + message->message);
          if (message->span.isValid()) builder.note(message->span, "here");
          for (const Note &note : message->notes)
            builder.note(note.span, note.text);
          break;
        }
        if (budget.isSpent()) return;
      }
}

void checkTrains(const ast::File &file, SourceManager &sources, ModuleFiles &modules,
                 const CheckOptions &options, WorkBudget &budget, DiagnosticEngine &diagnostics,
                 std::optional<TypedProgram> &result) {
  Messages rounds;
  std::vector<std::string> trains = roundsOf(file, options);
  bool areAll = !file.trains.empty() && (trains.size() == file.trains.size() || options.observer);
  for (const std::string &train : trains) {
    CheckOptions chosen = options;
    chosen.train = train;
    Pass pass{sources, modules, chosen, budget, {}, areAll};
    rounds.emplace_back();
    do {
      rounds.back() = std::make_unique<DiagnosticEngine>(sources);
      result.reset();
    } while (pass.run(file, *rounds.back(), result));
    if (!rounds.back()->hasErrors() && options.purpose == Purpose::Check)
      checkSearched(file, pass, result->name, result->searches, *rounds.back());
    if (!rounds.back()->hasErrors() && result && options.eachTrain && !file.trains.empty())
      options.eachTrain(*result);
    if (budget.isSpent()) break;
  }
  copyMessages(rounds, diagnostics);
}

} // namespace

std::optional<TypedProgram> check(const ast::File &file, SourceManager &sources,
                                  DiagnosticEngine &diagnostics, const CheckOptions &options) {
  ModuleFiles modules(sources, diagnostics);
  return check(file, sources, modules, diagnostics, options);
}

std::optional<TypedProgram> check(const ast::File &file, SourceManager &sources,
                                  ModuleFiles &modules, DiagnosticEngine &diagnostics,
                                  const CheckOptions &options) {
  std::optional<TypedProgram> result;
  runOnLargeStack([&] {
    reportRepeatedNames(file, diagnostics);
    WorkBudget budget;
    if (options.purpose != Purpose::Test)
      checkTrains(file, sources, modules, options, budget, diagnostics, result);
    std::vector<TypedTest> tests;
    if (options.purpose != Purpose::Run && !file.tests.empty()) {
      Pass pass{sources, modules, options, budget, {}};
      Messages round(1);
      do
        round[0] = std::make_unique<DiagnosticEngine>(sources);
      while (pass.runTests(file, *round[0], tests));
      copyMessages(round, diagnostics);
    }
    if (!result) result.emplace();
    result->tests = std::move(tests);
  });
  if (diagnostics.hasErrors()) result.reset();
  return result;
}

} // namespace dlm::sema
