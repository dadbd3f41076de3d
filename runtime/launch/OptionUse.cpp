// A run-time option is a scalar that instructions read. `train` takes all of them: it begins a run,
// whose checkpoints keep the values for the commands that come later. So does `info`, which tells
// of any command.
#include "runtime/launch/OptionUse.h"

#include "runtime/launch/PlanWork.h"

namespace dlm {

namespace {

using Instructions = flatbuffers::Vector<flatbuffers::Offset<plan::Instruction>>;

bool isAmong(const flatbuffers::Vector<const plan::Ref *> *refs, uint32_t buffer) {
  for (uint32_t i = 0; refs && i < refs->size(); ++i)
    if (refs->Get(i)->buffer() == buffer) return true;
  return false;
}

bool touches(const Instructions *code, uint32_t buffer);

bool touches(const plan::Instruction &instruction, uint32_t buffer) {
  switch (instruction.action_type()) {
  case plan::Action::Launch:
    return isAmong(instruction.action_as_Launch()->args(), buffer);
  case plan::Action::Library:
    return isAmong(instruction.action_as_Library()->args(), buffer);
  case plan::Action::Copy:
    return instruction.action_as_Copy()->from()->buffer() == buffer;
  case plan::Action::Loop:
    return touches(instruction.action_as_Loop()->code(), buffer);
  case plan::Action::CollectiveStart:
    return isAmong(instruction.action_as_CollectiveStart()->ranges(), buffer);
  case plan::Action::HostCall:
    return isAmong(instruction.action_as_HostCall()->args(), buffer);
  default:
    return false;
  }
}

bool touches(const Instructions *code, uint32_t buffer) {
  for (uint32_t i = 0; code && i < code->size(); ++i)
    if (touches(*code->Get(i), buffer)) return true;
  return false;
}

/// The programs that a command runs, and what it computes follows from. `init` is not among those
/// of a command that restores a checkpoint over what it makes.
std::vector<std::string> programsOf(const plan::Plan &plan, const std::string &command) {
  if (command == "eval") return {"prepare", "eval_begin", "eval", "eval_end", "sample_eval"};
  if (command == "predict") return {"prepare", "predict", "sample_predict"};
  std::vector<std::string> names = {"prepare", "init", "sample_train"}; // `bench`
  for (const StepProgram &each : programsOfStep(plan.recipe(), 1))
    names.push_back(each.name);
  return names;
}

std::vector<uint32_t> buffersNamed(const plan::Plan &plan, const std::string &wanted) {
  std::vector<uint32_t> buffers;
  for (uint32_t id = 0; plan.buffers() && id < plan.buffers()->size(); ++id) {
    const flatbuffers::String *name = plan.buffers()->Get(id)->name();
    if (name && name->str() == wanted) buffers.push_back(id);
  }
  return buffers;
}

/// The buffers in which programs find an option: those of samples have a copy for each thread.
std::vector<uint32_t> buffersOf(const plan::Plan &plan, const plan::Option &option) {
  std::vector<uint32_t> buffers = buffersNamed(plan, "sample.option." + option.name()->str());
  if (option.buffer() >= 0) buffers.push_back(uint32_t(option.buffer()));
  return buffers;
}

bool readsAny(const plan::Plan &plan, const std::vector<std::string> &programs,
              const std::vector<uint32_t> &buffers) {
  for (const std::string &name : programs)
    if (const plan::Program *program = findProgram(plan, name))
      for (uint32_t buffer : buffers)
        if (touchesBuffer(*program, buffer)) return true;
  return false;
}

} // namespace

bool readsSeed(const plan::Plan &plan, const std::string &program) {
  return readsAny(plan, {program}, buffersNamed(plan, "state.seed"));
}

bool touchesBuffer(const plan::Program &program, uint32_t buffer) {
  return touches(program.code(), buffer);
}

void findCommandsOf(const plan::Plan &plan, std::vector<ProgramOption> &options) {
  const plan::Recipe *recipe = plan.recipe();
  for (size_t i = 0; i < options.size(); ++i) {
    if (!options[i].isRunTime) continue;
    std::vector<uint32_t> buffers = buffersOf(plan, *plan.options()->Get(unsigned(i)));
    std::set<std::string> commands = {"train", "info"};
    for (const char *command : {"eval", "predict", "bench"})
      if (readsAny(plan, programsOf(plan, command), buffers)) commands.insert(command);
    if (recipe && recipe->batch_option() == int64_t(i)) commands.insert("bench");
    for (unsigned c = 0; recipe && recipe->commands() && c < recipe->commands()->size(); ++c) {
      const plan::Command &declared = *recipe->commands()->Get(c);
      std::string program = declared.program() ? declared.program()->str() : "";
      if (readsAny(plan, {program}, buffers)) commands.insert(declared.name()->str());
    }
    options[i].commands = std::move(commands);
  }
}

} // namespace dlm
