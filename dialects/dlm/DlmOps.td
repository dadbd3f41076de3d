// All ops of the dialect, by family.
#ifndef DLM_DLM_DLMOPS_TD
#define DLM_DLM_DLMOPS_TD

include "dialects/dlm/DlmOpsElementwise.td"
include "dialects/dlm/DlmOpsShape.td"
include "dialects/dlm/DlmOpsReduce.td"
include "dialects/dlm/DlmOpsContract.td"
include "dialects/dlm/DlmOpsSource.td"
include "dialects/dlm/DlmOpsFlat.td"
include "dialects/dlm/DlmOpsGather.td"
include "dialects/dlm/DlmOpsWindow.td"
include "dialects/dlm/DlmOpsLoop.td"

#endif
