// The JSON sink.
#include "runtime/metrics/JsonLines.h"

#include "runtime/metrics/LineBuffer.h"
#include "runtime/metrics/MemoryMeter.h"
#include "runtime/metrics/RateMeter.h"

#include <cmath>

namespace dlm {

namespace {

class JsonLines : public MetricSink {
public:
  JsonLines(std::FILE *out, std::FILE *notes, Clock &clock)
      : out(out), notes(notes), clock(clock) {}

  void start(const RunRecord &record) override {
    run = record;
    startNs = clock.monotonicNs();
    line.clear();
    line.add("{\"run\":{\"program\":%s,\"parameters\":%lld,\"samples\":%lld",
             jsonText(run.program).c_str(), static_cast<long long>(run.parameters),
             static_cast<long long>(run.trainCount));
    line.add(",\"batch\":%lld,\"micro_batches\":%lld,\"seed\":%llu,\"threads\":%d",
             static_cast<long long>(run.batch), static_cast<long long>(run.microBatches),
             static_cast<unsigned long long>(run.seed), run.threads);
    if (!run.device.empty()) line.add(",\"device\":%s", jsonText(run.device).c_str());
    if (run.steps) line.add(",\"steps\":%lld", static_cast<long long>(run.steps));
    if (run.durationMs) line.add(",\"seconds\":%.9g", double(run.durationMs) / 1000);
    line.add(",\"first_step\":%lld,\"resumed\":%s,\"checkpoints\":%s}}",
             static_cast<long long>(run.firstStep), run.resumed ? "true" : "false",
             jsonText(run.folder).c_str());
    line.print(out);
  }

  void step(const StepRecord &record) override {
    int64_t nowNs = clock.monotonicNs();
    double attemptsPerSecond = rate.update(nowNs, record.attempt);
    double perSecond = attemptsPerSecond * double(run.batch * run.batches);
    line.clear();
    line.add("{\"step\":%lld,\"attempt\":%lld,\"epoch\":%.9g", static_cast<long long>(record.step),
             static_cast<long long>(record.attempt), record.epoch);
    for (size_t i = 0; i < record.valueCount; ++i)
      addValue(record.values[i], true);
    if (!record.applied) line.add(",\"skipped\":true");
    if (perSecond > 0) line.add(",\"samples_per_second\":%.0f", perSecond);
    double left = secondsLeft(run, record.step, attemptsPerSecond, nowNs - startNs);
    if (left >= 0) line.add(",\"seconds_left\":%.1f", left);
    line.add(",\"memory_bytes\":%lld,\"batches_ready\":%lld,\"waits\":%lld}",
             static_cast<long long>(run.deviceBytes ? run.deviceBytes : memory.bytes(nowNs)),
             static_cast<long long>(record.batchesReady), static_cast<long long>(record.waits));
    line.print(out);
  }

  void evaluated(const EvaluationRecord &record) override {
    line.clear();
    line.add("{\"step\":%lld,\"epoch\":%.9g", static_cast<long long>(record.step), record.epoch);
    addSplits(record.splits);
    line.add("}");
    line.print(out);
  }

  void saved(int64_t step, const std::string &location) override {
    line.clear();
    line.add("{\"saved\":{\"step\":%lld,\"checkpoint\":%s}}", static_cast<long long>(step),
             jsonText(location).c_str());
    line.print(out);
  }

  void note(const std::string &text) override {
    std::fprintf(notes, "%s\n", text.c_str());
    std::fflush(notes);
  }

  void finish(const FinalRecord &record) override {
    line.clear();
    line.add("{\"final\":{\"step\":%lld,\"epoch\":%.9g,\"complete\":%s,\"checkpoint\":%s",
             static_cast<long long>(record.step), record.epoch, record.complete ? "true" : "false",
             record.checkpoint.empty() ? "null" : jsonText(record.checkpoint).c_str());
    if (startNs >= 0)
      line.add(",\"seconds\":%.3f,\"waits\":%lld", double(clock.monotonicNs() - startNs) * 1e-9,
               static_cast<long long>(record.waits));
    addSplits(record.splits);
    if (!record.best.split.empty())
      line.add(",\"best\":{\"split\":%s,%s:%s,\"step\":%lld,\"checkpoint\":%s}",
               jsonText(record.best.split).c_str(), jsonText(record.best.metric).c_str(),
               jsonNumber(record.best.value).c_str(), static_cast<long long>(record.best.step),
               record.best.checkpoint.empty() ? "null" : jsonText(record.best.checkpoint).c_str());
    line.add("}}");
    line.print(out);
  }

private:
  void addValue(const NamedValue &value, bool comma) {
    line.add("%s\"%s\":", comma ? "," : "", value.name.c_str());
    if (std::isfinite(value.value))
      line.add("%.9g", value.value);
    else
      line.add("null");
  }

  void addSplits(const std::vector<SplitRecord> &splits) {
    for (const SplitRecord &split : splits) {
      line.add(",\"%s\":{", split.split.c_str());
      for (size_t i = 0; i < split.values.size(); ++i)
        addValue(split.values[i], i > 0);
      line.add("}");
    }
  }

  std::FILE *out, *notes;
  Clock &clock;
  RunRecord run;
  int64_t startNs = -1; // of a run; an evaluation alone has none
  RateMeter rate;
  MemoryMeter memory;
  LineBuffer line;
};

} // namespace

std::unique_ptr<MetricSink> makeJsonLines(std::FILE *out, std::FILE *notes, Clock &clock) {
  return std::make_unique<JsonLines>(out, notes, clock);
}

std::string jsonText(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string jsonNumber(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

} // namespace dlm
