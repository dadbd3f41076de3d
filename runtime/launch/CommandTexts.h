// Texts of a declared command: in as tokens, out of tokens, by the tokenizer of the program's data,
// which is in the plan.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "runtime/data/formats/Tokenizer.h"

#include <memory>
#include <string>
#include <vector>

namespace dlm {

class CommandTexts {
public:
  explicit CommandTexts(const plan::RecipeT &recipe) : recipe(recipe) {}

  /// The tokens of the text that a flag gives, if they are as many as its command takes.
  Expected<std::vector<int32_t>> encode(const plan::CommandT &command,
                                        const plan::CommandArgumentT &argument,
                                        const std::string &text);

  /// The text of the tokens that are a result.
  Expected<std::string> decode(const std::string &result, const std::vector<int32_t> &ids);

private:
  Status open();

  const plan::RecipeT &recipe;
  std::unique_ptr<Tokenizer> tokenizer; // made when it is first needed
};

} // namespace dlm
