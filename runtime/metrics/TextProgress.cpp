// The text sink.
#include "runtime/metrics/TextProgress.h"

#include "runtime/metrics/LineBuffer.h"
#include "runtime/metrics/MemoryMeter.h"
#include "runtime/metrics/RateMeter.h"
#include "runtime/metrics/StatusLine.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace dlm {

namespace {

constexpr int64_t RedrawNs = 100000000;
constexpr int64_t TimedLineNs = 10000000000; // between lines of a run whose end is a time
constexpr int64_t LinesWanted = 20;
constexpr size_t NarrowestColumns = 20, DefaultColumns = 80;
constexpr const char *ClearLine = "\r\033[K";

/// The smallest of 1, 2, 5, 10, 20, 50, ... that is at least `least`.
int64_t roundNumber(int64_t least) {
  for (int64_t power = 1;; power *= 10) {
    for (int64_t digit : {1, 2, 5}) {
      if (digit * power >= least) return digit * power;
    }
  }
}

void formatBytes(double bytes, char *text, size_t size) {
  static constexpr const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (unit + 1 < sizeof units / sizeof *units && bytes >= 1024) {
    bytes /= 1024;
    ++unit;
  }
  std::snprintf(text, size, unit == 0 || bytes >= 99.95 ? "%.0f %s" : "%.1f %s", bytes,
                units[unit]);
}

/// Writes a duration to `text`.
void formatDuration(double seconds, char *text, size_t size) {
  long long whole = static_cast<long long>(seconds + 0.5);
  if (seconds < 9.95)
    std::snprintf(text, size, "%.1f s", seconds);
  else if (whole < 60)
    std::snprintf(text, size, "%lld s", whole);
  else if (whole < 3600)
    std::snprintf(text, size, "%lld min %02lld s", whole / 60, whole % 60);
  else
    std::snprintf(text, size, "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
}

class TextProgress : public MetricSink {
public:
  TextProgress(std::FILE *out, std::FILE *notes, TextForm form, Clock &clock)
      : out(out), notes(notes), form(form), clock(clock) {}

  void start(const RunRecord &record) override {
    run = record;
    startNs = lastLineNs = clock.monotonicNs();
    lineEvery = run.steps ? roundNumber((run.steps + LinesWanted - 1) / LinesWanted) : 0;
    line.clear();
    line.add("%s: %s parameters, %s samples, batch %lld", run.program.c_str(),
             countText(run.parameters).c_str(), countText(run.trainCount).c_str(),
             static_cast<long long>(run.batch));
    if (run.microBatches > 1) line.add(" in %lld parts", static_cast<long long>(run.microBatches));
    line.add(", seed %llu, ", static_cast<unsigned long long>(run.seed));
    if (run.device.empty())
      line.add("%d thread%s", run.threads, run.threads == 1 ? "" : "s");
    else
      line.add("on %s", run.device.c_str());
    line.print(out);
    if (run.resumed) {
      line.clear();
      line.add("resuming after step %lld", static_cast<long long>(run.firstStep));
      line.print(out);
    }
  }

  void step(const StepRecord &record) override {
    int64_t nowNs = clock.monotonicNs();
    double attemptsPerSecond = rate.update(nowNs, record.attempt);
    if (!record.applied) {
      noteSkip(record);
      return;
    }
    bool isLast = run.steps && record.step >= run.steps;
    bool isLineDue = isLast || record.step == run.firstStep + 1 ||
                     (lineEvery ? record.step % lineEvery == 0 : nowNs - lastLineNs >= TimedLineNs);
    bool isRedrawDue = form.isTerminal && nowNs - lastDrawNs >= RedrawNs;
    if (!isLineDue && !isRedrawDue) return;
    formatStep(record, attemptsPerSecond, nowNs, isLast);
    clearStatus();
    if (isLineDue) {
      lastLineNs = nowNs;
      std::fprintf(out, "%s\n", status.fit(form.isTerminal ? columns() : SIZE_MAX));
    }
    if (form.isTerminal && !isLast) {
      lastDrawNs = nowNs;
      addMachine(record, nowNs);
      std::fprintf(out, "%s%s%s", form.isColored ? Bold : "", status.fit(columns()),
                   form.isColored ? Plain : "");
      statusShown = true;
    }
    std::fflush(out);
  }

  void evaluated(const EvaluationRecord &record) override {
    clearStatus();
    for (const SplitRecord &split : record.splits) {
      line.clear();
      line.add("step %*lld  %s", stepWidth(), static_cast<long long>(record.step),
               split.split.c_str());
      addValues(split.values.data(), split.values.size());
      line.print(out);
    }
  }

  void saved(int64_t, const std::string &) override {}

  void note(const std::string &text) override {
    clearStatus();
    std::fprintf(notes, "%s\n", text.c_str());
    std::fflush(notes);
  }

  void finish(const FinalRecord &record) override {
    clearStatus();
    double seconds = double(clock.monotonicNs() - startNs) * 1e-9;
    std::fprintf(out, "\n%s%s%s %lld steps (%.4g epochs)", form.isColored ? Bold : "",
                 record.complete ? "finished:" : "stopped after", form.isColored ? Plain : "",
                 static_cast<long long>(record.step), record.epoch);
    if (record.step > run.firstStep) {
      std::fprintf(out, " in %s", durationText(seconds).c_str());
      auto samples = int64_t(double(record.attempts * run.batch * run.batches) / seconds + 0.5);
      if (record.attempts > 0 && seconds > 0)
        std::fprintf(out, ", %s samples/s", countText(samples).c_str());
    }
    std::fputs("\n", out);
    for (const SplitRecord &split : record.splits) {
      line.clear();
      line.add("  %s", split.split.c_str());
      line.padTo(12);
      addValues(split.values.data(), split.values.size());
      if (split.split == "train") line.add("  (of the last batch)");
      line.print(out);
    }
    if (!record.best.split.empty())
      std::fprintf(out, "best         the %s on %s was %s after step %s: %.4g%s\n",
                   record.best.metric.c_str(), record.best.split.c_str(),
                   record.best.isLargest ? "largest" : "smallest",
                   countText(record.best.step).c_str(), record.best.value,
                   record.best.checkpoint.empty() ? "" : "; its checkpoint is kept");
    if (record.attempts > 0) printWaits(record.waits);
    printNextCommands(record);
    std::fflush(out);
  }

private:
  static constexpr const char *Bold = "\033[1m", *Plain = "\033[0m";
  static constexpr const char *Blanks = "            ";

  int stepWidth() const {
    int width = 1;
    for (int64_t rest = run.steps; rest >= 10; rest /= 10)
      ++width;
    return width;
  }

  /// How wide a line may be. The last column stays free: some terminals wrap when it is used.
  size_t columns() const {
    struct winsize window;
    size_t count = form.columns > 0 ? size_t(form.columns)
                   : ioctl(fileno(out), TIOCGWINSZ, &window) == 0 && window.ws_col > 0
                       ? window.ws_col
                       : DefaultColumns;
    return (count > NarrowestColumns ? count : NarrowestColumns) - 1;
  }

  void addValues(const NamedValue *values, size_t count) {
    for (size_t i = 0; i < count; ++i)
      line.add("  %s %.4g", values[i].name.c_str(), printable(values[i].value));
  }

  /// Whether it is `what`, or that of one of several updates.
  static bool isOf(const std::string &name, const char *what) {
    size_t dot = name.rfind('.');
    return name.compare(dot == std::string::npos ? 0 : dot + 1, std::string::npos, what) == 0;
  }

  void formatStep(const StepRecord &record, double attemptsPerSecond, int64_t nowNs, bool isLast) {
    status.clear();
    if (run.steps)
      status.add(0, "step %*lld/%lld", stepWidth(), static_cast<long long>(record.step),
                 static_cast<long long>(run.steps));
    else
      status.add(0, "step %lld", static_cast<long long>(record.step));
    status.add(3, "epoch %.2f", record.epoch);
    for (size_t i = 0; i < record.valueCount; ++i) {
      const NamedValue &value = record.values[i];
      int importance = i == 0                          ? 0
                       : isOf(value.name, "lr")        ? 4
                       : isOf(value.name, "grad_norm") ? 6
                                                       : 5;
      status.add(importance, "%s %.4g", value.name.c_str(), printable(value.value));
    }
    if (attemptsPerSecond > 0)
      status.add(2, "%.0f samples/s", attemptsPerSecond * double(run.batch * run.batches));
    double seconds = secondsLeft(run, record.step, attemptsPerSecond, nowNs - startNs);
    if (isLast || seconds < 0) return;
    char left[32];
    formatDuration(seconds, left, sizeof left);
    status.add(1, "%s left", left);
  }

  /// What only the line on a terminal says: it is of no use later.
  void addMachine(const StepRecord &record, int64_t nowNs) {
    int64_t bytes = run.deviceBytes ? run.deviceBytes : memory.bytes(nowNs);
    char text[32];
    formatBytes(double(bytes), text, sizeof text);
    if (bytes > 0) status.add(7, "%s", text);
    status.add(8, "%lld batches ready", static_cast<long long>(record.batchesReady));
  }

  void noteSkip(const StepRecord &record) {
    clearStatus();
    line.clear();
    line.add("skipped the update after step %lld (batch %lld): not finite:",
             static_cast<long long>(record.step), static_cast<long long>(record.attempt));
    addValues(record.values, record.valueCount);
    line.print(notes);
  }

  void printWaits(int64_t waits) {
    if (waits == 0)
      std::fputs("data         kept ahead of training: it never waited\n", out);
    else
      std::fprintf(out, "data         training waited %s time%s for it\n", countText(waits).c_str(),
                   waits == 1 ? "" : "s");
  }

  /// A finished run goes on if it gets longer. N counts from its beginning.
  static std::string moreSteps(const FinalRecord &record) {
    if (!record.complete) return "";
    return " --steps N  (N > " + std::to_string(record.step) + ": the steps of the whole run)";
  }

  void printNextCommands(const FinalRecord &record) {
    if (record.checkpoint.empty()) return;
    const char *name = run.commandName.c_str(), *folder = record.folderArgument.c_str();
    std::string from = *folder ? " --from " + record.folderArgument : "";
    std::fprintf(out, "checkpoint   %s\n", record.checkpoint.c_str());
    if (!record.isOver)
      std::fprintf(out, "go on with   %s train --resume%s%s%s\n", name, *folder ? " --to " : "",
                   folder, moreSteps(record).c_str());
    if (record.canEvaluate) std::fprintf(out, "evaluate     %s eval%s\n", name, from.c_str());
    if (record.canEvaluate && !record.best.checkpoint.empty())
      std::fprintf(out, "the best     %s eval --from %s%sbest\n", name, folder, *folder ? "/" : "");
    if (!record.best.checkpoint.empty())
      from = std::string(" --from ") + folder + (*folder ? "/best" : "best");
    for (const std::string &command : record.commands)
      std::fprintf(out, "%s %s %s%s\n", &command == &record.commands[0] ? "use it      " : Blanks,
                   name, command.c_str(), from.c_str());
  }

  void clearStatus() {
    if (statusShown) {
      std::fputs(ClearLine, out);
      std::fflush(out);
    }
    statusShown = false;
  }

  std::FILE *out, *notes;
  TextForm form;
  Clock &clock;
  RunRecord run;
  RateMeter rate;
  MemoryMeter memory;
  LineBuffer line;
  StatusLine status;
  int64_t startNs = 0, lastDrawNs = 0, lastLineNs = 0, lineEvery = 0;
  bool statusShown = false;
};

} // namespace

std::unique_ptr<MetricSink> makeTextProgress(std::FILE *out, std::FILE *notes, TextForm form,
                                             Clock &clock) {
  return std::make_unique<TextProgress>(out, notes, form, clock);
}

std::string durationText(double seconds) {
  char text[32];
  formatDuration(seconds, text, sizeof text);
  return text;
}

std::string bytesText(double bytes) {
  char text[32];
  formatBytes(bytes, text, sizeof text);
  return text;
}

std::string countText(int64_t count) {
  std::string text = std::to_string(count);
  size_t first = count < 0 ? 1 : 0;
  for (size_t place = text.size(); place > first + 3; place -= 3)
    text.insert(place - 3, ",");
  return text;
}

} // namespace dlm
