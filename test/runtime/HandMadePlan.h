// Plans written by hand: a builder that keeps the tests to what they are about. Used wherever the
// runtime is tested without the compiler.
#pragma once

#include "runtime/abi/Kernel.h"
#include "runtime/abi/Plan_generated.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dlm::test {

class HandMadePlan {
public:
  plan::PlanT plan;

  HandMadePlan() {
    plan.abi = DlmAbiVersion;
    addLocation("test.dlm", 1);
    addArena(plan::ArenaKind::Persistent);
    addArena(plan::ArenaKind::Transient);
  }

  uint32_t addLocation(const std::string &file, uint32_t line, const std::string &layer = "") {
    auto location = std::make_unique<plan::LocationT>();
    location->file = file;
    location->line = line;
    location->layer = layer;
    plan.locations.push_back(std::move(location));
    return uint32_t(plan.locations.size() - 1);
  }

  void addArena(plan::ArenaKind kind) {
    auto arena = std::make_unique<plan::ArenaT>();
    arena->kind = kind;
    arena->alignment = 64;
    plan.arenas.push_back(std::move(arena));
  }

  /// A buffer at the end of the persistent arena (with a name) or of the transient one (without).
  uint32_t addBuffer(const std::string &name, plan::DType dtype, std::vector<int64_t> shape) {
    uint16_t arena = name.empty() ? 1 : 0;
    return addBufferAt(name, dtype, std::move(shape), arena, plan.arenas[arena]->size_bytes);
  }

  uint32_t addBufferAt(const std::string &name, plan::DType dtype, std::vector<int64_t> shape,
                       uint16_t arena, uint64_t offset) {
    auto buffer = std::make_unique<plan::BufferT>();
    buffer->name = name;
    buffer->arena = arena;
    buffer->offset = offset;
    buffer->dtype = dtype;
    buffer->persistent = !name.empty();
    uint64_t count = 1;
    for (int64_t size : shape)
      count *= uint64_t(size);
    buffer->shape = std::move(shape);
    const uint64_t widths[] = {1, 1, 4, 8, 4};
    buffer->size_bytes = count * widths[unsigned(dtype)];
    uint64_t end = (offset + buffer->size_bytes + 63) / 64 * 64;
    plan.arenas[arena]->size_bytes = std::max(plan.arenas[arena]->size_bytes, end);
    plan.buffers.push_back(std::move(buffer));
    return uint32_t(plan.buffers.size() - 1);
  }

  uint32_t addKernel(const std::string &symbol, std::vector<bool> writes, float grainCost = 0) {
    auto kernel = std::make_unique<plan::KernelT>();
    kernel->symbol = symbol;
    kernel->writes = std::move(writes);
    kernel->grain_cost = grainCost;
    plan.kernels.push_back(std::move(kernel));
    return uint32_t(plan.kernels.size() - 1);
  }

  plan::ProgramT &addProgram(const std::string &name) {
    auto program = std::make_unique<plan::ProgramT>();
    program->name = name;
    plan.programs.push_back(std::move(program));
    return *plan.programs.back();
  }

  using Code = std::vector<std::unique_ptr<plan::InstructionT>>;

  /// A launch on whole buffers.
  plan::InstructionT &addLaunch(Code &code, uint32_t kernel, int64_t items,
                                std::vector<uint32_t> buffers, bool sync = true) {
    plan::LaunchT launch;
    launch.kernel = kernel;
    launch.items = items;
    launch.extent = items;
    for (uint32_t buffer : buffers) {
      launch.args.push_back(plan::Ref(buffer, 0, 0, 0));
      launch.arg_bytes.push_back(plan.buffers[buffer]->size_bytes);
    }
    return add(code, std::move(launch), sync);
  }

  plan::InstructionT &addContract(Code &code, std::vector<int64_t> descriptor, uint32_t lhs,
                                  uint32_t rhs, uint32_t out, bool sync = true) {
    plan::LibraryT library;
    library.descriptor = std::move(descriptor);
    library.descriptor.resize(8, 1); // without a number of products it is one
    for (uint32_t buffer : {lhs, rhs, out}) {
      library.args.push_back(plan::Ref(buffer, 0, 0, 0));
      library.arg_bytes.push_back(plan.buffers[buffer]->size_bytes);
    }
    return add(code, std::move(library), sync);
  }

  plan::InstructionT &addFill(Code &code, uint32_t to, uint32_t pattern, bool sync = true) {
    plan::FillT fill;
    fill.to = std::make_unique<plan::Ref>(to, 0, 0, 0);
    fill.size_bytes = plan.buffers[to]->size_bytes;
    fill.pattern = pattern;
    return add(code, std::move(fill), sync);
  }

  plan::InstructionT &addCopy(Code &code, uint32_t to, uint32_t from, bool sync = true) {
    plan::CopyT copy;
    copy.to = std::make_unique<plan::Ref>(to, 0, 0, 0);
    copy.from = std::make_unique<plan::Ref>(from, 0, 0, 0);
    copy.size_bytes = plan.buffers[to]->size_bytes;
    return add(code, std::move(copy), sync);
  }

  /// An empty loop; fill the code of what is returned.
  plan::LoopT &addLoop(Code &code, uint32_t trips) {
    plan::LoopT loop;
    loop.trips = trips;
    return *add(code, std::move(loop), true).action.AsLoop();
  }

  /// The plan's bytes, aligned as `loadPlan` wants them.
  std::vector<uint8_t> bytes() const {
    flatbuffers::FlatBufferBuilder builder;
    plan::FinishPlanBuffer(builder, plan::Plan::Pack(builder, &plan));
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
  }

private:
  template <class Action> plan::InstructionT &add(Code &code, Action action, bool sync) {
    auto instruction = std::make_unique<plan::InstructionT>();
    instruction->action.Set(std::move(action));
    instruction->sync = sync;
    code.push_back(std::move(instruction));
    return *code.back();
  }
};

} // namespace dlm::test
