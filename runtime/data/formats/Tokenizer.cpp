// What all tokenizers share: the form in which a plan holds them, and reading texts.
#include "runtime/data/formats/Tokenizer.h"

#include "runtime/data/formats/BpeTokenizer.h"
#include "runtime/data/formats/WordTokenizer.h"

#include <nlohmann/json.hpp>

namespace dlm {

Expected<std::unique_ptr<Tokenizer>> Tokenizer::fromJson(const std::string &text) {
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_object() && json.contains("kind")) {
    if (json["kind"] == "chars" || json["kind"] == "words") return wordTokenizerOf(json);
    if (json["kind"] == "bpe") return bpeTokenizerOf(json);
  }
  return corrupt("the program's description of its tokenizer is damaged");
}

Status checkCancelled(const std::atomic<bool> *cancel) {
  if (!cancel || !cancel->load(std::memory_order_relaxed)) return Status::ok();
  return Status::error(Code::Interrupted, "reading was interrupted");
}

} // namespace dlm
