// Tokenizers whose vocabulary is what stands in the texts: characters or words.
#pragma once

#include "runtime/data/formats/Tokenizer.h"

#include <nlohmann/json_fwd.hpp>

namespace dlm {

/// From what `toJson` gave.
Expected<std::unique_ptr<Tokenizer>> wordTokenizerOf(const nlohmann::json &json);

} // namespace dlm
