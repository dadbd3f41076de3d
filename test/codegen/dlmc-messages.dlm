// RUN: not dlmc check %s 2>&1 | FileCheck %s --check-prefix=TWENTY
// TWENTY-COUNT-20: error[unknown-name]
// TWENTY-NOT: error[
// TWENTY: 2 more errors are not shown; --all-errors shows all

// RUN: not dlmc check %s --all-errors 2>&1 | FileCheck %s --check-prefix=ALL
// ALL-COUNT-22: error[unknown-name]
// ALL-NOT: not shown

// RUN: not dlmc check %s --errors=21 2>&1 | FileCheck %s --check-prefix=ONE
// ONE-COUNT-21: error[unknown-name]
// ONE: 1 more error is not shown; --all-errors shows all

// RUN: not dlmc check %s --diagnostics=json 2>&1 | FileCheck %s --check-prefix=JSON
// JSON-COUNT-22: {"kind":"unknown-name","severity":"error","message":
// JSON-NOT: not shown

// RUN: dlmc --explain shape-mismatch | FileCheck %s --check-prefix=PAGE
// RUN: dlmc explain shape-mismatch | FileCheck %s --check-prefix=PAGE
// PAGE: # shape-mismatch
// PAGE: error[shape-mismatch]: `@` contracts sizes

let list = [a1, a2, a3, a4, a5, a6, a7, a8, a9, b1, b2, b3, b4, b5, b6, b7, b8, b9, c1, c2, c3]
let last = c4
