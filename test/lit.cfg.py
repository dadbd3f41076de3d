# How lit finds and runs the compiler's tests: every .mlir and .dlm file with a RUN line.
import os

import lit.formats
from lit.llvm import llvm_config

config.name = "DLM"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".dlm"]
config.excludes = ["Inputs", "programs", "mistakes", "library"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.dlm_obj_root, "test", "lit")
config.substitutions.append(("%root", config.dlm_src_root))

llvm_config.use_default_substitutions()
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.dlm_tools_dir, append_path=True)
llvm_config.add_tool_substitutions(
    ["dlm-opt", "dlm-interp", "dlmc", "split-file"],
    [config.dlm_tools_dir, config.llvm_tools_dir],
)
