// RUN: cp %s %t.dlm
// RUN: chmod 600 %t.dlm
// RUN: not dlmc check --fix %t.dlm 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s --input-file=%t.dlm --check-prefix=TEXT
// RUN: not dlmc check --fix %t.dlm 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: cp %s %t.dlm
// RUN: not dlmc check --fix --diagnostics=json %t.dlm 2>&1 | FileCheck %s --check-prefix=JSON

# what is left is an error, and so is the exit status
const name = 'a' && missing

// SAID: fixed[syntax]: {{.*}}.dlm:9:1: replaced `#` by `//`
// SAID-NEXT: fixed[syntax]: {{.*}}.dlm:10:1: replaced `const` by `let`
// SAID-NEXT: fixed[syntax]: {{.*}}.dlm:10:14: replaced `'a'` by `"a"`
// SAID-NEXT: fixed[syntax]: {{.*}}.dlm:10:18: replaced `&&` by `and`
// SAID-NOT: fixed
// SAID: error[unknown-name]: `missing` is not declared

// TEXT: {{^}}// what is left is an error
// TEXT-NEXT: {{^}}let name = "a" and missing

// AGAIN-NOT: fixed
// AGAIN: error[unknown-name]: `missing` is not declared

// JSON: {"kind":"syntax","severity":"fixed","message":"replaced `#` by `//`",
// JSON-SAME: "file":"{{.*}}.dlm","line":9,"column":1}
