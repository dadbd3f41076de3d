// One row for each name. A row is not needed for a name that is spelt nearly as it is here.
#include "compiler/sema/ForeignNames.h"

#include <map>

namespace dlm::sema {

std::string foreignNameAdvice(const std::string &name) {
  static const std::map<std::string, std::string> advice = {
      {"False", "it is written `false`"},
      {"None", "it is written `none`"},
      {"True", "it is written `true`"},
      {"arange", "`0..n` is the list of the numbers below n, `iota(n)` the tensor"},
      {"enumerate", "`zip(0..len(xs), xs)` pairs elements with their positions"},
      {"flatten", "`reshape(x, [B, n])` gives a tensor another shape"},
      {"matmul", "matrices are multiplied by `a @ b`"},
      {"mse_loss", "it is called `mse`"},
      {"null", "it is written `none`"},
      {"permute", "`x.T` turns a matrix"},
      {"print", "programs print nothing; `fn metrics(batch)` gives numbers to report"},
      {"range", "`0..n` is the list of the numbers below n"},
      {"self", "the members of a model see each other by their plain names"},
      {"square", "it is written `x ** 2`"},
      {"swish", "it is called `silu`"},
      {"transpose", "`x.T` turns a matrix"},
      {"view", "`reshape(x, [B, n])` gives a tensor another shape"},
  };
  auto found = advice.find(name);
  return found == advice.end() ? "" : found->second;
}

} // namespace dlm::sema
