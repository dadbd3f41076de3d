// RUN: cp %s %t.dlm
// RUN: not dlmc check --fix %t.dlm -D "length=3 minutes" 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s --input-file=%t.dlm --check-prefix=TEXT

option length = 10min

train first {
  duration = length
}
train second {
  clip_grad_norm = 1.0
  duration = 5 epoch
  memory { budget = 40GB }
}

// SAID: fixed[unknown-setting]: {{.*}}.dlm:11:3: replaced `clip_grad_norm` by `clip_norm`
// SAID-NEXT: fixed[unknown-unit]: {{.*}}.dlm:12:16: replaced `epoch` by `epochs`
// SAID-NOT: fixed
// SAID: error[option-value]: `-D length=3 minutes` does not give a time
// SAID: help: write `3 min`
// SAID: error[unknown-unit]: `GB` is not a unit

// TEXT: {{^}}option length = 10min
// TEXT: {{^}}  clip_norm = 1.0
// TEXT-NEXT: {{^}}  duration = 5 epochs
// TEXT-NEXT: {{^}}  memory { budget = 40GB }
