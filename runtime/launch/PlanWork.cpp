// One case for each kind of instruction that works.
#include "runtime/launch/PlanWork.h"

namespace dlm {

namespace {

using Instructions = flatbuffers::Vector<flatbuffers::Offset<plan::Instruction>>;

double sumOf(const flatbuffers::Vector<uint64_t> *values) {
  double sum = 0;
  for (uint32_t i = 0; values && i < values->size(); ++i)
    sum += double(values->Get(i));
  return sum;
}

Work workOfLaunch(const plan::Plan &plan, const plan::Launch &launch) {
  const plan::Kernel *kernel = plan.kernels()->Get(launch.kernel());
  Work work;
  work.name = kernel->symbol()->str();
  work.flops = double(kernel->flops()) * double(launch.items());
  work.read = double(launch.bytes_read());
  work.written = double(launch.bytes_written());
  if (work.bytes() == 0) work.read = sumOf(launch.arg_bytes()); // a plan made by hand
  return work;
}

Work workOfLibrary(const plan::Library &library) {
  const auto &shape = *library.descriptor();
  auto side = [&](unsigned rows, unsigned columns, unsigned transposed) {
    bool turned = shape.Get(transposed) != 0;
    return std::to_string(shape.Get(turned ? columns : rows)) + "x" +
           std::to_string(shape.Get(turned ? rows : columns)) + (turned ? "^T" : "");
  };
  Work work;
  int64_t batch = shape.size() > 7 ? shape.Get(7) : 1;
  work.name = "contract " + (batch == 1 ? "" : std::to_string(batch) + " of ") + side(0, 2, 3) +
              " * " + side(2, 1, 4);
  work.flops =
      2.0 * double(batch) * double(shape.Get(0)) * double(shape.Get(1)) * double(shape.Get(2));
  double all = sumOf(library.arg_bytes());
  uint32_t count = library.arg_bytes() ? library.arg_bytes()->size() : 0;
  work.written = count ? double(library.arg_bytes()->Get(count - 1)) : 0;
  bool accumulates = shape.size() > 6 && shape.Get(6) != 0;
  work.read = accumulates ? all : all - work.written;
  return work;
}

Work workOfInstruction(const plan::Plan &plan, const plan::Instruction &instruction) {
  if (const plan::Launch *launch = instruction.action_as_Launch())
    return workOfLaunch(plan, *launch);
  if (const plan::Library *library = instruction.action_as_Library())
    return workOfLibrary(*library);
  Work work;
  work.name = plan::EnumNameAction(instruction.action_type());
  if (const plan::Copy *copy = instruction.action_as_Copy()) {
    work.name = "copy";
    work.read = work.written = double(copy->size_bytes());
  } else if (const plan::Fill *fill = instruction.action_as_Fill()) {
    work.name = "fill";
    work.written = double(fill->size_bytes());
  }
  return work;
}

void addWork(const plan::Plan &plan, const Instructions *code, double rounds,
             std::vector<Work> &out) {
  for (uint32_t i = 0; code && i < code->size(); ++i) {
    Work work = workOfInstruction(plan, *code->Get(i));
    work.location = code->Get(i)->location();
    work.flops *= rounds;
    work.read *= rounds;
    work.written *= rounds;
    out.push_back(std::move(work));
    if (const plan::Loop *loop = code->Get(i)->action_as_Loop())
      addWork(plan, loop->code(), rounds * double(loop->trips()), out);
  }
}

const plan::Location *findLocation(const plan::Plan &plan, uint32_t id) {
  return plan.locations() && id < plan.locations()->size() ? plan.locations()->Get(id) : nullptr;
}

} // namespace

std::vector<Work> workOf(const plan::Plan &plan, const plan::Program &program) {
  std::vector<Work> work;
  addWork(plan, program.code(), 1, work);
  return work;
}

const plan::Program *findProgram(const plan::Plan &plan, const std::string &name) {
  for (uint32_t i = 0; plan.programs() && i < plan.programs()->size(); ++i)
    if (plan.programs()->Get(i)->name()->str() == name) return plan.programs()->Get(i);
  return nullptr;
}

std::vector<StepProgram> programsOfStep(const plan::Recipe *recipe, int64_t microBatches) {
  std::vector<StepProgram> programs;
  for (uint32_t i = 0; recipe && recipe->updates() && i < recipe->updates()->size(); ++i) {
    const plan::Update &update = *recipe->updates()->Get(i);
    std::string name = "_" + update.name()->str();
    programs.push_back({"grad" + name, microBatches * int64_t(update.repeat())});
    programs.push_back({"update" + name, int64_t(update.repeat())});
  }
  if (programs.empty()) programs.push_back({"grad", microBatches});
  programs.push_back({"update", 1});
  return programs;
}

std::string placeOf(const plan::Plan &plan, uint32_t id) {
  const plan::Location *location = findLocation(plan, id);
  if (!location || !location->file() || location->line() == 0) return "";
  return location->file()->str() + ":" + std::to_string(location->line());
}

std::string layerOf(const plan::Plan &plan, uint32_t id) {
  const plan::Location *location = findLocation(plan, id);
  return location && location->layer() ? location->layer()->str() : "";
}

uint64_t arenaBytes(const plan::Plan &plan) {
  uint64_t total = 0;
  for (unsigned i = 0; plan.arenas() && i < plan.arenas()->size(); ++i)
    if (!plan.arenas()->Get(i)->per_thread()) total += plan.arenas()->Get(i)->size_bytes();
  return total;
}

uint64_t threadBytes(const plan::Plan &plan) {
  uint64_t total = 0;
  for (unsigned i = 0; plan.arenas() && i < plan.arenas()->size(); ++i)
    if (plan.arenas()->Get(i)->per_thread()) total += plan.arenas()->Get(i)->size_bytes();
  return total;
}

} // namespace dlm
