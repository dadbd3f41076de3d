// Output goes to files: nothing can block on a pipe that nobody reads.
#include "test/gpu-check/check/Process.h"

#include "runtime/base/Clock.h"
#include "runtime/base/FileBytes.h"

#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dlm::gpucheck {

static Expected<std::string> readText(const std::string &path) {
  Expected<std::vector<uint8_t>> bytes = readFileBytes(path);
  if (!bytes) return bytes.status();
  return std::string(bytes->begin(), bytes->end());
}

Expected<ProcessResult> runProcess(const std::vector<std::string> &command,
                                   const std::string &folder) {
  const std::string files[] = {folder + "/output", folder + "/errors"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  for (int stream = 1; stream <= 2; ++stream)
    posix_spawn_file_actions_addopen(&actions, stream, files[stream - 1].c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::vector<char *> arguments;
  for (const std::string &word : command)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  int64_t start = monotonicNs();
  pid_t child = 0;
  int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return systemError("cannot run `" + command[0] + "`", error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return systemError("cannot wait for `" + command[0] + "`", errno);
  ProcessResult result;
  result.seconds = double(monotonicNs() - start) * 1e-9;
  result.exitStatus = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  Expected<std::string> output = readText(files[0]), errors = readText(files[1]);
  if (!output) return output.status();
  if (!errors) return errors.status();
  result.output = output.take();
  result.errors = errors.take();
  return result;
}

} // namespace dlm::gpucheck
