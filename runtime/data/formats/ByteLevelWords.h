// How byte-level BPE, as GPT-2 introduced it, cuts a text before it joins bytes to tokens: into
// words with the space before them, numbers, runs of other characters, and spaces. The rule is the
// regular expression
//
//     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// and the names by which files write bytes as characters that can be seen.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dlm {

/// Where the word that begins at `begin` ends. The text is UTF-8 and its end is an end of a word.
size_t endOfByteLevelWord(std::string_view text, size_t begin);

/// The bytes that a token stands for, of a file that writes `Ġthe` for ` the`; nothing if it has
/// characters that name no byte.
std::optional<std::string> bytesOfToken(std::string_view written);

} // namespace dlm
