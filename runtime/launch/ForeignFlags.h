// What people type who know other programs: `--epochs 5`, `--learning_rate 0.1`, `evaluate`.
#pragma once

#include <string>
#include <vector>

namespace dlm {

/// A name without `-` and `_`.
std::string plainFlagWord(std::string name);

/// What says the same here as a flag of that name: a sentence, or empty. `value` is what was given
/// for it, `options` are those of the program.
std::string foreignFlagAdvice(const std::string &name, const std::string &value,
                              const std::vector<std::string> &options);

/// The command of that meaning, or empty.
std::string foreignCommand(const std::string &name);

} // namespace dlm
