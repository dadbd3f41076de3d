// The JSON is documented in the README of the folder above.
#include "test/gpu-check/check/Report.h"

#include "runtime/metrics/JsonLines.h"

#include <algorithm>

namespace dlm::gpucheck {

bool ExampleReport::agrees() const {
  if (!failure.empty() || !findings.empty()) return false;
  if (training && !training->agrees()) return false;
  if (trace && !trace->agrees()) return false;
  return !kernels || std::all_of(kernels->begin(), kernels->end(),
                                 [](const KernelResult &kernel) { return kernel.agrees(); });
}

bool Report::agrees() const {
  return failure.empty() && !examples.empty() &&
         std::all_of(examples.begin(), examples.end(),
                     [](const ExampleReport &example) { return example.agrees(); });
}

namespace {

/// A JSON object in the making.
class JsonObject {
public:
  JsonObject &add(const char *key, const std::string &json) {
    text += (text.empty() ? "" : ",") + jsonText(key) + ":" + json;
    return *this;
  }
  JsonObject &string(const char *key, const std::string &value) {
    return add(key, jsonText(value));
  }
  JsonObject &number(const char *key, double value) { return add(key, jsonNumber(value)); }
  JsonObject &flag(const char *key, bool value) { return add(key, value ? "true" : "false"); }
  std::string str() const { return "{" + text + "}"; }

private:
  std::string text;
};

template <class T, class F> std::string jsonList(const std::vector<T> &items, F toText) {
  std::string text;
  for (const T &item : items)
    text += (text.empty() ? "" : ",") + toText(item);
  return "[" + text + "]";
}

std::string kernelJson(const KernelResult &kernel) {
  return JsonObject()
      .string("name", kernel.name)
      .number("cases", kernel.cases)
      .number("unlike_emulator", kernel.unlikeEmulator)
      .number("unlike_reference", kernel.unlikeReference)
      .number("overruns", kernel.overruns)
      .number("max_ulp", kernel.error.ulp)
      .number("max_relative", kernel.error.relative)
      .string("first_fault", kernel.firstFault)
      .flag("agrees", kernel.agrees())
      .str();
}

std::string trainingJson(const TrainingComparison &training) {
  return JsonObject()
      .number("steps", training.steps)
      .number("reports", training.reports)
      .number("equal_reports", training.equalReports)
      .number("tensors", training.tensors)
      .add("unequal_tensors", jsonList(training.unequal, jsonText))
      .string("first_loss", training.firstLoss)
      .string("last_loss", training.lastLoss)
      .number("device_seconds", training.deviceSeconds)
      .number("cpu_seconds", training.cpuSeconds)
      .flag("agrees", training.agrees())
      .str();
}

std::string traceJson(const TraceComparison &trace) {
  return JsonObject()
      .number("instructions", trace.instructions)
      .number("unlike_emulator", trace.unlikeEmulator)
      .string("first_fault", trace.firstFault)
      .flag("agrees", trace.agrees())
      .str();
}

std::string instructionJson(const InstructionTime &time) {
  return JsonObject()
      .string("program", time.program)
      .string("name", time.work.name)
      .number("us", time.medianUs)
      .number("bytes", time.work.bytes)
      .number("flops", time.work.flops)
      .number("bytes_per_s", time.bytesPerSecond())
      .number("flops_per_s", time.flopsPerSecond())
      .str();
}

std::string timesJson(const Times &times) {
  std::string step = JsonObject()
                         .number("us", times.step.medianUs)
                         .number("least_us", times.step.leastUs)
                         .number("pipelined_us", times.step.pipelinedUs)
                         .number("steps", times.step.steps)
                         .str();
  return JsonObject()
      .add("step", step)
      .number("copy_bytes_per_s", times.copyBytesPerSecond)
      .add("instructions", jsonList(times.instructions, instructionJson))
      .str();
}

std::string exampleJson(const ExampleReport &example) {
  JsonObject object;
  object.string("name", example.name).string("image", example.image);
  if (example.kernels) object.add("kernels", jsonList(*example.kernels, kernelJson));
  if (example.trace) object.add("trace", traceJson(*example.trace));
  if (example.training) object.add("training", trainingJson(*example.training));
  if (example.times) object.add("times", timesJson(*example.times));
  object.add("findings", jsonList(example.findings, jsonText));
  return object.string("failure", example.failure).flag("agrees", example.agrees()).str();
}

std::string deviceJson(const cuda::DeviceTraits &device) {
  return JsonObject()
      .string("name", device.name)
      .string("architecture", "sm_" + std::to_string(device.major) + std::to_string(device.minor))
      .number("multiprocessors", device.multiprocessors)
      .add("memory_bytes", std::to_string(device.totalBytes))
      .number("driver_version", device.driverVersion)
      .str();
}

const char *verdictOf(const Report &report) {
  if (!report.failure.empty()) return "not run";
  return report.agrees() ? "agrees" : "differs";
}

void printExample(std::FILE *out, const ExampleReport &example) {
  std::fprintf(out, "\n%s (device code: %s)\n", example.name.c_str(), example.image.c_str());
  if (example.kernels) {
    std::fprintf(out, "  %-36s %6s %-8s %10s %10s\n", "kernel", "cases", "bits", "max ulp",
                 "max rel");
    for (const KernelResult &kernel : *example.kernels)
      std::fprintf(out, "  %-36s %6u %-8s %10.3g %10.3g %s\n", kernel.name.c_str(), kernel.cases,
                   kernel.agrees() ? "equal" : "DIFFER", kernel.error.ulp, kernel.error.relative,
                   kernel.firstFault.c_str());
  }
  if (const auto &trace = example.trace)
    std::fprintf(out,
                 "  two steps and an evaluation: %u of %u instructions unlike the emulator%s%s\n",
                 trace->unlikeEmulator, trace->instructions, trace->firstFault.empty() ? "" : "; ",
                 trace->firstFault.c_str());
  if (const auto &training = example.training) {
    std::fprintf(out, "  training: %u steps, %u of %u reports equal, %zu of %u tensors differ; ",
                 training->steps, training->equalReports, training->reports,
                 training->unequal.size(), training->tensors);
    std::fprintf(out, "loss %s to %s; %.2f s, on the processor %.2f s\n",
                 training->firstLoss.c_str(), training->lastLoss.c_str(), training->deviceSeconds,
                 training->cpuSeconds);
  }
  if (const auto &times = example.times) {
    std::fprintf(out, "  a step: %.1f us (least %.1f, in a row %.1f); copy %.1f GB/s\n",
                 times->step.medianUs, times->step.leastUs, times->step.pipelinedUs,
                 times->copyBytesPerSecond * 1e-9);
    std::fprintf(out, "  %10s %9s %9s  %-10s %s\n", "us", "GB/s", "GFLOP/s", "program",
                 "instruction");
    for (const InstructionTime &time : times->instructions)
      std::fprintf(out, "  %10.2f %9.1f %9.1f  %-10s %s\n", time.medianUs,
                   time.bytesPerSecond() * 1e-9, time.flopsPerSecond() * 1e-9, time.program.c_str(),
                   time.work.name.c_str());
  }
  for (const std::string &finding : example.findings)
    std::fprintf(out, "  the emulator found: %s\n", finding.c_str());
  if (!example.failure.empty()) std::fprintf(out, "  FAILED: %s\n", example.failure.c_str());
}

} // namespace

std::string toJson(const Report &report) {
  return JsonObject()
             .number("version", 1)
             .string("verdict", verdictOf(report))
             .string("failure", report.failure)
             .flag("emulated", report.isEmulated)
             .string("machine", report.machine)
             .string("processor", report.processor)
             .string("driver", report.driver)
             .add("device", deviceJson(report.device))
             .add("examples", jsonList(report.examples, exampleJson))
             .str() +
         "\n";
}

void printSummary(std::FILE *out, const Report &report) {
  std::fprintf(out, "host:   %s, %s\n", report.machine.c_str(), report.processor.c_str());
  if (report.failure.empty())
    std::fprintf(out, "device: %s, sm_%d%d, %d multiprocessors, driver %s (%d)\n",
                 report.device.name.c_str(), report.device.major, report.device.minor,
                 report.device.multiprocessors, report.driver.c_str(), report.device.driverVersion);
  for (const ExampleReport &example : report.examples)
    printExample(out, example);
  if (!report.failure.empty())
    std::fprintf(out, "%s\n", report.failure.c_str());
  else
    std::fprintf(out, "\nverdict: %s\n", verdictOf(report));
}

} // namespace dlm::gpucheck
