// Writes the plan dialect from what Storage, ArenaLayout and Barriers decided for each program.
//
// All programs share the arenas: a transient byte belongs to whichever program runs, so the
// transient arena is as large as the largest program needs. Only programs that any thread runs for
// itself have one arena for everything, of which each thread gets a copy. Named buffers get their
// place in the order in which they first appear. The peak is therefore known exactly when this pass
// ends.
#include "compiler/transforms/place/ArenaLayout.h"
#include "compiler/transforms/place/Barriers.h"
#include "compiler/transforms/place/Passes.h"
#include "dialects/kernel/Kernel.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Support/MathExtras.h>

using namespace mlir;

namespace dlm::place {

#define GEN_PASS_DEF_PLACEBUFFERSPASS
#include "compiler/transforms/place/Passes.h.inc"

namespace {

/// A buffer that outlives its program.
struct Named {
  RankedTensorType type;
  Location location;
  plan::ArenaKind arena;
  int64_t offset = 0;
};

struct PlaceBuffersPass : impl::PlaceBuffersPassBase<PlaceBuffersPass> {
  void runOnOperation() override;

private:
  LogicalResult collectNamed(func::FuncOp function, ProgramStorage &storage);
  void writeArenas(OpBuilder &builder);
  void writeNamed(OpBuilder &builder);
  void writeProgram(OpBuilder &builder, func::FuncOp function, ProgramStorage &storage);
  void writeSteps(OpBuilder &builder, ArrayRef<Step> steps, ArrayRef<std::string> symbols);
  void writeStep(OpBuilder &builder, const Step &step, ArrayRef<plan::RefAttr> reads,
                 ArrayRef<plan::RefAttr> writes);

  llvm::MapVector<StringRef, Named> named;
  int64_t arenaBytes[8] = {};
};

int64_t &sizeIn(int64_t (&sizes)[8], plan::ArenaKind arena) {
  return sizes[static_cast<unsigned>(arena)];
}

} // namespace

/// Programs that any thread runs for itself have an arena for all they touch.
static bool isPerThread(func::FuncOp function) { return function->hasAttr("dlm.per_thread"); }

static plan::ArenaKind arenaOf(StringRef name) {
  if (name == "grads" || name.starts_with("grads.")) return plan::ArenaKind::Gradients;
  if (name.starts_with("sample.")) return plan::ArenaKind::Host;
  return name.starts_with("batch.") ? plan::ArenaKind::Staging : plan::ArenaKind::Persistent;
}

static StringRef arenaName(plan::ArenaKind kind) { return plan::stringifyArenaKind(kind); }

void PlaceBuffersPass::runOnOperation() {
  named.clear();
  std::fill(std::begin(arenaBytes), std::end(arenaBytes), 0);
  ModuleOp module = getOperation();
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  std::vector<ProgramStorage> storages;
  int64_t transientBytes = 0, hostBytes = 0;
  for (func::FuncOp function : functions) {
    storages.emplace_back(function);
    if (failed(storages.back().run()) || failed(collectNamed(function, storages.back())))
      return signalPassFailure();
    int64_t &bytes = isPerThread(function) ? hostBytes : transientBytes;
    bytes = std::max(bytes, layoutTransient(storages.back().objects));
    markBarriers(storages.back());
  }
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  unsigned number = 0;
  for (auto &[name, buffer] : named)
    buffer.offset =
        placePermanent(tensorBytes(buffer.type), number++, sizeIn(arenaBytes, buffer.arena));
  sizeIn(arenaBytes, plan::ArenaKind::Transient) = transientBytes;
  // Intermediate values of a thread lie behind its named buffers.
  int64_t &host = sizeIn(arenaBytes, plan::ArenaKind::Host);
  int64_t hostNamed = int64_t(llvm::alignTo(host, BufferAlignment));
  host = hostNamed + hostBytes;
  for (auto [function, storage] : llvm::zip(functions, storages))
    for (Object &object : storage.objects)
      if (object.name.empty() && isPerThread(function)) object.offset += hostNamed;
  writeArenas(builder);
  writeNamed(builder);
  for (auto [function, storage] : llvm::zip(functions, storages))
    writeProgram(builder, function, storage);
  for (func::FuncOp function : functions)
    function.erase();
}

/// All programs must agree on the type of a name; but a batch buffer of another size is another
/// buffer, `batch.NAME@PROGRAM`.
LogicalResult PlaceBuffersPass::collectNamed(func::FuncOp function, ProgramStorage &storage) {
  for (Object &object : storage.objects) {
    if (object.name.empty()) continue;
    plan::ArenaKind arena = arenaOf(object.name);
    auto insert = [&] {
      StringRef name = StringAttr::get(&getContext(), object.name).getValue();
      return named.insert({name, Named{object.type, object.location, arena}}).first->second.type;
    };
    Type there = insert();
    if (there != object.type && arena == plan::ArenaKind::Staging) {
      object.name += ("@" + function.getName()).str();
      there = insert();
    }
    if (there != object.type)
      return emitError(object.location) << "buffer '" << object.name << "' is " << object.type
                                        << " here and " << there << " in another program";
  }
  return success();
}

void PlaceBuffersPass::writeArenas(OpBuilder &builder) {
  for (plan::ArenaKind kind :
       {plan::ArenaKind::Persistent, plan::ArenaKind::Gradients, plan::ArenaKind::Transient,
        plan::ArenaKind::Staging, plan::ArenaKind::Host}) {
    bool isPerThread = kind == plan::ArenaKind::Host;
    int64_t size = llvm::alignTo(sizeIn(arenaBytes, kind), BufferAlignment);
    if (isPerThread && size == 0) continue; // nobody makes samples
    plan::ArenaOp::create(builder, builder.getUnknownLoc(), arenaName(kind), kind, size,
                          BufferAlignment, isPerThread);
  }
}

void PlaceBuffersPass::writeNamed(OpBuilder &builder) {
  for (auto &[name, buffer] : named)
    plan::BufferOp::create(builder, buffer.location, name, buffer.type, arenaName(buffer.arena),
                           buffer.offset, /*persistent=*/true, 0, 0);
}

void PlaceBuffersPass::writeProgram(OpBuilder &builder, func::FuncOp function,
                                    ProgramStorage &storage) {
  SmallVector<Attribute> reads;
  for (const Object &object : storage.objects)
    if (!object.name.empty() && arenaOf(object.name) == plan::ArenaKind::Staging)
      reads.push_back(builder.getStringAttr(object.name));
  std::vector<std::string> symbols;
  for (const Object &object : storage.objects) {
    symbols.push_back(object.name);
    if (!object.name.empty() || object.birth < 0) continue;
    symbols.back() = (function.getName() + ".t" + Twine(symbols.size() - 1)).str();
    plan::ArenaKind arena =
        isPerThread(function) ? plan::ArenaKind::Host : plan::ArenaKind::Transient;
    plan::BufferOp::create(builder, object.location, symbols.back(), object.type, arenaName(arena),
                           object.offset,
                           /*persistent=*/false, object.birth, object.death);
  }
  auto rows = function->getAttrOfType<IntegerAttr>("dlm.rows");
  auto program = plan::ProgramOp::create(builder, function.getLoc(), function.getName(),
                                         rows ? rows.getInt() : 0, builder.getArrayAttr(reads),
                                         isPerThread(function));
  OpBuilder body = OpBuilder::atBlockEnd(&program.getBody().front());
  writeSteps(body, storage.steps, symbols);
}

/// A range as the plan has it: without steps of zero at the end.
static plan::RefAttr refOf(const Range &range, ArrayRef<std::string> symbols,
                           MLIRContext *context) {
  ArrayRef<int64_t> steps(range.steps);
  while (!steps.empty() && steps.back() == 0)
    steps = steps.drop_back();
  return plan::RefAttr::get(context, FlatSymbolRefAttr::get(context, symbols[range.object]),
                            range.offset, range.sizeBytes, steps);
}

void PlaceBuffersPass::writeSteps(OpBuilder &builder, ArrayRef<Step> steps,
                                  ArrayRef<std::string> symbols) {
  auto refs = [&](ArrayRef<Range> ranges) {
    SmallVector<plan::RefAttr> result;
    for (const Range &range : ranges)
      result.push_back(refOf(range, symbols, &getContext()));
    return result;
  };
  for (const Step &step : steps) {
    if (step.kind != Step::Loop) {
      writeStep(builder, step, refs(step.reads), refs(step.writes));
      continue;
    }
    auto loop =
        plan::LoopOp::create(builder, step.location, cast<ScanOp>(step.op).getTrips(), step.sync);
    OpBuilder body = OpBuilder::atBlockEnd(&loop.getBody().front());
    writeSteps(body, step.body, symbols);
  }
}

void PlaceBuffersPass::writeStep(OpBuilder &builder, const Step &step,
                                 ArrayRef<plan::RefAttr> reads, ArrayRef<plan::RefAttr> writes) {
  SmallVector<Attribute> args(reads.begin(), reads.end());
  args.append(writes.begin(), writes.end());
  ArrayAttr refs = builder.getArrayAttr(args);
  if (step.kind == Step::Copy) {
    plan::CopyOp::create(builder, step.location, writes[0], reads[0], step.sync);
  } else if (step.kind == Step::Fill) {
    plan::FillOp::create(builder, step.location, writes[0], 0, step.sync);
  } else if (auto launch = dyn_cast<kernel::LaunchOp>(step.op)) {
    plan::LaunchOp::create(builder, step.location, launch.getCalleeAttr(), refs, launch.getItems(),
                           launch.getExtent(), step.sync, /*stages=*/{});
  } else {
    auto contract = cast<kernel::ContractOp>(step.op);
    auto lhs = cast<RankedTensorType>(contract.getLhs().getType());
    auto out = cast<RankedTensorType>(contract.getType());
    int64_t rank = out.getRank(), m = out.getDimSize(rank - 2), n = out.getDimSize(rank - 1);
    int64_t k = lhs.getDimSize(rank - (contract.getTransposeLhs() ? 2 : 1)), batch = 1;
    for (int64_t size : out.getShape().drop_back(2))
      batch *= size;
    plan::ContractOp::create(builder, step.location, refs, m, n, k, contract.getTransposeLhs(),
                             contract.getTransposeRhs(), batch, contract.getSplits(), step.sync,
                             /*stages=*/{});
  }
}

} // namespace dlm::place
