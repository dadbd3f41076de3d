// Kernels to be tried, as text. `$N` stands for the size under trial, `?` for a run-time extent.
#pragma once

struct KernelCase {
  const char *name;
  const char *text;
  /// The largest size worth the evaluator's time.
  long sizeMax = 5003;
  /// The first output may lie in the memory of the first input.
  bool inPlace = false;
};

/// All of them, ended by a null name.
extern const KernelCase KernelCases[];
