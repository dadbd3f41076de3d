// Loading a plan: form first, then meaning.
#include "runtime/abi/PlanVerify.h"

#include "runtime/abi/Kernel.h"

namespace dlm {

Expected<const plan::Plan *> loadPlan(const uint8_t *bytes, size_t sizeBytes) {
  flatbuffers::Verifier verifier(bytes, sizeBytes, 64, 10000000);
  if (!plan::VerifyPlanBuffer(verifier))
    return corrupt("the plan's bytes are damaged");
  const plan::Plan *plan = plan::GetPlan(bytes);
  DLM_TRY(verifyPlan(*plan));
  return plan;
}

Status verifyPlan(const plan::Plan &plan) {
  if (plan.abi() != DlmAbiVersion)
    return corrupt("the plan is of version " + std::to_string(plan.abi()) +
                   ", this program runs version " + std::to_string(DlmAbiVersion));
  return Status::ok();
}

} // namespace dlm
