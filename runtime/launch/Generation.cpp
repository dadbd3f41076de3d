#include "runtime/launch/Generation.h"

#include <cstring>

namespace dlm {

int madeArgument(const plan::CommandT &command) {
  for (size_t i = 0; i < command.arguments.size(); ++i)
    if (command.arguments[i]->type == "made") return int(i);
  return -1;
}

bool isHiddenResult(const plan::CommandResultT &result) {
  return result.type == "next" || result.type == "end";
}

Status generateTokens(Engine &engine, const plan::CommandT &command, int program,
                      std::vector<int64_t> &sizes, const std::function<Status()> &each) {
  auto index = size_t(madeArgument(command));
  const plan::CommandArgumentT &argument = *command.arguments[index];
  std::vector<uint32_t> results;
  const int32_t *next = nullptr, *isLast = nullptr;
  for (const auto &result : command.results) {
    if (!isHiddenResult(*result)) continue;
    results.push_back(result->buffer);
    auto *place = reinterpret_cast<const int32_t *>(engine.bufferAddress(result->buffer));
    (result->type == "next" ? next : isLast) = place;
  }
  uint8_t *countPlace = nullptr, *idsPlace = nullptr;
  if (argument.buffer >= 0) countPlace = engine.bufferAddress(uint32_t(argument.buffer));
  if (argument.ids >= 0) idsPlace = engine.bufferAddress(uint32_t(argument.ids));
  auto *count = reinterpret_cast<float *>(countPlace);
  auto *ids = reinterpret_cast<int32_t *>(idsPlace);
  if (!next || !isLast || !count || !ids)
    return corrupt("the plan has no place for the tokens that `" + command.name + "` makes");
  std::memset(ids, 0, size_t(argument.tokens_max) * sizeof(int32_t));
  for (int64_t made = 0; made < argument.tokens_max; ++made) {
    *count = float(made);
    DLM_TRY(engine.push());
    DLM_TRY(engine.start(program));
    DLM_TRY(engine.pull(results));
    ids[made] = *next;
    sizes[index] = made + 1;
    DLM_TRY(each());
    if (*isLast) break;
  }
  return Status::ok();
}

} // namespace dlm
