// The commands of a compiled program.
#pragma once

#include "runtime/launch/Backend.h"
#include "runtime/launch/RunProgram.h"
#include "runtime/launch/Session.h"

#include <atomic>
#include <functional>
#include <string>

namespace dlm {

/// What every command gets.
struct CommandContext {
  const plan::Plan &plan;
  Backend &backend;
  const CommandLine &line;
  std::vector<ProgramOption> options;
  std::vector<DeclaredCommand> commands; // of the program
  std::vector<std::string> images;       // names of the forms of device code
  std::string commandName;               // how the user called the program
  Surroundings surroundings;
  const std::atomic<int> &stop; // a signal's number, or 0
};

/// Each returns Ok, or the failure whose message the caller prints. `exitStatus` is set when a
/// command ended in order but not with 0.
Status trainCommand(const CommandContext &context, int &exitStatus);
Status evalCommand(const CommandContext &context);
Status predictCommand(const CommandContext &context);
Status benchCommand(const CommandContext &context);
Status infoCommand(const CommandContext &context);
Status declaredCommand(const CommandContext &context);

/// `info --from PATH`: the checkpoints of a folder, or what one says of itself and its run.
Status listCheckpoints(const CommandContext &context);

/// A checkpoint as the user named it: a file, or a folder whose latest one is meant.
struct CheckpointPath {
  std::string folder;
  std::string key; // empty: the latest
};
CheckpointPath splitCheckpointPath(const std::string &path);

/// Is told each time that a command has made a token, with the text so far, if its only result is
/// that text, else with an empty one. A failure ends the command.
using TextWatcher = std::function<Status(const std::string &soFar)>;

/// Calls a command that the program declares, with arguments that were checked, on the parameters
/// that the engine holds.
Expected<std::vector<CommandValue>> callCommand(Engine &engine, const plan::RecipeT &recipe,
                                                const CommandLine &line,
                                                const TextWatcher &watch = {});

/// The texts of --help, of COMMAND --help, and of --version.
std::string helpText(const CommandContext &context);
std::string commandHelpText(const CommandContext &context);
std::string versionText(const plan::Plan &plan, const std::vector<std::string> &images);

/// "0 < lr <= 1", "batch_size >= 1, a multiple of 64"; empty if any value will do.
std::string optionRange(const ProgramOption &option);

/// The type of an option and its value, as a program writes them: `f32`, `0.001`; `string`,
/// `"gelu"`.
std::string optionType(const ProgramOption &option);
std::string optionValue(const ProgramOption &option);

/// A listing of every program, instruction and buffer of a plan.
std::string planText(const plan::Plan &plan);

/// The folder for checkpoints that the plan names.
std::string checkpointFolder(const plan::RecipeT &recipe);

/// The number of threads to use: as asked, or at most the cores this process may run on.
ThreadChoice threadChoice(const CommandLine &line);

/// The data of the recipe, or what `--data` puts in its place; reading goes on in the background.
Expected<std::unique_ptr<DataSource>> openData(const CommandContext &context,
                                               const plan::RecipeT &recipe);

/// Puts what `data.map` makes of the samples in the place of `data`, if the program has maps. Seed
/// and options are those of the run. Ids that are out of range are looked for; `named`, if it is
/// not the program's own, says which samples `data` has: messages call them by it.
Status mapSamples(const CommandContext &context, uint64_t seed,
                  const std::map<std::string, double> &options, std::unique_ptr<DataSource> &data,
                  const DataSpec *named = nullptr);

/// A session on an engine of the backend.
Expected<std::unique_ptr<Session>> openSession(const CommandContext &context);

/// The evaluation of the given splits that have samples; of each the first `samplesMax`, if that is
/// not 0.
Expected<std::vector<SplitRecord>> evaluateSplits(Session &session, DataSource &data,
                                                  const std::vector<Split> &splits,
                                                  const std::atomic<int> &stop,
                                                  int64_t samplesMax = 0);

/// The sink that --json asks for, or text.
std::unique_ptr<MetricSink> makeSink(const CommandContext &context);

} // namespace dlm
