// Loading a plan: form first, then meaning.
#include "runtime/abi/PlanVerify.h"

#include "runtime/abi/Kernel.h"
#include "runtime/abi/PlanChecks.h"

namespace dlm {

namespace {
constexpr uint32_t NestingMax = 64;
constexpr uint32_t TableCountMax = 10000000;
} // namespace

Expected<const plan::Plan *> loadPlan(const uint8_t *bytes, size_t sizeBytes) {
  flatbuffers::Verifier verifier(bytes, sizeBytes, NestingMax, TableCountMax);
  if (!plan::VerifyPlanBuffer(verifier)) return corrupt("the plan's bytes are damaged");
  const plan::Plan *plan = plan::GetPlan(bytes);
  DLM_TRY(verifyPlan(*plan));
  return plan;
}

Status verifyPlan(const plan::Plan &plan) {
  if (plan.abi() != DlmAbiVersion)
    return corrupt("the plan is of version " + std::to_string(plan.abi()) +
                   ", this program runs version " + std::to_string(DlmAbiVersion));
  Status status = verifyTables(plan);
  if (status.isOk()) status = verifySamples(plan);
  if (status.isOk()) status = verifyPrograms(plan);
  if (status.isOk()) status = verifyRecipe(plan);
  return status.withContext("plan");
}

} // namespace dlm
