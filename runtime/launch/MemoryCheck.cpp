// The program's part is known from its plan, the samples' part from the counts it was compiled for.
#include "runtime/launch/MemoryCheck.h"

#include "runtime/abi/PlanTargets.h"
#include "runtime/data/DataMemory.h"
#include "runtime/launch/PlanWork.h"
#include "runtime/metrics/TextProgress.h"

namespace dlm {

Status checkMemory(const plan::Plan &plan, const DataSpec &spec,
                   const std::optional<AvailableMemory> &available) {
  uint64_t ofPlan = isDevicePlan(plan) ? 0 : arenaBytes(plan), ofData = dataBytes(spec);
  if (!available || ofPlan + ofData <= available->bytes) return Status::ok();
  std::string text = "this run needs " + bytesText(double(ofPlan + ofData)) + " of memory, " +
                     bytesText(double(ofData)) + " of it for the samples of `" + spec.name +
                     "`, and " + available->of + " leaves it " +
                     bytesText(double(available->bytes)) + ". ";
  text += ofData > ofPlan ? adviceOnDataMemory(spec.kind)
                          : "`info` lists what takes most; a smaller batch takes less";
  return Status::error(Code::NoSpace, text);
}

} // namespace dlm
