// The JSON sink.
#include "runtime/metrics/JsonLines.h"

#include "runtime/metrics/LineBuffer.h"
#include "runtime/metrics/RateMeter.h"

#include <cmath>

namespace dlm {

namespace {

class JsonLines : public MetricSink {
public:
  JsonLines(std::FILE *out, std::FILE *notes, Clock &clock)
      : out(out), notes(notes), clock(clock) {}

  void start(const RunRecord &run) override { batch = run.batch; }

  void step(const StepRecord &record) override {
    double perSecond = rate.update(clock.monotonicNs(), record.attempt) * double(batch);
    line.clear();
    line.add("{\"step\":%lld,\"attempt\":%lld,\"epoch\":%.9g", static_cast<long long>(record.step),
             static_cast<long long>(record.attempt), record.epoch);
    for (size_t i = 0; i < record.valueCount; ++i)
      addValue(record.values[i], true);
    if (!record.applied) line.add(",\"skipped\":true");
    if (perSecond > 0) line.add(",\"samples_per_second\":%.0f", perSecond);
    line.add("}");
    line.print(out);
  }

  void evaluated(const EvaluationRecord &record) override {
    line.clear();
    line.add("{\"step\":%lld,\"epoch\":%.9g", static_cast<long long>(record.step), record.epoch);
    addSplits(record.splits);
    line.add("}");
    line.print(out);
  }

  void saved(int64_t, const std::string &) override {}

  void note(const std::string &text) override {
    std::fprintf(notes, "%s\n", text.c_str());
    std::fflush(notes);
  }

  void finish(const FinalRecord &record) override {
    line.clear();
    line.add("{\"final\":{\"step\":%lld,\"epoch\":%.9g,\"complete\":%s,\"checkpoint\":%s",
             static_cast<long long>(record.step), record.epoch, record.complete ? "true" : "false",
             record.checkpoint.empty() ? "null" : jsonText(record.checkpoint).c_str());
    addSplits(record.splits);
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
  int64_t batch = 0;
  RateMeter rate;
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
