// dlm-gpu-check: runs the device code of compiled examples on this machine's GPU and compares it
// with the emulator, the reference and the processor; times it. README.txt in the bundle says how.
#include "runtime/abi/PlanVerify.h"
#include "runtime/launch/Sections.h"
#include "test/gpu-check/check/Arguments.h"
#include "test/gpu-check/check/Host.h"
#include "test/gpu-check/check/Report.h"

#include "runtime/base/FileBytes.h"
#include "runtime/device/emulator/EmulatedDriver.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace dlm::gpucheck {

namespace {

namespace fs = std::filesystem;

/// Exit statuses.
enum Exit { Agrees = 0, Differs = 1, NoGpu = 2 };

/// An example's files: NAME.cuda and NAME.cpu, its executables, and NAME.cases.
class Example {
public:
  static Expected<std::unique_ptr<Example>> open(const std::string &folder,
                                                 const std::string &name);

  std::string pathOf(const char *kind) const { return folder + "/" + name + "." + kind; }
  std::vector<cuda::DeviceImage> images() const;
  const plan::Plan &plan() const { return *thePlan; }

private:
  std::string folder, name;
  ProgramSections sections;
  const plan::Plan *thePlan = nullptr;
};

Expected<std::unique_ptr<Example>> Example::open(const std::string &folder,
                                                 const std::string &name) {
  auto example = std::make_unique<Example>();
  example->folder = folder;
  example->name = name;
  Expected<ProgramSections> sections = readProgramSections(example->pathOf("cuda"));
  if (!sections) return sections.status();
  example->sections = sections.take();
  const std::vector<uint8_t> &bytes = example->sections.plan;
  Expected<const plan::Plan *> plan = loadPlan(bytes.data(), bytes.size());
  if (!plan) return plan.status().withContext(example->pathOf("cuda"));
  example->thePlan = *plan;
  return example;
}

std::vector<cuda::DeviceImage> Example::images() const {
  std::vector<cuda::DeviceImage> images;
  for (const auto &[imageName, bytes] : sections.images)
    images.push_back({imageName, bytes.data(), bytes.size()});
  return images;
}

/// The emulator as the device: in an order that the reference run of the emulator does not have.
const cuda::DriverTable *openEmulator(bool isDevice) {
  emulator::DriverOptions options;
  if (isDevice) options.launch = {emulator::Order::Random, 7};
  return emulator::openEmulatedDriver(options);
}

/// Adds what the emulator has found since it was opened.
void addFindings(ExampleReport &report) {
  for (const emulator::Finding &finding : emulator::emulatorReport().findings)
    report.findings.push_back(std::string(emulator::faultName(finding.fault)) + " in " +
                              finding.function + ": " + finding.message);
}

/// What a device made of the cases and of whole programs.
struct Witness {
  std::vector<CaseOutput> outputs;
  std::vector<TraceEntry> trace;
};

/// All parts of one example on one device.
class ExampleCheck {
public:
  ExampleCheck(const Arguments &arguments, const cuda::DriverTable *gpu, Report &report)
      : arguments(arguments), gpu(gpu), report(report) {}

  ExampleReport run(const std::string &name);

private:
  Status runParts(ExampleReport &result, const Example &example);
  Expected<Witness> runKernels(Machine &machine, const Example &example,
                               const CaseFile &cases) const;
  Status checkKernels(ExampleReport &result, const Example &example, const CaseFile &cases,
                      const Witness &emulated, Machine &machine) const;
  Status train(ExampleReport &result, const Example &example);
  bool wants(const char *part) const { return arguments.only.empty() || arguments.only == part; }
  TimeOptions timeOptions() const;

  const Arguments &arguments;
  const cuda::DriverTable *gpu; // null: the emulator takes its place
  Report &report;
};

TimeOptions ExampleCheck::timeOptions() const {
  if (gpu && !arguments.quick) return {};
  return {1, 1, 1, 1 << 20};
}

Expected<Witness> ExampleCheck::runKernels(Machine &machine, const Example &example,
                                           const CaseFile &cases) const {
  Witness witness;
  auto outputs = runCases(machine, cases);
  if (!outputs) return outputs.status();
  witness.outputs = outputs.take();
  auto trace = traceProgram(machine, example.plan());
  if (!trace) return trace.status();
  witness.trace = trace.take();
  return witness;
}

Status ExampleCheck::checkKernels(ExampleReport &result, const Example &example,
                                  const CaseFile &cases, const Witness &emulated,
                                  Machine &machine) const {
  Expected<Witness> seen = runKernels(machine, example, cases);
  if (!seen) return seen.status();
  result.kernels = judgeCases(cases, seen->outputs, emulated.outputs);
  result.trace = compareTraces(seen->trace, emulated.trace);
  return Status::ok();
}

Status ExampleCheck::runParts(ExampleReport &result, const Example &example) {
  Expected<CaseFile> cases = CaseFile::read(example.pathOf("cases"));
  if (!cases) return cases.status();
  Witness emulated;
  if (wants("kernels")) {
    auto machine = Machine::open(*openEmulator(/*isDevice=*/false), example.images());
    if (!machine) return machine.status();
    Expected<Witness> seen = runKernels(**machine, example, *cases);
    if (!seen) return seen.status().withContext("in the emulator");
    emulated = seen.take();
    addFindings(result);
  }
  auto machine = Machine::open(gpu ? *gpu : *openEmulator(/*isDevice=*/true), example.images());
  if (!machine) return machine.status();
  report.device = (*machine)->device().traits();
  result.image = (*machine)->device().loadedImage();
  if (wants("kernels")) DLM_TRY(checkKernels(result, example, *cases, emulated, **machine));
  if (wants("times")) {
    auto times = measureTimes(**machine, example.plan(), timeOptions());
    if (!times) return times.status();
    result.times = times.take();
  }
  if (!gpu) addFindings(result);
  *machine = nullptr; // a GPU in exclusive mode serves one process at a time
  return wants("training") ? train(result, example) : Status::ok();
}

Status ExampleCheck::train(ExampleReport &result, const Example &example) {
  if (!example.plan().recipe() || !example.plan().recipe()->data())
    return unsupported("this example does not train");
  std::string data = example.plan().recipe()->data()->name()->str();
  auto path = arguments.data.find(data);
  std::string place =
      data + "=" +
      (path != arguments.data.end() ? path->second : arguments.bundle + "/data/" + data);
  TrainingRun device{example.pathOf("cuda"), {"--data", place, "--device"}};
  device.flags.push_back(gpu ? "cuda" : "emulator");
  TrainingRun cpu{example.pathOf("cpu"), {"--data", place}};
  Expected<std::string> folder = makeTemporaryFolder();
  if (!folder) return folder.status();
  auto comparison = compareTraining(device, cpu, arguments.steps, *folder);
  std::error_code ignored;
  fs::remove_all(*folder, ignored);
  if (!comparison) return comparison.status();
  result.training = comparison.take();
  return Status::ok();
}

ExampleReport ExampleCheck::run(const std::string &name) {
  ExampleReport result;
  result.name = name;
  auto example = Example::open(arguments.bundle, name);
  Status status = example ? runParts(result, **example) : example.status();
  result.failure = status.message();
  return result;
}

/// The names of the examples in a bundle.
std::vector<std::string> findExamples(const std::string &bundle) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(bundle, error))
    if (entry.path().extension() == ".cases") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

int check(const Arguments &arguments, Report &report) {
  report.isEmulated = arguments.emulate;
  report.machine = hostName();
  report.processor = processorName();
  const cuda::DriverTable *gpu = nullptr;
  if (!arguments.emulate) {
    const char *path = std::getenv("DLM_CUDA_LIB_PATH");
    Expected<const cuda::DriverTable *> driver = cuda::openMachineDriver(path ? path : "");
    if (!driver) {
      report.failure = "no GPU: " + driver.status().message() +
                       "\nWith --emulate this runs on the processor instead.";
      return NoGpu;
    }
    gpu = *driver;
  }
  report.driver = gpu ? gpu->origin : "emulated";
  std::vector<std::string> names = findExamples(arguments.bundle);
  if (names.empty()) {
    report.failure = "there are no examples in " + arguments.bundle;
    return Differs;
  }
  ExampleCheck examples(arguments, gpu, report);
  for (const std::string &name : names)
    report.examples.push_back(examples.run(name));
  return report.agrees() ? Agrees : Differs;
}

} // namespace

static int run(int argc, char **argv) {
  Expected<Arguments> arguments = parseArguments({argv + 1, argv + argc});
  if (!arguments) {
    std::fprintf(stderr, "error: %s\n", arguments.status().message().c_str());
    return Differs;
  }
  if (arguments->help) {
    std::fputs(HelpText, stdout);
    return Agrees;
  }
  Report report;
  int exitStatus = check(*arguments, report);
  printSummary(stdout, report);
  std::string json = toJson(report);
  Status status = writeFileBytes(arguments->json, {json.begin(), json.end()});
  if (status.isOk()) return exitStatus;
  std::fprintf(stderr, "error: %s\n", status.message().c_str());
  return Differs;
}

} // namespace dlm::gpucheck

int main(int argc, char **argv) { return dlm::gpucheck::run(argc, argv); }
