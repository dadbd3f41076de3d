// The child writes down which input it is at before it begins. A timer of processor time ends it
// when an input takes too long, a limit on its address space when one takes too much memory, and
// the parent when it waits for ever. What a sanitizer says goes to a file.
#include "test/fuzz/Worker.h"

#include "runtime/base/Clock.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <new>
#include <sstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DLM_FUZZ_SANITIZED 1
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  // No poisoning by users: LLVM's allocator poisons in our code and not in its library.
  return "hard_rss_limit_mb=4000:allocator_may_return_null=0:detect_leaks=0:"
         "quarantine_size_mb=16:malloc_context_size=12:allow_user_poisoning=0";
}
#endif
#endif

namespace dlm::fuzz {

namespace {

constexpr int exitFinding = 42, exitMemory = 43;
const char *const errorFile = "stderr.txt";

void endForMemory() { _exit(exitMemory); }

/// Starts the clock of one input; 0 stops it.
void setTimer(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = time_t(seconds);
  timer.it_value.tv_usec = suseconds_t((seconds - double(time_t(seconds))) * 1e6);
  setitimer(ITIMER_PROF, &timer, nullptr);
}

/// What a dead child left: the line of a sanitizer that says it in short, or the last line.
std::string lastWords() {
  std::ifstream stream(errorFile);
  std::string line, last, frame;
  while (std::getline(stream, line)) {
    if (line.find("SUMMARY:") != std::string::npos) return line + frame;
    if (line.find("runtime error:") != std::string::npos) return line;
    bool isOurs = line.find("/compiler/") != std::string::npos;
    if (frame.empty() && isOurs && line.find("    #") != std::string::npos) frame = " at" + line;
    if (!line.empty()) last = line;
  }
  return last;
}

std::string reasonOf(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == exitMemory) return "out of memory";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) return "too slow";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return "hangs or takes too much memory";
  std::string how = WIFSIGNALED(status) ? std::string("ended by ") + strsignal(WTERMSIG(status))
                                        : "ended with " + std::to_string(WEXITSTATUS(status));
  return how + ": " + lastWords();
}

} // namespace

struct Worker::Board {
  volatile uint64_t number;
  Tally tally;
  char failure[2000];
};

Limits limitsOfBuild() {
  Limits limits;
#ifdef DLM_FUZZ_SANITIZED
  limits.inputSeconds = 30;  // sanitizers make it 15 to 20 times as slow
  limits.stuckSeconds = 600; // on a busy machine the processor time above takes long to pass
  limits.memoryBytes = 0;
#endif
  return limits;
}

Worker::Worker() {
  void *memory =
      mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  board = new (memory) Board();
}

Worker::~Worker() { munmap(board, sizeof(Board)); }

const Tally &Worker::tally() const { return board->tally; }

std::optional<std::string> Worker::runOne(const Input &input) {
  uint64_t next = 0;
  return run([&](uint64_t) { return input; }, 0, 1, 1e9, true, next);
}

static void addTo(Tally &tally, const Verdict &verdict) {
  ++tally.inputs;
  tally.parsed += verdict.parses;
  tally.checked += verdict.checks;
  tally.lowered += verdict.lowers;
  tally.expressionKinds |= verdict.expressionKinds;
  for (size_t i = 0; i < tally.messages.size(); ++i)
    tally.messages[i] = tally.messages[i] || verdict.messages[i];
}

std::optional<std::string> Worker::run(const std::function<Input(uint64_t)> &make, uint64_t begin,
                                       uint64_t end, double seconds, bool isAlwaysThorough,
                                       uint64_t &next) {
  Limits limits = limitsOfBuild();
  board->number = begin;
  int64_t start = monotonicNs();
  pid_t child = fork();
  if (child < 0) return "fork fails: " + std::string(std::strerror(errno));
  if (child == 0) {
    int errors = open(errorFile, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(errors, STDERR_FILENO);
    std::set_new_handler(endForMemory);
    rlimit memory = {limits.memoryBytes, limits.memoryBytes};
    if (limits.memoryBytes > 0) setrlimit(RLIMIT_AS, &memory);
    for (uint64_t i = begin; i < end; ++i) {
      board->number = i;
      if (double(monotonicNs() - start) > seconds * 1e9) _exit(0);
      setTimer(limits.inputSeconds);
      Verdict verdict = judge(make(i), isAlwaysThorough || i % 4 == 0);
      setTimer(0);
      addTo(board->tally, verdict);
      if (verdict.failure.empty()) continue;
      std::strncpy(board->failure, verdict.failure.c_str(), sizeof board->failure - 1);
      _exit(exitFinding);
    }
    board->number = end;
    _exit(0);
  }
  int status = 0;
  uint64_t seen = begin;
  int64_t seenNs = start;
  while (waitpid(child, &status, WNOHANG) == 0) {
    usleep(2000);
    if (board->number != seen) seenNs = monotonicNs();
    seen = board->number;
    if (double(monotonicNs() - seenNs) > limits.stuckSeconds * 1e9) kill(child, SIGKILL);
  }
  next = board->number;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  ++next;
  if (WIFEXITED(status) && WEXITSTATUS(status) == exitFinding) return std::string(board->failure);
  ++board->tally.inputs;
  return reasonOf(status);
}

} // namespace dlm::fuzz
