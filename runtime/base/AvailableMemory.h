// How much memory this process can still take: of the machine, of its container, of its own limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dlm {

struct AvailableMemory {
  uint64_t bytes = 0;
  std::string of; // who limits it: "this machine", "this container (cgroup)", "`ulimit -v`"
};

/// The least of what the kernel, the control groups and the process's limits leave; nothing if the
/// kernel does not say. `root` stands in place of `/` in tests.
std::optional<AvailableMemory> availableMemory(const std::string &root = "");

} // namespace dlm
