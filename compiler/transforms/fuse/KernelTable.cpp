// Names and merges kernels.
#include "compiler/transforms/fuse/KernelTable.h"

#include "compiler/transforms/fuse/ScalarCost.h"

#include <mlir/IR/Dominance.h>
#include <mlir/IR/PatternMatch.h>
#include <mlir/Transforms/CSE.h>

using namespace mlir;

namespace dlm::fuse {

/// Names of ops in a kernel's name.
static constexpr unsigned NameOpMax = 3;

static std::string opWord(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return ("reduce_" + stringifyReduceKind(reduce.getKind())).str();
  if (isa<StopGradientOp>(op)) return "copy";
  return op->getName().stripDialect().str();
}

/// "row_reduce_max_exp_reduce_add": the costly ops of the group, or the last ones if there are
/// none.
static std::string nameOf(kernel::FuncOp function, const Group &group) {
  SmallVector<std::string> words;
  auto collect = [&](bool costlyOnly) {
    for (Operation *op : group.ops) {
      std::string word = opWord(op);
      bool wanted = !costlyOnly || !isCheapScalar(op);
      if (wanted && words.size() < NameOpMax && !llvm::is_contained(words, word))
        words.push_back(word);
    }
  };
  collect(true);
  if (words.empty()) collect(false);
  std::string name = kernel::stringifySchedule(function.getSpace().getSchedule()).str();
  for (const std::string &word : words)
    name += "_" + word;
  return name;
}

StringAttr KernelTable::insert(OwningOpRef<kernel::FuncOp> function, const Group &group) {
  IRRewriter rewriter(module.getContext());
  DominanceInfo dominance(*function);
  eliminateCommonSubExpressions(rewriter, dominance, *function);
  std::string text;
  llvm::raw_string_ostream stream(text);
  function->print(stream);
  auto [entry, isNew] = byText.try_emplace(text, StringAttr());
  if (isNew) {
    std::string name = nameOf(*function, group) + "_" + std::to_string(byText.size() - 1);
    function->setSymName(name);
    entry->second = function->getSymNameAttr();
    module.push_back(function.release());
  }
  return entry->second;
}

} // namespace dlm::fuse
