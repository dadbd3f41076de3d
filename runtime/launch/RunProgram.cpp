// From the bytes of a program to the command that was asked for.
#include "runtime/launch/RunProgram.h"

#include "runtime/abi/PlanTargets.h"
#include "runtime/abi/PlanVerify.h"
#include "runtime/base/StandardStreams.h"
#include "runtime/launch/CheckedData.h"
#include "runtime/launch/Commands.h"
#include "runtime/launch/MappedData.h"
#include "runtime/launch/MemoryCheck.h"
#include "runtime/launch/StopSignal.h"
#include "runtime/metrics/JsonLines.h"
#include "runtime/metrics/TextProgress.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace dlm {

namespace {

/// The samples that an evaluation on the way looks at; `most` is 0 for all.
class FirstSamples final : public Dataset {
public:
  FirstSamples(const Dataset &all, int64_t most)
      : all(all), count(most > 0 ? std::min(most, all.size()) : all.size()) {}
  int64_t size() const override { return count; }
  const std::vector<FieldSpec> &fields() const override { return all.fields(); }
  Status read(int64_t index, void *const *out) const override { return all.read(index, out); }

private:
  const Dataset &all;
  int64_t count;
};

/// The program's bytes where FlatBuffers may read them: aligned.
class AlignedPlan {
public:
  explicit AlignedPlan(ByteRange plan) : range(plan) {
    constexpr size_t Alignment = 16;
    if (reinterpret_cast<uintptr_t>(plan.data) % Alignment == 0) return;
    copy.assign(plan.data, plan.data + plan.size); // from the heap: aligned to 16
    range.data = copy.data();
  }
  ByteRange bytes() const { return range; }

private:
  ByteRange range;
  std::vector<uint8_t> copy;
};

int fail(std::FILE *err, const std::string &message) {
  std::fprintf(err, "error: %s\n", message.c_str());
  std::fflush(err);
  return 1;
}

/// Whether this machine has the instructions that the kernels use. Names of single processors are
/// not checked: who compiles for one means the machine at hand.
Status checkProcessor(const plan::Plan &plan) {
  std::string cpu = plan.cpu() ? plan.cpu()->str() : "";
  bool runs = true;
  if (cpu == "x86-64-v2")
    runs = __builtin_cpu_supports("x86-64-v2");
  else if (cpu == "x86-64-v3")
    runs = __builtin_cpu_supports("x86-64-v3");
  else if (cpu == "x86-64-v4")
    runs = __builtin_cpu_supports("x86-64-v4");
  if (runs) return Status::ok();
  return Status::error(Code::Unsupported, "this program was compiled for " + cpu +
                                              " processors, which this one is not; `dlmc " +
                                              "--cpu=x86-64-v3` (or `native`, here) helps");
}

/// 0 if all that was printed went where it should, or to a reader who wanted no more.
int finishOutput(const Surroundings &surroundings) {
  int error = std::fflush(surroundings.out) == 0 ? 0 : errno;
  if (arrivalOf(surroundings.out) != Arrival::Lost) return 0;
  std::string reason = error ? std::string(" (") + std::strerror(error) + ")" : "";
  return fail(surroundings.err, "the standard output could not be written" + reason +
                                    ": part of what this command printed is lost");
}

int runCommand(const CommandContext &context) {
  std::FILE *out = context.surroundings.out;
  if (context.line.help || context.line.version) {
    std::string text = !context.line.help             ? versionText(context.plan, context.images)
                       : context.line.command.empty() ? helpText(context)
                                                      : commandHelpText(context);
    std::fputs(text.c_str(), out);
    return finishOutput(context.surroundings);
  }
  int exitStatus = 0;
  Status status;
  if (context.line.command != "info") status = checkProcessor(context.plan);
  if (!status.isOk()) return fail(context.surroundings.err, status.message());
  if (context.line.command == "train")
    status = trainCommand(context, exitStatus);
  else if (context.line.command == "eval")
    status = evalCommand(context);
  else if (context.line.command == "predict")
    status = predictCommand(context);
  else if (context.line.command == "bench")
    status = benchCommand(context);
  else if (context.line.isDeclared)
    status = declaredCommand(context);
  else
    status = infoCommand(context);
  Status finished = context.backend.finish(context.plan, context.surroundings.err);
  if (status.isOk()) status = finished;
  if (status.code() == Code::Interrupted && context.stop) return 128 + context.stop;
  if (!status.isOk()) return fail(context.surroundings.err, status.message());
  int lost = finishOutput(context.surroundings);
  return exitStatus ? exitStatus : lost;
}

/// `kernels`: those to use in place of the bytes of the program's.
int launch(const ProgramBytes &program, const KernelLibrary *kernels, int argc,
           const char *const *argv, const Surroundings &surroundings) {
  AlignedPlan aligned(program.plan);
  Expected<const plan::Plan *> plan = loadPlan(aligned.bytes().data, aligned.bytes().size);
  if (!plan) return fail(surroundings.err, "this program cannot run: " + plan.status().message());
  bool isDevice = isDevicePlan(**plan);
  std::unique_ptr<KernelLibrary> own;
  bool hasKernels = !isDevice || program.kernels.size > 0;
  if (hasKernels && !kernels) {
    Expected<std::unique_ptr<KernelLibrary>> library =
        openKernelLibrary(program.kernels.data, program.kernels.size);
    if (!library)
      return fail(surroundings.err, "this program cannot run: " + library.status().message());
    own = library.take();
    kernels = own.get();
  }
  std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  std::vector<ProgramOption> options = programOptions(**plan);
  std::vector<DeclaredCommand> commands = declaredCommands(**plan);
  Expected<CommandLine> line = parseCommandLine(arguments, options, isDevice, commands);
  std::string commandName = argc > 0 ? argv[0] : "program";
  if (!line)
    return fail(surroundings.err, line.status().message() + "\n`" + commandName +
                                      " --help` lists commands, flags and options");
  StopSignal signals;
  Surroundings complete = surroundings;
  if (!complete.clock) complete.clock = &systemClock();
  std::unique_ptr<Backend> backend =
      isDevice ? makeDeviceBackend(program.images, kernels, *line, surroundings.cudaDriverPath)
               : makeCpuBackend(*kernels);
  std::vector<std::string> images;
  for (const cuda::DeviceImage &image : program.images)
    images.push_back(image.name);
  CommandContext context{**plan, *backend,    *line,    std::move(options), std::move(commands),
                         images, commandName, complete, signals.number()};
  return runCommand(context);
}

} // namespace

Surroundings processSurroundings() {
  Surroundings surroundings;
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  surroundings.isTerminal = isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb";
  surroundings.isColored = surroundings.isTerminal && variable("NO_COLOR").empty();
  return surroundings;
}

int runProgram(const ProgramBytes &program, int argc, const char *const *argv,
               const Surroundings &surroundings) {
  return launch(program, nullptr, argc, argv, surroundings);
}

int runProgram(ByteRange plan, const KernelLibrary &kernels, int argc, const char *const *argv,
               const Surroundings &surroundings) {
  return launch(ProgramBytes{plan}, &kernels, argc, argv, surroundings);
}

std::string checkpointFolder(const plan::RecipeT &recipe) {
  return recipe.checkpoint_to.empty() ? "runs/" + recipe.name : recipe.checkpoint_to;
}

ThreadChoice threadChoice(const CommandLine &line) {
  if (line.threads) return {unsigned(*line.threads), false};
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0)
    return {unsigned(CPU_COUNT(&cores)), true};
  return {std::max(1u, std::thread::hardware_concurrency()), true};
}

Expected<std::unique_ptr<DataSource>> openData(const CommandContext &context,
                                               const plan::RecipeT &recipe) {
  Expected<DataSpec> spec = dataSpecOf(recipe, context.line.data);
  if (!spec) return spec.status();
  if (context.line.acceptChanges) spec->fittedHash.clear();
  DLM_TRY(checkMemory(context.plan, *spec));
  return openDataSource(*spec);
}

Status mapSamples(const CommandContext &context, uint64_t seed,
                  const std::map<std::string, double> &options, std::unique_ptr<DataSource> &data,
                  const DataSpec *named) {
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  Expected<DataSpec> spec = dataSpecOf(recipe, context.line.data);
  if (!spec) return spec.status();
  Expected<std::unique_ptr<DataSource>> mapped =
      mapData(std::move(data), context.plan, *spec, context.backend.kernels(),
              {seed, options, context.line.loaderThreads.value_or(1)});
  if (!mapped) return mapped.status();
  Expected<std::unique_ptr<DataSource>> checked =
      checkData(mapped.take(), context.plan, named ? *named : *spec);
  if (!checked) return checked.status();
  data = checked.take();
  return Status::ok();
}

Expected<std::unique_ptr<Session>> openSession(const CommandContext &context) {
  Expected<std::unique_ptr<Engine>> engine =
      context.backend.open(context.plan, threadChoice(context.line));
  if (!engine) return engine.status();
  return Session::open(engine.take());
}

Expected<std::vector<SplitRecord>> evaluateSplits(Session &session, DataSource &data,
                                                  const std::vector<Split> &splits,
                                                  const std::atomic<int> &stop,
                                                  int64_t samplesMax) {
  std::vector<SplitRecord> records;
  if (!session.canEvaluate()) return records;
  for (Split split : splits) {
    Expected<const Dataset *> dataset = data.get(split, &stop);
    if (!dataset) return dataset.status();
    if ((*dataset)->size() == 0) continue;
    FirstSamples first(**dataset, samplesMax);
    Expected<std::vector<NamedValue>> values = session.evaluate(first, stop);
    if (!values) return values.status();
    records.push_back({splitName(split), values.take()});
  }
  return records;
}

std::unique_ptr<MetricSink> makeSink(const CommandContext &context) {
  const Surroundings &around = context.surroundings;
  if (context.line.json) return makeJsonLines(around.out, around.err, *around.clock);
  return makeTextProgress(around.out, around.err,
                          {around.isTerminal, around.isColored, around.columns}, *around.clock);
}

} // namespace dlm
