// RUN: not dlmc 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: no file was given; `dlmc --help` says how to use this

// RUN: not dlmc %t.missing.dlm 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*}}.missing.dlm: no such file

// RUN: not dlmc %s --emi=fuse 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: error: there is no flag `--emi`; there is `--emit`

// RUN: not dlmc %s --emit=fused 2>&1 | FileCheck %s --check-prefix=PHASE
// PHASE: error: --emit takes one of ast, typed, {{.*}}plan, llvm, not `fused`

// RUN: not dlmc %s --vector-width=8 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: error: --vector-width takes 16, 32 or 64, not `8`

// RUN: not dlmc %s -D width 2>&1 | FileCheck %s --check-prefix=DASHD
// DASHD: error: -D takes NAME=VALUE, not `width`

// RUN: not dlmc %s other.dlm 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: one file at a time

// RUN: not dlmc explain shape-mismach 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: error: there is no kind `shape-mismach`; the kinds are

// RUN: dlmc --help | FileCheck %s --check-prefix=HELP
// HELP: dlmc FILE.dlm [-o PROGRAM]
// HELP: dlmc run FILE.dlm
// HELP: --dump-phases DIR
