// Flags take their value as the next word or after `=`.
#include "test/gpu-check/check/Arguments.h"

#include <filesystem>

namespace dlm::gpucheck {

const char HelpText[] =
    "dlm-gpu-check runs the examples beside it on this machine's GPU, compares every bit with the\n"
    "emulator, the reference and the processor, and times them.\n\n"
    "  --emulate         use the emulated GPU in place of a real one\n"
    "  --steps N         training steps (100)\n"
    "  --only PART       kernels, times or training\n"
    "  --quick           measure times once, not many times\n"
    "  --json FILE       where the report goes (gpu-check.json)\n"
    "  --data NAME=PATH  read the data called NAME from PATH\n"
    "  --bundle DIR      the examples' folder (the folder of this program)\n"
    "  --help            print this\n\n"
    "Exit status: 0 if all agrees, 1 if not or after an error, 2 if there is no GPU.\n";

static Expected<std::string> ownFolder() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return notFound("cannot tell where this program lies; name the folder with --bundle");
  return self.parent_path().string();
}

/// The flags without a value.
static bool *findSwitch(Arguments &arguments, const std::string &flag) {
  if (flag == "--help") return &arguments.help;
  if (flag == "--emulate") return &arguments.emulate;
  return flag == "--quick" ? &arguments.quick : nullptr;
}

static Status applyFlag(Arguments &arguments, const std::string &flag, const std::string &value) {
  if (flag == "--json") {
    arguments.json = value;
  } else if (flag == "--bundle") {
    arguments.bundle = value;
  } else if (flag == "--only") {
    if (value != "kernels" && value != "times" && value != "training")
      return invalidArgument("--only takes kernels, times or training, not `" + value + "`");
    arguments.only = value;
  } else if (flag == "--steps") {
    if (value.empty() || value.size() > 6 ||
        value.find_first_not_of("0123456789") != std::string::npos || std::stoul(value) == 0)
      return invalidArgument("--steps takes a number of steps, not `" + value + "`");
    arguments.steps = unsigned(std::stoul(value));
  } else if (flag == "--data") {
    size_t equals = value.find('=');
    if (equals == std::string::npos)
      return invalidArgument("--data takes NAME=PATH, not `" + value + "`");
    arguments.data[value.substr(0, equals)] = value.substr(equals + 1);
  } else {
    return invalidArgument("there is no flag `" + flag + "`; --help lists them");
  }
  return Status::ok();
}

Expected<Arguments> parseArguments(const std::vector<std::string> &words) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string flag = words[i];
    if (bool *flagged = findSwitch(arguments, flag)) {
      *flagged = true;
      continue;
    }
    size_t equals = flag.find('=');
    if (equals != std::string::npos) {
      DLM_TRY(applyFlag(arguments, flag.substr(0, equals), flag.substr(equals + 1)));
    } else if (i + 1 < words.size()) {
      DLM_TRY(applyFlag(arguments, flag, words[++i]));
    } else {
      DLM_TRY(applyFlag(arguments, flag, "")); // names the flag that does not exist
      return invalidArgument(flag + " needs a value");
    }
  }
  if (!arguments.bundle.empty()) return arguments;
  Expected<std::string> folder = ownFolder();
  if (!folder) return folder.status();
  arguments.bundle = folder.take();
  return arguments;
}

} // namespace dlm::gpucheck
