// Whatever the bytes of a data file, its reader ends soon, in samples or in a failure that names
// the file, and takes no more memory than the file can mean. Takes whole files of each format,
// changes them a little, and reads them.
#include "runtime/base/FileBytes.h"
#include "test/fuzz/data/ChangeBytes.h"
#include "test/runtime/IdxFolder.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

using namespace dlm;
using namespace dlm::fuzz;

namespace {

constexpr unsigned SecondsMax = 30;           // of one input
constexpr rlim_t MemoryMax = rlim_t(2) << 30; // of the process, where nothing sanitizes it
constexpr size_t MessageBytesMax = 2000;

struct Options {
  uint64_t seed = 1, first = 0, count = UINT64_MAX;
  double seconds = 10;
  std::string show; // a file to write the first input to, which is not read then
};

uint64_t current; // the number of the input, for the handler

extern "C" void onSignal(int signal) {
  // Only what is allowed in a handler: the number is written digit by digit.
  char text[] = "data fuzz: input 00000000000000000000 ended its reader\n";
  uint64_t number = current;
  for (size_t i = 36; number > 0; --i, number /= 10)
    text[i] = char('0' + number % 10);
  if (write(2, text, sizeof text - 1) < 0) _exit(2);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

bool parse(int count, char **words, Options &options) {
  for (int i = 1; i < count; ++i) {
    std::string word = words[i];
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (value.empty()) return false;
    if (name == "--seed")
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--first")
      options.first = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--count")
      options.count = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--seconds")
      options.seconds = std::strtod(value.c_str(), nullptr);
    else if (name == "--show")
      options.show = value;
    else
      return false;
  }
  return true;
}

/// The input of a number: its format, and the bytes of its file.
Bytes makeInput(const Options &options, uint64_t number, const Format *&format) {
  Random random(options.seed, number);
  format = &formats()[size_t(number % formats().size())];
  const Bytes &seed = random.pick(format->seeds), &other = random.pick(format->seeds);
  // Unchanged files come too: they have to be read.
  Bytes bytes = random.oneIn(50) ? seed : changeBytes(seed, other, random);
  if (format->wrap && random.oneIn(2)) bytes = format->wrap(bytes);
  return bytes;
}

/// What is wrong with a failure; empty if nothing is.
std::string messageFault(const Status &status, const std::string &path) {
  const std::string &text = status.message();
  if (text.find(path) == std::string::npos) return "it does not name the file";
  if (text.size() > MessageBytesMax) return "it is too long";
  if (status.code() == Code::Internal) return "it blames the compiler";
  for (char c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') return "it holds control characters";
  return "";
}

int run(const Options &options) {
  using Clock = std::chrono::steady_clock;
  test::TemporaryFolder folder;
  auto start = Clock::now();
  uint64_t done = 0, readable = 0;
  for (uint64_t number = options.first; done < options.count; ++number, ++done) {
    std::chrono::duration<double> passed = Clock::now() - start;
    if (passed.count() > options.seconds) break;
    current = number;
    const Format *format = nullptr;
    Bytes bytes = makeInput(options, number, format);
    std::string path = folder / format->fileName;
    if (!options.show.empty()) return writeFileBytes(options.show, bytes).isOk() ? 0 : 1;
    if (!writeFileBytes(path, bytes).isOk()) return 1;
    alarm(SecondsMax);
    Status status = format->read(path);
    alarm(0);
    readable += status.isOk();
    std::string fault = status.isOk() ? "" : messageFault(status, path);
    if (fault.empty()) continue;
    std::fprintf(stderr, "data fuzz: input %llu (%s): %s: %s\n", (unsigned long long)number,
                 format->name, fault.c_str(), status.message().c_str());
    return 1;
  }
  std::printf("data fuzz: %llu inputs of %zu formats, %llu of them readable, nothing found\n",
              (unsigned long long)done, formats().size(), (unsigned long long)readable);
  return readable > 0 && readable < done ? 0 : 1;
}

} // namespace

int main(int count, char **words) {
  Options options;
  if (!parse(count, words, options)) {
    std::fprintf(stderr, "usage: dlm-fuzz-data [--seed=N] [--first=N] [--count=N] [--seconds=S]\n"
                         "                     [--show=FILE]: write the first input there\n");
    return 1;
  }
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) &&                         \
    !__has_feature(thread_sanitizer)
  rlimit limit{MemoryMax, MemoryMax};
  setrlimit(RLIMIT_AS, &limit);
#endif
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
    std::signal(signal, onSignal);
  return run(options);
}
