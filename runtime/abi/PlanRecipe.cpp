// The recipe: numbers that make a run possible, and the buffers and programs it speaks of.
#include "runtime/abi/PlanChecks.h"

#include <cmath>
#include <map>

namespace dlm {

namespace {

Status checkQuantity(const plan::Quantity *quantity, const std::string &name) {
  if (!quantity) return Status::ok();
  if (!(quantity->value() >= 0) || std::isinf(quantity->value()) ||
      quantity->unit() > plan::Unit::MAX)
    return corrupt(name + " is " + std::to_string(quantity->value()));
  return Status::ok();
}

/// Every name of the list is a persistent f32 scalar `PREFIX.NAME`.
Status checkScalars(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>> *list,
                    const std::string &prefix,
                    const std::map<std::string, const plan::Buffer *> &buffers) {
  for (uint32_t i = 0; i < planLength(list); ++i) {
    std::string name = prefix + planText(list->Get(i));
    auto found = buffers.find(name);
    if (found == buffers.end()) return corrupt("there is no buffer `" + name + "`");
    const plan::Buffer &buffer = *found->second;
    if (buffer.dtype() != plan::DType::F32 || buffer.size_bytes() != sizeof(float) ||
        !buffer.persistent())
      return corrupt("`" + name + "` is not an f32 scalar");
  }
  return Status::ok();
}

Status checkBatches(const plan::Plan &plan, const plan::Recipe &recipe) {
  if (recipe.batch() == 0 || recipe.micro() == 0 || recipe.batch() % recipe.micro() != 0)
    return corrupt("a batch of " + std::to_string(recipe.batch()) + " samples is not made of " +
                   "micro-batches of " + std::to_string(recipe.micro()));
  if (recipe.batch_option() < -1 || recipe.batch_option() >= int64_t(planLength(plan.options())))
    return corrupt("batch option " + std::to_string(recipe.batch_option()) + " of " +
                   std::to_string(planLength(plan.options())));
  std::map<std::string, const plan::Program *> programs;
  for (uint32_t i = 0; i < planLength(plan.programs()); ++i)
    programs[planText(plan.programs()->Get(i)->name())] = plan.programs()->Get(i);
  std::vector<std::string> grads, needed = {"init", "update"};
  for (uint32_t i = 0; i < planLength(recipe.updates()); ++i) {
    const plan::Update &update = *recipe.updates()->Get(i);
    if (update.repeat() == 0 || update.every() == 0)
      return corrupt("an update is made 0 times, or in every 0th step");
    grads.push_back("grad_" + planText(update.name()));
    needed.push_back("update_" + planText(update.name()));
  }
  if (grads.empty()) grads.push_back("grad");
  needed.insert(needed.end(), grads.begin(), grads.end());
  for (const std::string &name : needed)
    if (!programs.count(name)) return corrupt("there is no program `" + name + "`");
  for (const std::string &grad : grads)
    if (programs[grad]->rows() != recipe.micro())
      return corrupt("`" + grad + "` has " + std::to_string(programs[grad]->rows()) +
                     " rows, a micro-batch " + std::to_string(recipe.micro()));
  auto eval = programs.find("eval");
  if (eval != programs.end() &&
      (recipe.eval_batch() == 0 || eval->second->rows() != recipe.eval_batch()))
    return corrupt("`eval` has " + std::to_string(eval->second->rows()) +
                   " rows, an evaluation batch " + std::to_string(recipe.eval_batch()));
  return Status::ok();
}

const plan::Buffer *findBuffer(const plan::Plan &plan, uint64_t id) {
  return id < planLength(plan.buffers()) ? plan.buffers()->Get(uint32_t(id)) : nullptr;
}

Status checkTests(const flatbuffers::Vector<flatbuffers::Offset<plan::CommandTest>> *tests) {
  for (uint32_t i = 0; i < planLength(tests); ++i) {
    std::string op = planText(tests->Get(i)->op());
    if (op != "<" && op != "<=" && op != ">" && op != ">=")
      return corrupt("`" + op + "` is no comparison");
  }
  return Status::ok();
}

/// The sizes of a call are made of whole numbers, one size for each of the buffer's.
Status checkOpenShape(const plan::Command &command, const plan::CommandResult &result,
                      const plan::Buffer &buffer) {
  if (planLength(result.shape()) == 0) return Status::ok();
  if (planLength(result.shape()) != planLength(buffer.shape()))
    return corrupt("its sizes are not those of its buffer");
  for (const plan::OpenSize *size : *result.shape())
    for (uint32_t i = 0; i < planLength(size->terms()); ++i) {
      const plan::SizeTerm &term = *size->terms()->Get(i);
      for (uint32_t j = 0; j < planLength(term.arguments()); ++j) {
        uint32_t index = term.arguments()->Get(j);
        if (index >= planLength(command.arguments()))
          return corrupt("a size of it is made of an argument that is not there");
        std::string type = planText(command.arguments()->Get(index)->type());
        if (type != "int" && type != "string" && type != "made")
          return corrupt("a size of it is made of an argument that is no whole number");
      }
    }
  return Status::ok();
}

/// The program of a command is there, and its arguments and results lie in buffers that outlive it.
Status checkCommand(const plan::Plan &plan, const plan::Command &command) {
  bool hasProgram = false;
  for (uint32_t i = 0; i < planLength(plan.programs()); ++i)
    hasProgram |= planText(plan.programs()->Get(i)->name()) == planText(command.program());
  if (!hasProgram) return corrupt("there is no program `" + planText(command.program()) + "`");
  DLM_TRY(checkTests(command.tests()));
  for (uint32_t i = 0; i < planLength(command.arguments()); ++i) {
    const plan::CommandArgument &argument = *command.arguments()->Get(i);
    if (argument.buffer() < 0) continue;
    const plan::Buffer *buffer = findBuffer(plan, uint64_t(argument.buffer()));
    if (!buffer || !buffer->persistent() || buffer->dtype() != plan::DType::F32 ||
        buffer->size_bytes() != sizeof(float))
      return corrupt("the argument `" + planText(argument.name()) + "` is not an f32 scalar");
  }
  for (uint32_t i = 0; i < planLength(command.arguments()); ++i) {
    const plan::CommandArgument &argument = *command.arguments()->Get(i);
    if (argument.ids() < 0) continue;
    const plan::Buffer *buffer = findBuffer(plan, uint64_t(argument.ids()));
    bool isLarge = argument.tokens_max() > 0 && argument.tokens_max() < (int64_t(1) << 40);
    if (!isLarge || !buffer || !buffer->persistent() || buffer->dtype() != plan::DType::I32 ||
        buffer->size_bytes() != uint64_t(argument.tokens_max()) * sizeof(int32_t))
      return corrupt("the tokens of `" + planText(argument.name()) + "` have no place");
  }
  for (uint32_t i = 0; i < planLength(command.results()); ++i) {
    const plan::CommandResult &result = *command.results()->Get(i);
    const plan::Buffer *buffer = findBuffer(plan, result.buffer());
    std::string name = "command." + planText(command.name()) + "." + planText(result.name());
    if (!buffer || !buffer->persistent() || planText(buffer->name()) != name)
      return corrupt("there is no buffer `" + name + "`");
    bool isText = planText(result.type()) == "string";
    if (isText && (buffer->dtype() != plan::DType::I32 || planLength(buffer->shape()) != 1))
      return corrupt("`" + name + "` is no row of tokens");
    DLM_TRY(checkOpenShape(command, result, *buffer).withContext("`" + name + "`"));
  }
  return Status::ok();
}

} // namespace

Status verifyRecipe(const plan::Plan &plan) {
  if (!plan.recipe()) return Status::ok();
  const plan::Recipe &recipe = *plan.recipe();
  std::map<std::string, const plan::Buffer *> buffers;
  for (uint32_t id = 0; id < planLength(plan.buffers()); ++id)
    buffers[planText(plan.buffers()->Get(id)->name())] = plan.buffers()->Get(id);
  Status status = checkBatches(plan, recipe);
  if (status.isOk()) status = checkQuantity(recipe.duration(), "the duration");
  if (status.isOk()) status = checkQuantity(recipe.evaluate_every(), "the evaluation interval");
  if (status.isOk()) status = checkQuantity(recipe.checkpoint_every(), "the checkpoint interval");
  if (status.isOk())
    status = checkQuantity(recipe.checkpoint_light(), "the interval of light checkpoints");
  if (status.isOk()) status = checkScalars(recipe.loss_terms(), "report.", buffers);
  if (status.isOk()) status = checkScalars(recipe.metrics(), "metric.", buffers);
  for (uint32_t i = 0; status.isOk() && i < planLength(plan.options()); ++i) {
    const plan::Option &option = *plan.options()->Get(i);
    status = checkTests(option.tests()).withContext("option `" + planText(option.name()) + "`");
  }
  for (uint32_t i = 0; status.isOk() && i < planLength(recipe.commands()); ++i) {
    const plan::Command &command = *recipe.commands()->Get(i);
    status = checkCommand(plan, command).withContext("command `" + planText(command.name()) + "`");
  }
  return status.withContext("recipe");
}

} // namespace dlm
