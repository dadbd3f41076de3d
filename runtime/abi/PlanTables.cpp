// The tables of a plan: what can be checked without looking at a single instruction.
#include "runtime/abi/PlanChecks.h"

#include "runtime/base/DType.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

namespace dlm {

static_assert(unsigned(plan::DType::Bool) == unsigned(DType::Bool) &&
                  unsigned(plan::DType::U8) == unsigned(DType::U8) &&
                  unsigned(plan::DType::I32) == unsigned(DType::I32) &&
                  unsigned(plan::DType::I64) == unsigned(DType::I64) &&
                  unsigned(plan::DType::F32) == unsigned(DType::F32),
              "element types of plans and of memory share their numbers");

namespace {

constexpr uint64_t ArenaBytesMax = uint64_t(1) << 46;

Status checkLocation(const plan::Plan &plan, uint32_t id) {
  if (id < std::max(1u, planLength(plan.locations()))) return Status::ok();
  return corrupt("location " + std::to_string(id) + " of " +
                 std::to_string(planLength(plan.locations())));
}

Status checkArena(const plan::Arena &arena) {
  if (arena.kind() > plan::ArenaKind::MAX)
    return corrupt("unknown kind " + std::to_string(unsigned(arena.kind())));
  uint32_t alignment = arena.alignment();
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    return corrupt("alignment " + std::to_string(alignment) + " is not a power of two");
  if (arena.size_bytes() > ArenaBytesMax)
    return corrupt(std::to_string(arena.size_bytes()) + " bytes are more than any machine has");
  return Status::ok();
}

Status checkBuffer(const plan::Plan &plan, const plan::Buffer &buffer) {
  if (buffer.arena() >= planLength(plan.arenas()))
    return corrupt("arena " + std::to_string(buffer.arena()) + " of " +
                   std::to_string(planLength(plan.arenas())));
  if (buffer.dtype() > plan::DType::MAX)
    return corrupt("unknown element type " + std::to_string(unsigned(buffer.dtype())));
  uint64_t sizeBytes, arenaBytes = plan.arenas()->Get(buffer.arena())->size_bytes();
  if (!planSizeBytes(buffer.shape(), buffer.dtype(), sizeBytes))
    return corrupt("its shape is negative or too large");
  if (sizeBytes != buffer.size_bytes())
    return corrupt("its shape needs " + std::to_string(sizeBytes) + " bytes, it has " +
                   std::to_string(buffer.size_bytes()));
  if (buffer.offset() > arenaBytes || sizeBytes > arenaBytes - buffer.offset())
    return corrupt("bytes " + std::to_string(buffer.offset()) + " to " +
                   std::to_string(buffer.offset() + sizeBytes) + " of an arena of " +
                   std::to_string(arenaBytes));
  if (buffer.offset() % planElementBytes(buffer.dtype()) != 0)
    return corrupt("offset " + std::to_string(buffer.offset()) + " splits an element");
  if (buffer.persistent() && planText(buffer.name()).empty())
    return corrupt("it outlives its program but has no name");
  uint64_t initialBytes = planLength(buffer.initial());
  if (initialBytes != 0 && (initialBytes != sizeBytes || !buffer.persistent()))
    return corrupt("it begins as " + std::to_string(initialBytes) + " bytes of " +
                   std::to_string(sizeBytes));
  return checkLocation(plan, buffer.location());
}

/// A persistent buffer shares its bytes with no other buffer.
Status checkPersistentOverlaps(const plan::Plan &plan) {
  std::vector<uint32_t> order;
  for (uint32_t id = 0; id < planLength(plan.buffers()); ++id) {
    if (plan.buffers()->Get(id)->size_bytes() != 0) order.push_back(id);
  }
  auto at = [&](uint32_t id) { return plan.buffers()->Get(id); };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::make_tuple(at(a)->arena(), at(a)->offset(), a) <
           std::make_tuple(at(b)->arena(), at(b)->offset(), b);
  });
  // Of the buffers before, the one that reaches furthest, and the persistent one that does.
  int64_t any = -1, persistent = -1;
  auto endOf = [&](int64_t id) {
    return at(uint32_t(id))->offset() + at(uint32_t(id))->size_bytes();
  };
  for (uint32_t id : order) {
    if (any >= 0 && at(uint32_t(any))->arena() != at(id)->arena()) any = persistent = -1;
    int64_t rival = at(id)->persistent() ? any : persistent;
    if (rival >= 0 && endOf(rival) > at(id)->offset())
      return corrupt(planBufferText(plan, uint32_t(rival)) + " and " + planBufferText(plan, id) +
                     " overlap, and one of them outlives its program");
    if (any < 0 || endOf(id) > endOf(any)) any = id;
    if (at(id)->persistent() && (persistent < 0 || endOf(id) > endOf(persistent))) persistent = id;
  }
  return Status::ok();
}

Status checkState(const plan::Plan &plan) {
  std::set<std::string> names;
  struct Range {
    uint32_t buffer;
    uint64_t begin, end;
    std::string name;
    bool operator<(const Range &other) const {
      return std::tie(buffer, begin, end) < std::tie(other.buffer, other.begin, other.end);
    }
  };
  std::vector<Range> ranges;
  for (uint32_t i = 0; i < planLength(plan.state()); ++i) {
    const plan::StateEntry &entry = *plan.state()->Get(i);
    std::string what = "state `" + planText(entry.name()) + "`: ";
    if (planText(entry.name()).empty() || !names.insert(planText(entry.name())).second)
      return corrupt(what + "the name is empty or occurs twice");
    if (entry.buffer() >= planLength(plan.buffers()))
      return corrupt(what + "buffer " + std::to_string(entry.buffer()) + " of " +
                     std::to_string(planLength(plan.buffers())));
    const plan::Buffer &buffer = *plan.buffers()->Get(entry.buffer());
    if (!buffer.persistent() || buffer.dtype() != entry.dtype() || entry.role() > plan::Role::MAX)
      return corrupt(what + "it does not agree with " + planBufferText(plan, entry.buffer()));
    uint64_t sizeBytes;
    if (!planSizeBytes(entry.shape(), entry.dtype(), sizeBytes) ||
        entry.offset() > buffer.size_bytes() || sizeBytes > buffer.size_bytes() - entry.offset() ||
        entry.offset() % planElementBytes(entry.dtype()) != 0)
      return corrupt(what + "it does not lie within " + planBufferText(plan, entry.buffer()));
    if (sizeBytes)
      ranges.push_back(
          {entry.buffer(), entry.offset(), entry.offset() + sizeBytes, planText(entry.name())});
  }
  std::sort(ranges.begin(), ranges.end());
  for (size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i - 1].buffer == ranges[i].buffer && ranges[i - 1].end > ranges[i].begin)
      return corrupt("state `" + ranges[i - 1].name + "` and `" + ranges[i].name + "` overlap");
  }
  return Status::ok();
}

Status checkOptions(const plan::Plan &plan) {
  std::set<std::string> names;
  for (uint32_t i = 0; i < planLength(plan.options()); ++i) {
    const plan::Option &option = *plan.options()->Get(i);
    std::string what = "option `" + planText(option.name()) + "`: ";
    if (planText(option.name()).empty() || !names.insert(planText(option.name())).second)
      return corrupt(what + "the name is empty or occurs twice");
    if (option.buffer() < -1 || option.buffer() >= int64_t(planLength(plan.buffers())))
      return corrupt(what + "buffer " + std::to_string(option.buffer()));
    if (!planText(option.kind()).empty() && (option.run_time() || option.buffer() >= 0))
      return corrupt(what + "only numbers can be given at run time");
    if (option.buffer() < 0) continue;
    const plan::Buffer &buffer = *plan.buffers()->Get(uint32_t(option.buffer()));
    if (!buffer.persistent() || buffer.dtype() != option.dtype() ||
        buffer.size_bytes() != planElementBytes(option.dtype()))
      return corrupt(what + planBufferText(plan, uint32_t(option.buffer())) +
                     " is not a scalar of its type");
  }
  return Status::ok();
}

} // namespace

uint64_t planElementBytes(plan::DType dtype) { return elementSizeBytes(static_cast<DType>(dtype)); }

bool planSizeBytes(const flatbuffers::Vector<int64_t> *shape, plan::DType dtype,
                   uint64_t &sizeBytes) {
  if (dtype > plan::DType::MAX || !planAligned(shape)) return false;
  sizeBytes = planElementBytes(dtype);
  for (uint32_t i = 0; i < planLength(shape); ++i) {
    if (shape->Get(i) < 0 || __builtin_mul_overflow(sizeBytes, uint64_t(shape->Get(i)), &sizeBytes))
      return false;
  }
  return sizeBytes <= ArenaBytesMax;
}

std::string planBufferText(const plan::Plan &plan, uint32_t buffer) {
  std::string name = planText(plan.buffers()->Get(buffer)->name());
  return name.empty() ? "buffer " + std::to_string(buffer) : "`" + name + "`";
}

std::string planLocationText(const plan::Plan &plan, uint32_t location) {
  if (location >= planLength(plan.locations())) return "";
  const plan::Location &place = *plan.locations()->Get(location);
  std::string layer = planText(place.layer());
  return " (" + planText(place.file()) + ":" + std::to_string(place.line()) +
         (layer.empty() ? "" : ", " + layer) + ")";
}

Status verifyTables(const plan::Plan &plan) {
  for (uint32_t id = 0; id < planLength(plan.arenas()); ++id) {
    if (Status status = checkArena(*plan.arenas()->Get(id)); !status.isOk())
      return status.withContext("arena " + std::to_string(id));
  }
  std::set<std::string> names;
  for (uint32_t id = 0; id < planLength(plan.buffers()); ++id) {
    if (Status status = checkBuffer(plan, *plan.buffers()->Get(id)); !status.isOk())
      return status.withContext(planBufferText(plan, id));
    std::string name = planText(plan.buffers()->Get(id)->name());
    if (!name.empty() && !names.insert(name).second)
      return corrupt("two buffers are named `" + name + "`");
  }
  for (uint32_t id = 0; id < planLength(plan.kernels()); ++id) {
    const plan::Kernel &kernel = *plan.kernels()->Get(id);
    if (planText(kernel.symbol()).empty())
      return corrupt("kernel " + std::to_string(id) + " has no symbol");
    if (kernel.scratch_bytes() > ScratchBytesMax)
      return corrupt("kernel `" + planText(kernel.symbol()) + "` asks for " +
                     std::to_string(kernel.scratch_bytes()) + " bytes of scratch memory");
  }
  DLM_TRY(verifyDeviceTables(plan));
  DLM_TRY(checkPersistentOverlaps(plan));
  DLM_TRY(checkState(plan));
  return checkOptions(plan);
}

} // namespace dlm
