// The fuzzer's command line: runs inputs for a number of them or a time, writes each finding,
// minimised, to a file, and says what was reached.
#include "test/fuzz/Minimise.h"

#include "compiler/diagnostics/Diagnostic.h"
#include "runtime/base/Clock.h"
#include "test/sema/TinyData.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace dlm::fuzz {

namespace {

struct Settings {
  std::string root = DLM_FUZZ_ROOT;
  std::string findings = "fuzz-findings";
  std::string replay; // a file to run instead
  uint64_t seed = 1;
  uint64_t first = 0;       // number of the first input
  uint64_t count = 1 << 30; // of inputs
  double seconds = 10;
  bool isThorough = false;
  bool isShown = false; // print the first input instead of running it
};

constexpr size_t findingsMax = 20;

const char *const usage =
    "dlm-fuzz: runs changed programs through the compiler and looks at what comes out.\n"
    "  --seed=N       the run (default 1)\n"
    "  --first=N      number of its first input (default 0)\n"
    "  --count=N      how many inputs (default: no limit)\n"
    "  --seconds=N    how long (default 10)\n"
    "  --thorough     compile and repeat every input, not each fourth only\n"
    "  --show         print the first input and end\n"
    "  --replay=FILE  run this file only\n"
    "  --findings=DIR where failing inputs are written (default fuzz-findings)\n"
    "  --root=DIR     the repository, whose programs are the start\n";

bool readArguments(int count, char **arguments, Settings &settings) {
  for (int i = 1; i < count; ++i) {
    std::string argument = arguments[i];
    std::string value = argument.substr(std::min(argument.size(), argument.find('=') + 1));
    auto is = [&](const char *name) { return argument.rfind(name, 0) == 0; };
    if (is("--seed="))
      settings.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (is("--first="))
      settings.first = std::strtoull(value.c_str(), nullptr, 10);
    else if (is("--count="))
      settings.count = std::strtoull(value.c_str(), nullptr, 10);
    else if (is("--seconds="))
      settings.seconds = std::strtod(value.c_str(), nullptr);
    else if (is("--replay="))
      settings.replay = std::filesystem::absolute(value).string();
    else if (is("--findings="))
      settings.findings = value;
    else if (is("--root="))
      settings.root = value;
    else if (argument == "--thorough")
      settings.isThorough = true;
    else if (argument == "--show")
      settings.isShown = true;
    else
      return false;
  }
  settings.findings = std::filesystem::absolute(settings.findings).string();
  return true;
}

/// 28 x 28 images in the folder `large`, as the examples want them, beside the tiny ones.
void writeLargeData(const sema::TinyData &data) {
  namespace fs = std::filesystem;
  fs::path folder = fs::path(data.folder()) / "large";
  fs::create_directory(folder);
  auto write = [&](const std::string &name, bool isImages, char count) {
    std::ofstream out(folder / name, std::ios::binary);
    out << std::string("\0\0\x08", 3) << char(isImages ? 3 : 1);
    out << std::string("\0\0\0", 3) << count;
    if (isImages) out << std::string("\0\0\0\x1C\0\0\0\x1C", 8);
    for (int i = 0; i < count * (isImages ? 28 * 28 : 1); ++i)
      out << char(i % 10);
  };
  write("train-images-idx3-ubyte", true, 40);
  write("train-labels-idx1-ubyte", false, 40);
  write("t10k-images-idx3-ubyte", true, 20);
  write("t10k-labels-idx1-ubyte", false, 20);
}

class Run {
public:
  Run(const Settings &settings, const Corpus &corpus) : settings(settings), corpus(corpus) {}

  int replay() {
    std::ifstream stream(settings.replay, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    Input input;
    input.text = text.str();
    std::optional<std::string> failure = worker.runOne(input);
    std::printf("%s\n", failure ? failure->c_str() : "holds");
    return failure ? 1 : 0;
  }

  int all() {
    int64_t startNs = monotonicNs(), shownNs = startNs;
    auto elapsed = [&] { return double(monotonicNs() - startNs) / 1e9; };
    uint64_t next = settings.first, end = settings.first + settings.count;
    constexpr uint64_t inputsOfChild = 4000; // memory that grows is given back
    while (next < end && elapsed() < settings.seconds && signatures.size() < findingsMax) {
      uint64_t last = std::min(end, next + inputsOfChild);
      std::optional<std::string> failure =
          worker.run([&](uint64_t i) { return makeInput(corpus, settings.seed, i); }, next, last,
                     settings.seconds - elapsed(), settings.isThorough, next);
      if (failure) addFinding(next - 1, *failure);
      if (monotonicNs() - shownNs < 60'000'000'000) continue;
      shownNs = monotonicNs();
      showProgress(elapsed());
    }
    showSummary(elapsed());
    return signatures.empty() ? 0 : 1;
  }

private:
  void addFinding(uint64_t number, const std::string &failure) {
    if (!signatures.insert(signatureOf(failure)).second) return;
    Input input = makeInput(corpus, settings.seed, number);
    std::printf("finding: seed %llu, input %llu (from %s): %s\n", (unsigned long long)settings.seed,
                (unsigned long long)number, input.base.c_str(), failure.c_str());
    std::fflush(stdout);
    Input smaller = minimised(worker, input, failure, 120);
    std::filesystem::create_directories(settings.findings);
    std::string path = settings.findings + "/" + std::to_string(settings.seed) + "-" +
                       std::to_string(number) + ".dlm";
    std::ofstream(path, std::ios::binary) << smaller.text;
    for (const auto &[name, value] : smaller.definitions)
      std::printf("  -D %s=%s\n", name.c_str(), value.c_str());
    std::printf("  minimised to %zu bytes: %s\n", smaller.text.size(), path.c_str());
    std::fflush(stdout);
  }

  void showProgress(double seconds) const {
    const Tally &tally = worker.tally();
    std::printf("%6.0f s: %llu inputs, %zu findings\n", seconds, (unsigned long long)tally.inputs,
                signatures.size());
    std::fflush(stdout);
  }

  void showSummary(double seconds) const {
    const Tally &tally = worker.tally();
    double all = std::max(1.0, double(tally.inputs));
    size_t messages = 0;
    for (bool isReached : tally.messages)
      messages += isReached;
    std::printf("seed %llu: %llu inputs in %.0f s; %.0f %% parse, %.0f %% check, %llu compiled; "
                "%zu of %zu kinds of messages, %d kinds of expressions; %zu findings\n",
                (unsigned long long)settings.seed, (unsigned long long)tally.inputs, seconds,
                100 * double(tally.parsed) / all, 100 * double(tally.checked) / all,
                (unsigned long long)tally.lowered, messages, allKinds().size(),
                __builtin_popcountll(tally.expressionKinds), signatures.size());
    std::string missing;
    for (size_t i = 0; i < allKinds().size(); ++i)
      if (!tally.messages[i % 256]) missing += " " + std::string(allKinds()[i].word);
    if (!missing.empty()) std::printf("kinds not reached:%s\n", missing.c_str());
  }

  const Settings &settings;
  const Corpus &corpus;
  Worker worker;
  std::set<std::string> signatures;
};

int fuzzMain(int count, char **arguments) {
  Settings settings;
  if (!readArguments(count, arguments, settings)) {
    std::fputs(usage, stderr);
    return 2;
  }
  sema::TinyData data;
  writeLargeData(data);
  Corpus corpus;
  try {
    corpus = readCorpus(settings.root);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "dlm-fuzz: %s\n", error.what());
    return 2;
  }
  if (settings.isShown) {
    Input input = makeInput(corpus, settings.seed, settings.first);
    std::fwrite(input.text.data(), 1, input.text.size(), stdout);
    return 0;
  }
  Run run(settings, corpus);
  return settings.replay.empty() ? run.all() : run.replay();
}

} // namespace

} // namespace dlm::fuzz

int main(int count, char **arguments) { return dlm::fuzz::fuzzMain(count, arguments); }
