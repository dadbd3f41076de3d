// What a run prints: the line on a terminal, plain lines, JSON.
#include "runtime/metrics/JsonLines.h"
#include "runtime/metrics/StatusLine.h"
#include "runtime/metrics/TextProgress.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace dlm;
using Json = nlohmann::json;

namespace {

class HandClock : public Clock {
public:
  int64_t monotonicNs() override { return nowNs; }
  int64_t wallNs() override { return nowNs; }
  void sleepUntil(int64_t deadlineNs) override { nowNs = deadlineNs; }
  int64_t nowNs = 0;
};

std::string contentOf(std::FILE *stream) {
  std::string text;
  std::rewind(stream);
  for (int c; (c = std::fgetc(stream)) != EOF;)
    text += char(c);
  return text;
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines(1);
  for (char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

/// A run of 100 steps of 10 samples, four a second, reported to a sink.
class MetricsTest : public testing::Test {
protected:
  MetricsTest() : out(std::tmpfile()), notes(std::tmpfile()) {
    run.program = "digits";
    run.commandName = "./digits";
    run.steps = 100;
    run.batch = 10;
    run.microBatches = 1;
    run.trainCount = 57000;
    run.parameters = 101770;
    run.threads = 2;
    run.folder = "runs/digits";
  }
  ~MetricsTest() override {
    std::fclose(out);
    std::fclose(notes);
  }

  std::string report(std::unique_ptr<MetricSink> sink, int64_t waits = 0) {
    sink->start(run);
    std::vector<NamedValue> values = {{"loss", 0.5}, {"grad_norm", 2}, {"lr", 0.001}};
    for (int64_t step = 1; step <= 100; ++step) {
      clock.nowNs += 250000000;
      StepRecord record;
      record.step = record.attempt = step;
      record.epoch = double(step) / 50;
      record.values = values.data();
      record.valueCount = values.size();
      record.batchesReady = 3;
      record.waits = waits;
      sink->step(record);
    }
    sink->saved(100, "runs/digits/step-00000100.safetensors");
    FinalRecord last;
    last.step = last.attempts = 100;
    last.epoch = 2;
    last.checkpoint = "runs/digits/step-00000100.safetensors";
    last.waits = waits;
    last.canEvaluate = true;
    last.commands = {"grey", "both --x VALUE"};
    last.splits = {{"train", {{"loss", 0.5}}}};
    last.best = {"validation", "loss", false, 0.25, 40};
    last.folderArgument = folder;
    last.best.checkpoint = best;
    sink->finish(last);
    return contentOf(out);
  }

  std::FILE *out, *notes;
  HandClock clock;
  RunRecord run;
  std::string folder, best; // of what the run leaves, if that is not in its own folder
};

TEST(StatusLine, LeavesOutTheLeastImportant) {
  StatusLine line;
  line.add(0, "step %d", 5);
  line.add(2, "fast");
  line.add(1, "loss 1");
  line.add(2, "small");
  EXPECT_STREQ(line.fit(100), "step 5  fast  loss 1  small");
  EXPECT_STREQ(line.fit(20), "step 5  fast  loss 1");
  EXPECT_STREQ(line.fit(19), "step 5  loss 1");
  EXPECT_STREQ(line.fit(6), "step 5");
  EXPECT_STREQ(line.fit(3), "ste");
}

TEST(StatusLine, CutsWhatIsTooLong) {
  StatusLine line;
  for (int i = 0; i < 100; ++i)
    line.add(i, "%s", std::string(200, 'x').c_str());
  EXPECT_LE(std::string(line.fit(1000)).size(), 1000u);
}

TEST_F(MetricsTest, PlainLinesHoldNoControlCharacters) {
  std::string text = report(makeTextProgress(out, notes, {}, clock));
  for (char c : text)
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << int(c);
  std::vector<std::string> lines = linesOf(text);
  EXPECT_EQ(lines[0], "digits: 101,770 parameters, 57,000 samples, batch 10, seed 0, 2 threads");
  EXPECT_EQ(lines[1], "step   1/100  epoch 0.02  loss 0.5  grad_norm 2  lr 0.001");
  EXPECT_EQ(lines[2], "step   5/100  epoch 0.10  loss 0.5  grad_norm 2  lr 0.001  40 samples/s  "
                      "24 s left");
  // The first step, each fifth, and the summary.
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string &line) { return line.rfind("step ", 0) == 0; }),
            21);
}

TEST_F(MetricsTest, TheSummarySaysWhatToDoNext) {
  std::string text = report(makeTextProgress(out, notes, {}, clock));
  std::string summary = text.substr(text.find("finished:"));
  EXPECT_EQ(summary, "finished: 100 steps (2 epochs) in 25 s, 40 samples/s\n"
                     "  train       loss 0.5  (of the last batch)\n"
                     "best         the loss on validation was smallest after step 40: 0.25\n"
                     "data         kept ahead of training: it never waited\n"
                     "checkpoint   runs/digits/step-00000100.safetensors\n"
                     "go on with   ./digits train --resume --steps N  (N > 100: the steps of the "
                     "whole run)\n"
                     "evaluate     ./digits eval\n"
                     "use it       ./digits grey\n"
                     "             ./digits both --x VALUE\n");
}

TEST_F(MetricsTest, TheSummaryPointsToTheBest) {
  best = "runs/digits/step-00000040.safetensors";
  std::string text = report(makeTextProgress(out, notes, {}, clock));
  EXPECT_EQ(text.substr(text.find("evaluate ")), "evaluate     ./digits eval\n"
                                                 "the best     ./digits eval --from best\n"
                                                 "use it       ./digits grey --from best\n"
                                                 "             ./digits both --x VALUE --from "
                                                 "best\n");
}

TEST_F(MetricsTest, TheSummaryPointsToTheBestInAFolder) {
  folder = "mine";
  best = "mine/step-00000040.safetensors";
  std::string text = report(makeTextProgress(out, notes, {}, clock));
  EXPECT_EQ(text.substr(text.find("evaluate ")), "evaluate     ./digits eval --from mine\n"
                                                 "the best     ./digits eval --from mine/best\n"
                                                 "use it       ./digits grey --from mine/best\n"
                                                 "             ./digits both --x VALUE --from "
                                                 "mine/best\n");
}

TEST_F(MetricsTest, TheSummarySaysHowOftenDataCameLate) {
  EXPECT_NE(report(makeTextProgress(out, notes, {}, clock), 1203)
                .find("data         training waited 1,203 times for it\n"),
            std::string::npos);
}

/// What a terminal of endless height shows of the text: what a carriage return or an erased line
/// has left.
std::vector<std::string> shownOf(const std::string &text, size_t &widest) {
  std::vector<std::string> lines(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 4, "\r\033[K") == 0) {
      lines.back().clear();
      i += 3;
    } else if (text[i] == '\033') {
      i = text.find('m', i); // a color
    } else if (text[i] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += text[i];
      widest = std::max(widest, lines.back().size());
    }
  }
  return lines;
}

TEST_F(MetricsTest, ATerminalShowsOneLineThatIsRewritten) {
  std::string text = report(makeTextProgress(out, notes, {true, false, 120}, clock));
  EXPECT_NE(text.find("40 samples/s  24 s left  "), std::string::npos) << text;
  EXPECT_NE(text.find("  3 batches ready"), std::string::npos);
  EXPECT_NE(text.find(" MiB"), std::string::npos);
  size_t widest = 0;
  std::vector<std::string> shown = shownOf(text, widest);
  EXPECT_EQ(std::count_if(shown.begin(), shown.end(),
                          [](const std::string &line) { return line.rfind("step ", 0) == 0; }),
            21); // those at intervals stay, the others are gone
  EXPECT_EQ(text.find("\033[1m"), std::string::npos);
}

TEST_F(MetricsTest, NarrowTerminalsAreNotWrapped) {
  size_t widest = 0;
  std::string text = report(makeTextProgress(out, notes, {true, true, 40}, clock));
  text = text.substr(text.find('\n')); // behind the first line, which is long
  shownOf(text.substr(0, text.find("finished:")), widest);
  EXPECT_LT(widest, 40u);
  EXPECT_NE(text.find("step  50/100  loss 0.5"), std::string::npos) << text;
  EXPECT_NE(text.find("\033[1m"), std::string::npos);
}

TEST_F(MetricsTest, JsonTellsEverything) {
  std::vector<std::string> lines = linesOf(report(makeJsonLines(out, notes, clock), 4));
  ASSERT_EQ(lines.size(), 103u);
  Json first = Json::parse(lines[0])["run"];
  EXPECT_EQ(first["parameters"], 101770);
  EXPECT_EQ(first["steps"], 100);
  Json step = Json::parse(lines[50]);
  EXPECT_EQ(step["step"], 50);
  EXPECT_EQ(step["lr"], 0.001);
  EXPECT_EQ(step["grad_norm"], 2);
  EXPECT_EQ(step["samples_per_second"], 40);
  EXPECT_EQ(step["seconds_left"], 12.5);
  EXPECT_GT(step["memory_bytes"], 100000);
  EXPECT_EQ(step["batches_ready"], 3);
  EXPECT_EQ(step["waits"], 4);
  EXPECT_EQ(Json::parse(lines[101])["saved"]["step"], 100);
  Json last = Json::parse(lines[102])["final"];
  EXPECT_EQ(last["seconds"], 25);
  EXPECT_EQ(last["waits"], 4);
}

TEST_F(MetricsTest, ARunOfATimeCountsDown) {
  run.steps = 0;
  run.durationMs = 60000;
  std::string text = report(makeTextProgress(out, notes, {}, clock));
  EXPECT_NE(text.find("step 41  epoch 0.82  loss 0.5  grad_norm 2  lr 0.001  40 samples/s  "
                      "50 s left"),
            std::string::npos)
      << text;
}

TEST(Texts, AreThoseOfPeople) {
  EXPECT_EQ(bytesText(0), "0 bytes");
  EXPECT_EQ(bytesText(1023), "1023 bytes");
  EXPECT_EQ(bytesText(1536), "1.5 KiB");
  EXPECT_EQ(bytesText(200.0 * 1024 * 1024), "200 MiB");
  EXPECT_EQ(countText(0), "0");
  EXPECT_EQ(countText(999), "999");
  EXPECT_EQ(countText(-1000), "-1,000");
  EXPECT_EQ(countText(1234567), "1,234,567");
}

} // namespace
