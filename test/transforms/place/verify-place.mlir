// RUN: dlm-opt %s --dlm-verify-place --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op should have been removed by the phase 'place'}}
func.func @names_the_function_that_is_left() {
  return
}

// -----

plan.arena @accepts_what_a_plan_holds <persistent> size 64 align 64
