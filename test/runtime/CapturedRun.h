// A run of a program through its command line, with what it prints caught.
#pragma once

#include "runtime/base/FileBytes.h"
#include "runtime/launch/RunProgram.h"

#include <cstdio>
#include <string>
#include <vector>

namespace dlm::test {

struct CapturedRun {
  int status = 0;
  std::string out, err;
  bool says(const std::string &text) const { return err.find(text) != std::string::npos; }
};

inline std::string contentOf(std::FILE *stream) {
  std::string text;
  rewind(stream);
  for (int c; (c = std::fgetc(stream)) != EOF;)
    text += char(c);
  std::fclose(stream);
  return text;
}

/// Calls `run(argc, argv, surroundings)`, a `runProgram`, with these arguments after the name.
template <class Run>
CapturedRun captureRun(const std::vector<std::string> &arguments, Surroundings around, Run run) {
  std::vector<const char *> argv = {"./mlp"};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  around.out = std::tmpfile();
  around.err = std::tmpfile();
  CapturedRun result;
  result.status = run(int(argv.size()), argv.data(), around);
  result.out = contentOf(around.out);
  result.err = contentOf(around.err);
  return result;
}

/// The checkpoint of a step in a folder; empty if there is none.
inline std::vector<uint8_t> checkpointBytes(const std::string &folder, int64_t step) {
  char name[64];
  std::snprintf(name, sizeof name, "/step-%08lld.safetensors", static_cast<long long>(step));
  Expected<std::vector<uint8_t>> bytes = readFileBytes(folder + name);
  return bytes ? bytes.take() : std::vector<uint8_t>();
}

} // namespace dlm::test
