// The text sink.
#include "runtime/metrics/TextProgress.h"

#include "runtime/metrics/LineBuffer.h"
#include "runtime/metrics/RateMeter.h"

namespace dlm {

namespace {

constexpr int64_t RedrawNs = 100000000;
constexpr int64_t PlainLinesWanted = 20;
constexpr const char *ClearLine = "\r\033[K";

/// The smallest of 1, 2, 5, 10, 20, 50, ... that is at least `least`.
int64_t roundNumber(int64_t least) {
  for (int64_t power = 1;; power *= 10) {
    for (int64_t digit : {1, 2, 5}) {
      if (digit * power >= least) return digit * power;
    }
  }
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
  TextProgress(std::FILE *out, std::FILE *notes, bool isTerminal, Clock &clock)
      : out(out), notes(notes), isTerminal(isTerminal), clock(clock) {}

  void start(const RunRecord &record) override {
    run = record;
    startNs = clock.monotonicNs();
    printEvery = run.steps ? roundNumber((run.steps + PlainLinesWanted - 1) / PlainLinesWanted) : 0;
    line.clear();
    line.add("%s: %lld parameters, %lld samples, batch %lld", run.program.c_str(),
             static_cast<long long>(run.parameters), static_cast<long long>(run.trainCount),
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
    if (!isDue(record, nowNs, isLast)) return;
    lastPrintNs = nowNs;
    line.clear();
    formatStep(record, attemptsPerSecond, isLast);
    if (!isTerminal) {
      line.print(out);
      return;
    }
    std::fputs(ClearLine, out);
    line.print(out, isLast ? "\n" : "");
    statusShown = !isLast;
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
    char time[32];
    formatDuration(double(clock.monotonicNs() - startNs) * 1e-9, time, sizeof time);
    std::fprintf(out, "\n%s %lld steps (%.4g epochs)",
                 record.complete ? "finished:" : "stopped after",
                 static_cast<long long>(record.step), record.epoch);
    std::fprintf(out, record.step > run.firstStep ? " in %s\n" : "\n", time);
    for (const SplitRecord &split : record.splits) {
      line.clear();
      line.add("  %s", split.split.c_str());
      line.padTo(12);
      addValues(split.values.data(), split.values.size());
      line.print(out);
    }
    printNextCommands(record);
    std::fflush(out);
  }

private:
  int stepWidth() const {
    int width = 1;
    for (int64_t rest = run.steps; rest >= 10; rest /= 10)
      ++width;
    return width;
  }

  bool isDue(const StepRecord &record, int64_t nowNs, bool isLast) const {
    if (isLast || record.step == run.firstStep + 1) return true;
    if (isTerminal || !printEvery)
      return nowNs - lastPrintNs >= (isTerminal ? RedrawNs : RedrawNs * 100);
    return record.step % printEvery == 0;
  }

  void addValues(const NamedValue *values, size_t count) {
    for (size_t i = 0; i < count; ++i)
      line.add("  %s %.4g", values[i].name.c_str(), values[i].value);
  }

  void formatStep(const StepRecord &record, double attemptsPerSecond, bool isLast) {
    line.add("step %*lld", stepWidth(), static_cast<long long>(record.step));
    if (run.steps) line.add("/%lld", static_cast<long long>(run.steps));
    line.add("  epoch %.2f", record.epoch);
    addValues(record.values, record.valueCount);
    if (attemptsPerSecond <= 0) return;
    line.add("  %.0f samples/s", attemptsPerSecond * double(run.batch));
    if (isLast || !run.steps) return;
    char left[32];
    formatDuration(double(run.steps - record.step) / attemptsPerSecond, left, sizeof left);
    line.add("  %s left", left);
  }

  void noteSkip(const StepRecord &record) {
    clearStatus();
    line.clear();
    line.add("skipped the update after step %lld (batch %lld): not finite:",
             static_cast<long long>(record.step), static_cast<long long>(record.attempt));
    addValues(record.values, record.valueCount);
    line.print(notes);
  }

  void printNextCommands(const FinalRecord &record) {
    if (record.checkpoint.empty()) return;
    const char *name = run.commandName.c_str(), *folder = record.folderArgument.c_str();
    const char *space = record.folderArgument.empty() ? "" : " ";
    std::fprintf(out, "checkpoint   %s\n", record.checkpoint.c_str());
    std::fprintf(out, "go on with   %s train --resume%s%s%s\n", name,
                 record.complete ? " --steps N" : "", *folder ? " --to " : "", folder);
    std::fprintf(out, "evaluate     %s eval%s%s%s\n", name, *folder ? " --from" : "", space,
                 folder);
  }

  void clearStatus() {
    if (statusShown) {
      std::fputs(ClearLine, out);
      std::fflush(out);
    }
    statusShown = false;
  }

  std::FILE *out, *notes;
  bool isTerminal;
  Clock &clock;
  RunRecord run;
  RateMeter rate;
  LineBuffer line;
  int64_t startNs = 0, lastPrintNs = 0, printEvery = 0;
  bool statusShown = false;
};

} // namespace

std::unique_ptr<MetricSink> makeTextProgress(std::FILE *out, std::FILE *notes, bool isTerminal,
                                             Clock &clock) {
  return std::make_unique<TextProgress>(out, notes, isTerminal, clock);
}

std::string durationText(double seconds) {
  char text[32];
  formatDuration(seconds, text, sizeof text);
  return text;
}

} // namespace dlm
