// RUN: not dlmc 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: no file was given; `dlmc --help` says how to use this

// RUN: not dlmc %t.missing.dlm 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error[missing-file]: `{{.*}}.missing.dlm` cannot be read: no such file

// RUN: not dlmc %s --emi=fuse 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: error: there is no flag `--emi`; there is `--emit`

// RUN: not dlmc %s --emit=fused 2>&1 | FileCheck %s --check-prefix=PHASE
// PHASE: error: --emit takes one of ast, typed, {{.*}}plan, llvm, gpu, nvvm, ptx, not `fused`

// RUN: not dlmc %s --vector-width=8 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: error: --vector-width takes 16, 32 or 64, not `8`

// RUN: not dlmc %s --target=cdua 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --target takes cpu, cuda or cuda:sm_80,..., not `cdua`; there is `cuda`

// RUN: not dlmc %s --target=cpu:sm_80 2>&1 | FileCheck %s --check-prefix=CPUARCH
// CPUARCH: error: --target takes cpu, cuda or cuda:sm_80,..., not `cpu:sm_80`

// RUN: not dlmc %s --target=cuda:sm_80,ampere 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: --target=cuda: there is no architecture 'ampere'; architectures are named as sm_80

// RUN: not dlmc %s --target=cuda: 2>&1 | FileCheck %s --check-prefix=NOARCH
// NOARCH: error: --target=cuda: there is no architecture ''; architectures are named as sm_80

// RUN: not dlmc %s --target=cuda:sm_80,sm_80 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: --target names the architecture `sm_80` twice

// RUN: not dlmc %s --emulate 2>&1 | FileCheck %s --check-prefix=EMULATE
// EMULATE: error: --emulate needs --target=cuda

// RUN: not dlmc %s --target cuda --emulate=chek 2>&1 | FileCheck %s --check-prefix=CHECK
// CHECK: error: --emulate takes nothing or check, not `chek`

// RUN: not dlmc %s --target cuda --emulate= 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: --emulate= needs a value: --emulate or --emulate=check

// RUN: not dlmc %s --emit=ptx 2>&1 | FileCheck %s --check-prefix=EMIT
// EMIT: error: --emit=ptx needs --target=cuda

// RUN: not dlmc %s --target=cuda --cpu=native 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: --cpu is about kernels for the processor and does nothing with --target=cuda

// RUN: not dlmc %s --target=cuda:sm_75 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: --target=cuda: architecture 'sm_75' is too old: device code needs sm_80 or newer

// RUN: not dlmc %s --emit=ast -o %t 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not dlmc run %s -o %t 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: -o names an executable, and this command makes none

// RUN: not dlmc %s -D width 2>&1 | FileCheck %s --check-prefix=DASHD
// DASHD: error: -D takes NAME=VALUE, not `width`

// RUN: not dlmc %s other.dlm 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: one file at a time

// RUN: not dlmc train %s 2>&1 | FileCheck %s --check-prefix=TRAIN
// TRAIN: error: `train` is a command of a program: `dlmc run {{.*}}.dlm -- train`, or `dlmc

// RUN: not dlmc explain shape-mismach 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: error: there is no kind `shape-mismach`; there is `shape-mismatch`

// RUN: not dlmc --explain no 2>&1 | FileCheck %s --check-prefix=KINDS
// KINDS: error: there is no kind `no`; the kinds are
// KINDS: unclosed-bracket

// RUN: not dlmc check %s --errors=none 2>&1 | FileCheck %s --check-prefix=ERRORS
// ERRORS: error: --errors takes a number from 1 to 999999, not `none`

// RUN: dlmc --help | FileCheck %s --check-prefix=HELP
// HELP: dlmc FILE.dlm [-o PROGRAM]
// HELP: dlmc run FILE.dlm
// HELP: --target TARGET
// HELP: --emulate[=check]
// HELP: --dump-phases DIR
