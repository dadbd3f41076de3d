// What the tests of the formatter share: formatting a text, and what must be kept.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace dlm {

std::string readText(const std::filesystem::path &path);

/// The formatted text, or the messages.
std::string formatted(const std::string &text);

/// The tree of a text; empty if it has errors.
std::string treeOf(const std::string &text);

/// Every .dlm file of the repository that is written by hand.
std::vector<std::filesystem::path> allPrograms();

/// Whether `once`, made of `text`, has its tree and its comments and does not change any more.
bool keepsAll(const std::string &text, const std::string &once);

} // namespace dlm
