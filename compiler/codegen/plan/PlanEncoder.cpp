// Arenas, buffers, kernels, functions, programs, in the order of the ops.
#include "compiler/codegen/plan/PlanEncoder.h"

#include "compiler/codegen/plan/KernelCost.h"
#include "compiler/codegen/plan/PlanTables.h"
#include "dialects/plan/Plan.h"
#include "runtime/abi/Kernel.h"

#include <llvm/ADT/TypeSwitch.h>

#include <map>
#include <tuple>

using namespace mlir;

namespace dlm {

namespace {

class PlanEncoder {
public:
  PlanEncoder(ModuleOp module, const PlanOrigin &origin) : module(module), origin(origin) {}
  std::vector<uint8_t> run();

private:
  void addArena(::plan::ArenaOp op);
  void addBuffer(::plan::BufferOp op);
  void addKernel(kernel::FuncOp op);
  void addFunction(::plan::FunctionOp op);
  void addProgram(::plan::ProgramOp op);
  using Code = std::vector<std::unique_ptr<plan::InstructionT>>;
  void addInstructions(Block &block, Code &code);
  void addInstruction(Operation &op, Code &code);
  void addLaunch(::plan::LaunchOp op, plan::InstructionT &instruction);
  void addContract(::plan::ContractOp op, plan::InstructionT &instruction);
  std::vector<std::unique_ptr<plan::StageT>> stages(std::optional<ArrayAttr> list);
  plan::Ref ref(::plan::RefAttr attribute);
  uint32_t location(Location place);

  ModuleOp module;
  const PlanOrigin &origin;
  plan::PlanT plan;
  llvm::StringMap<uint32_t> arenas, kernels, functions;
  llvm::StringMap<kernel::FuncOp> kernelOps;
  BufferIds buffers;
  std::map<std::tuple<std::string, uint32_t, uint32_t, std::string>, uint32_t> locations;
};

/// The first file position within a location, and the name of the layer around it.
struct Place {
  FileLineColLoc file;
  std::string layer;
};

} // namespace

static void findPlace(Location location, Place &place) {
  if (auto file = dyn_cast<FileLineColLoc>(location)) {
    if (!place.file) place.file = file;
  } else if (auto name = dyn_cast<NameLoc>(location)) {
    if (!place.file && place.layer.empty()) place.layer = name.getName().str();
    findPlace(name.getChildLoc(), place);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      if (!place.file) findPlace(part, place);
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    findPlace(call.getCallee(), place);
  }
}

/// The id of a location; 0 stands for none.
uint32_t PlanEncoder::location(Location where) {
  Place place;
  findPlace(where, place);
  if (!place.file) return 0;
  auto key = std::make_tuple(place.file.getFilename().str(), place.file.getLine(),
                             place.file.getColumn(), place.layer);
  auto [entry, isNew] = locations.try_emplace(key, uint32_t(plan.locations.size()));
  if (isNew) {
    auto text = std::make_unique<plan::LocationT>();
    std::tie(text->file, text->line, text->column, text->layer) = key;
    plan.locations.push_back(std::move(text));
  }
  return entry->second;
}

void PlanEncoder::addArena(::plan::ArenaOp op) {
  auto arena = std::make_unique<plan::ArenaT>();
  arena->kind = static_cast<plan::ArenaKind>(op.getKind());
  arena->size_bytes = uint64_t(op.getSizeBytes());
  arena->alignment = uint32_t(op.getAlignment());
  arena->per_thread = op.getPerThread();
  arenas[op.getSymName()] = uint32_t(plan.arenas.size());
  plan.arenas.push_back(std::move(arena));
}

void PlanEncoder::addBuffer(::plan::BufferOp op) {
  auto buffer = std::make_unique<plan::BufferT>();
  auto type = cast<RankedTensorType>(op.getType());
  if (op.getPersistent()) buffer->name = op.getSymName().str();
  buffer->arena = uint16_t(arenas.lookup(op.getArena()));
  buffer->offset = uint64_t(op.getOffset());
  buffer->dtype = planType(type.getElementType());
  buffer->shape = planShape(type);
  int64_t elementBytes = std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
  buffer->size_bytes = uint64_t(type.getNumElements() * elementBytes);
  buffer->persistent = op.getPersistent();
  buffer->birth = uint32_t(op.getBirth());
  buffer->death = uint32_t(op.getDeath());
  buffer->location = location(op.getLoc());
  buffer->initial = initialBytes(module, op.getSymName());
  buffers[op.getSymName()] = uint32_t(plan.buffers.size());
  plan.buffers.push_back(std::move(buffer));
}

void PlanEncoder::addKernel(kernel::FuncOp op) {
  kernels[op.getSymName()] = uint32_t(plan.kernels.size());
  kernelOps[op.getSymName()] = op;
  plan.kernels.push_back(std::make_unique<plan::KernelT>());
  describeKernel(op, *plan.kernels.back());
}

void PlanEncoder::addFunction(::plan::FunctionOp op) {
  auto function = std::make_unique<plan::FunctionT>();
  function->symbol = op.getSymName().str();
  function->block = uint32_t(op.getBlockSize());
  function->shared_bytes = uint32_t(op.getSharedBytes());
  functions[op.getSymName()] = uint32_t(plan.functions.size());
  plan.functions.push_back(std::move(function));
}

std::vector<std::unique_ptr<plan::StageT>> PlanEncoder::stages(std::optional<ArrayAttr> list) {
  std::vector<std::unique_ptr<plan::StageT>> result;
  if (!list) return result;
  for (auto attribute : list->getAsRange<::plan::StageAttr>()) {
    auto stage = std::make_unique<plan::StageT>();
    stage->function = functions.lookup(attribute.getFunction().getValue());
    stage->grid = uint32_t(attribute.getGrid());
    stage->numbers = attribute.getNumbers().vec();
    stage->scratch_bytes = uint64_t(attribute.getScratchBytes());
    result.push_back(std::move(stage));
  }
  return result;
}

plan::Ref PlanEncoder::ref(::plan::RefAttr attribute) {
  int64_t steps[2] = {};
  llvm::copy(attribute.getSteps(), steps);
  return plan::Ref(buffers.lookup(attribute.getBuffer().getValue()), attribute.getOffset(),
                   steps[0], steps[1]);
}

void PlanEncoder::addLaunch(::plan::LaunchOp op, plan::InstructionT &instruction) {
  plan::LaunchT launch;
  launch.kernel = kernels.lookup(op.getKernel());
  launch.items = op.getItems();
  launch.extent = op.getExtent();
  for (auto argument : op.getArgs().getAsRange<::plan::RefAttr>()) {
    launch.args.push_back(ref(argument));
    launch.arg_bytes.push_back(uint64_t(argument.getSizeBytes()));
  }
  LaunchBytes bytes = launchBytes(kernelOps.lookup(op.getKernel()), op.getExtent());
  launch.bytes_read = bytes.read;
  launch.bytes_written = bytes.written;
  launch.stages = stages(op.getStages());
  instruction.action.Set(std::move(launch));
}

void PlanEncoder::addContract(::plan::ContractOp op, plan::InstructionT &instruction) {
  plan::LibraryT library;
  library.entry = plan::LibraryEntry::Contract;
  library.descriptor = {int64_t(op.getM()),
                        int64_t(op.getN()),
                        int64_t(op.getK()),
                        op.getTransposeLhs(),
                        op.getTransposeRhs(),
                        int64_t(op.getSplits()),
                        0,
                        int64_t(op.getBatch())};
  for (auto argument : op.getArgs().getAsRange<::plan::RefAttr>()) {
    library.args.push_back(ref(argument));
    library.arg_bytes.push_back(uint64_t(argument.getSizeBytes()));
  }
  library.stages = stages(op.getStages());
  instruction.action.Set(std::move(library));
}

void PlanEncoder::addInstructions(Block &block, Code &code) {
  for (Operation &op : block)
    addInstruction(op, code);
}

void PlanEncoder::addInstruction(Operation &op, Code &code) {
  auto instruction = std::make_unique<plan::InstructionT>();
  instruction->location = location(op.getLoc());
  llvm::TypeSwitch<Operation &>(op)
      .Case([&](::plan::LaunchOp launch) {
        instruction->sync = launch.getSync();
        addLaunch(launch, *instruction);
      })
      .Case([&](::plan::ContractOp contract) {
        instruction->sync = contract.getSync();
        addContract(contract, *instruction);
      })
      .Case([&](::plan::CopyOp copy) {
        instruction->sync = copy.getSync();
        plan::CopyT action;
        action.to = std::make_unique<plan::Ref>(ref(copy.getTo()));
        action.from = std::make_unique<plan::Ref>(ref(copy.getFrom()));
        action.size_bytes = uint64_t(copy.getTo().getSizeBytes());
        instruction->action.Set(std::move(action));
      })
      .Case([&](::plan::FillOp fill) {
        instruction->sync = fill.getSync();
        plan::FillT action;
        action.to = std::make_unique<plan::Ref>(ref(fill.getTo()));
        action.size_bytes = uint64_t(fill.getTo().getSizeBytes());
        action.pattern = uint32_t(fill.getPattern());
        instruction->action.Set(std::move(action));
      })
      .Case([&](::plan::LoopOp loop) {
        instruction->sync = loop.getSync();
        plan::LoopT action;
        action.trips = uint32_t(loop.getTrips());
        addInstructions(loop.getBody().front(), action.code);
        instruction->action.Set(std::move(action));
      });
  code.push_back(std::move(instruction));
}

void PlanEncoder::addProgram(::plan::ProgramOp op) {
  auto program = std::make_unique<plan::ProgramT>();
  program->name = op.getSymName().str();
  program->rows = uint32_t(op.getRows());
  program->per_thread = op.getPerThread();
  for (auto name : op.getReads().getAsRange<StringAttr>()) {
    auto field = std::make_unique<plan::FieldT>();
    field->buffer = buffers.lookup(name.getValue());
    const plan::BufferT &buffer = *plan.buffers[field->buffer];
    StringRef shortName = name.getValue();
    shortName.consume_front("batch.");
    field->name = shortName.split('@').first.str(); // `batch.NAME@PROGRAM`: see place
    field->dtype = buffer.dtype;
    field->shape = buffer.shape;
    program->signature.push_back(std::move(field));
  }
  addInstructions(op.getBody().front(), program->code);
  plan.programs.push_back(std::move(program));
}

std::vector<uint8_t> PlanEncoder::run() {
  plan.abi = DlmAbiVersion;
  plan.build = origin.build;
  plan.target = origin.target;
  plan.cpu = origin.cpu;
  plan.source_hash = origin.sourceHash;
  plan.locations.push_back(std::make_unique<plan::LocationT>());
  for (auto arena : module.getOps<::plan::ArenaOp>())
    addArena(arena);
  for (auto function : module.getOps<kernel::FuncOp>())
    addKernel(function);
  for (auto function : module.getOps<::plan::FunctionOp>())
    addFunction(function);
  for (auto buffer : module.getOps<::plan::BufferOp>())
    addBuffer(buffer);
  for (auto program : module.getOps<::plan::ProgramOp>())
    addProgram(program);
  addRecipe(plan, module, buffers);
  for (const auto &[path, text] : origin.sources) {
    plan.sources.push_back(std::make_unique<plan::SourceTextT>());
    plan.sources.back()->path = path;
    plan.sources.back()->text = text;
  }
  if (failed(addState(plan, module, buffers))) return {};
  addReport(plan);
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(plan::Plan::Pack(builder, &plan), plan::PlanIdentifier());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

std::vector<uint8_t> encodePlan(ModuleOp module, const PlanOrigin &origin) {
  return PlanEncoder(module, origin).run();
}

} // namespace dlm
