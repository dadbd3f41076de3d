// A plan as text, one line an instruction, for `info --plan`. Instructions in loops are numbered
// along, as lifetimes count them. Buffers are shown by name, or by number with their place in the
// arena; `step` is how far a place moves with each trip.
#include "runtime/abi/PlanAccesses.h"
#include "runtime/launch/Commands.h"

#include <cstdarg>
#include <cstdio>

namespace dlm {

namespace {

class PlanPrinter {
public:
  explicit PlanPrinter(const plan::Plan &plan) : plan(plan) {}

  std::string print() {
    printArenas();
    printBuffers();
    printFunctions();
    printState();
    for (unsigned i = 0; plan.programs() && i < plan.programs()->size(); ++i)
      printProgram(*plan.programs()->Get(i));
    return std::move(text);
  }

private:
  __attribute__((format(printf, 2, 3))) void add(const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text += line;
  }

  void printArenas() {
    for (unsigned i = 0; plan.arenas() && i < plan.arenas()->size(); ++i) {
      const plan::Arena *arena = plan.arenas()->Get(i);
      add("arena %u %s %llu bytes\n", i, plan::EnumNameArenaKind(arena->kind()),
          static_cast<unsigned long long>(arena->size_bytes()));
    }
  }

  void printBuffers() {
    for (unsigned i = 0; plan.buffers() && i < plan.buffers()->size(); ++i) {
      const plan::Buffer *buffer = plan.buffers()->Get(i);
      add("buffer %s %s", bufferName(i).c_str(), plan::EnumNameDType(buffer->dtype()));
      addShape(buffer->shape());
      add(" arena %u at %llu, %llu bytes", buffer->arena(),
          static_cast<unsigned long long>(buffer->offset()),
          static_cast<unsigned long long>(buffer->size_bytes()));
      if (!buffer->persistent()) add(", lives from %u to %u", buffer->birth(), buffer->death());
      text += "\n";
    }
  }

  void printFunctions() {
    for (unsigned i = 0; plan.functions() && i < plan.functions()->size(); ++i) {
      const plan::Function *function = plan.functions()->Get(i);
      add("function %s blocks of %u threads, %u bytes shared\n",
          function->symbol() ? function->symbol()->c_str() : "?", function->block(),
          function->shared_bytes());
    }
  }

  void printStages(const plan::Instruction &instruction, unsigned depth) {
    const flatbuffers::Vector<flatbuffers::Offset<plan::Stage>> *stages = nullptr;
    if (const plan::Launch *launch = instruction.action_as_Launch()) stages = launch->stages();
    if (const plan::Library *library = instruction.action_as_Library()) stages = library->stages();
    for (unsigned i = 0; stages && i < stages->size(); ++i) {
      const plan::Stage *stage = stages->Get(i);
      bool isKnown = plan.functions() && stage->function() < plan.functions()->size();
      const flatbuffers::String *symbol =
          isKnown ? plan.functions()->Get(stage->function())->symbol() : nullptr;
      add("%*s        stage %s %u blocks, numbers ", int(2 * depth), "",
          symbol ? symbol->c_str() : "?", stage->grid());
      addShape(stage->numbers());
      if (stage->scratch_bytes())
        add(", scratch %llu bytes", static_cast<unsigned long long>(stage->scratch_bytes()));
      text += "\n";
    }
  }

  void printState() {
    for (unsigned i = 0; plan.state() && i < plan.state()->size(); ++i) {
      const plan::StateEntry *entry = plan.state()->Get(i);
      add("state %s %s %s", entry->name()->c_str(), plan::EnumNameRole(entry->role()),
          plan::EnumNameDType(entry->dtype()));
      addShape(entry->shape());
      add(" = %s + %llu\n", bufferName(entry->buffer()).c_str(),
          static_cast<unsigned long long>(entry->offset()));
    }
  }

  void addShape(const flatbuffers::Vector<int64_t> *shape) {
    text += "[";
    for (unsigned i = 0; shape && i < shape->size(); ++i)
      add("%s%lld", i ? ", " : "", static_cast<long long>(shape->Get(i)));
    text += "]";
  }

  std::string bufferName(uint32_t id) const {
    if (id < plan.buffers()->size()) {
      const flatbuffers::String *name = plan.buffers()->Get(id)->name();
      if (name && name->size() > 0) return name->str();
    }
    return "%" + std::to_string(id);
  }

  void printProgram(const plan::Program &program) {
    add("\nprogram %s", program.name()->c_str());
    if (program.rows()) add(" (%u rows)", program.rows());
    text += "\n";
    printCode(program.code(), 1, 0);
  }

  void printCode(const flatbuffers::Vector<flatbuffers::Offset<plan::Instruction>> *code,
                 unsigned depth, uint32_t firstNumber) {
    uint32_t number = firstNumber;
    for (unsigned i = 0; code && i < code->size(); ++i) {
      const plan::Instruction *instruction = code->Get(i);
      add("%*s%3u %s ", int(2 * depth), "", number, instruction->sync() ? "sync" : "    ");
      printAction(*instruction, depth, number);
      number += planInstructionCount(*instruction);
    }
  }

  void printAction(const plan::Instruction &instruction, unsigned depth, uint32_t number) {
    if (const plan::Launch *launch = instruction.action_as_Launch()) {
      bool isKnown = plan.kernels() && launch->kernel() < plan.kernels()->size();
      add("launch %s %lld items",
          isKnown ? plan.kernels()->Get(launch->kernel())->symbol()->c_str() : "?",
          static_cast<long long>(launch->items()));
      addRefs(launch->args());
    } else if (const plan::Library *library = instruction.action_as_Library()) {
      add("%s", plan::EnumNameLibraryEntry(library->entry()));
      addShape(library->descriptor());
      addRefs(library->args());
    } else if (const plan::Copy *copy = instruction.action_as_Copy()) {
      add("copy %llu bytes", static_cast<unsigned long long>(copy->size_bytes()));
      addRef(copy->to());
      addRef(copy->from());
    } else if (const plan::Fill *fill = instruction.action_as_Fill()) {
      add("fill %llu bytes with %08x", static_cast<unsigned long long>(fill->size_bytes()),
          fill->pattern());
      addRef(fill->to());
    } else if (const plan::Loop *loop = instruction.action_as_Loop()) {
      add("loop %u times\n", loop->trips());
      printCode(loop->code(), depth + 1, number + 1);
      return;
    } else {
      add("%s", plan::EnumNameAction(instruction.action_type()));
    }
    addLocation(instruction.location());
    text += "\n";
    printStages(instruction, depth);
  }

  void addRefs(const flatbuffers::Vector<const plan::Ref *> *refs) {
    for (unsigned i = 0; refs && i < refs->size(); ++i)
      addRef(refs->Get(i));
  }

  void addRef(const plan::Ref *ref) {
    if (!ref) return;
    add(" %s", bufferName(ref->buffer()).c_str());
    if (ref->offset()) add("+%lld", static_cast<long long>(ref->offset()));
    if (ref->loop0_stride() || ref->loop1_stride()) addStrides(*ref);
  }

  /// How far it moves with each trip of the outer loop, and of the inner one.
  void addStrides(const plan::Ref &ref) {
    add(" step %lld", static_cast<long long>(ref.loop0_stride()));
    if (ref.loop1_stride()) add(", %lld", static_cast<long long>(ref.loop1_stride()));
  }

  void addLocation(uint32_t id) {
    if (!plan.locations() || id >= plan.locations()->size()) return;
    const plan::Location *location = plan.locations()->Get(id);
    if (location->file() && location->line() > 0)
      add("  ; %s:%u", location->file()->c_str(), location->line());
    if (location->layer() && location->layer()->size() > 0) add(" %s", location->layer()->c_str());
  }

  const plan::Plan &plan;
  std::string text;
};

} // namespace

std::string planText(const plan::Plan &plan) { return PlanPrinter(plan).print(); }

} // namespace dlm
