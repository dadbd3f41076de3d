// One row for each name. A row is not needed for a name that is spelt nearly as it is here.
#include "compiler/sema/ForeignNames.h"

#include <map>

namespace dlm::sema {

std::string foreignNameAdvice(const std::string &name) {
  static const std::map<std::string, std::string> advice = {
      {"BCEWithLogitsLoss", "losses are functions: `binary_cross_entropy_with_logits(x, y)`"},
      {"CrossEntropyLoss", "losses are functions: `cross_entropy(logits, labels)`"},
      {"F", "functions are in no module: `relu(x)`, not `F.relu(x)`"},
      {"False", "it is written `false`"},
      {"GELU", "it is the function `gelu`"},
      {"MSELoss", "losses are functions: `mse(x, y)`"},
      {"Module", "a function with stored parts is declared with `model`"},
      {"None", "it is written `none`"},
      {"ReLU", "it is the function `relu`"},
      {"True", "it is written `true`"},
      {"arange", "`0..n` is the list of the numbers below n, `iota(n)` the tensor"},
      {"enumerate", "`zip(0..len(xs), xs)` pairs elements with their positions"},
      {"flatten", "`reshape(x, [B, n])` gives a tensor another shape"},
      {"jnp", "functions are in no module: `exp(x)`, not `jnp.exp(x)`"},
      {"matmul", "matrices are multiplied by `a @ b`"},
      {"mse_loss", "it is called `mse`"},
      {"np", "functions are in no module: `exp(x)`, not `np.exp(x)`"},
      {"null", "it is written `none`"},
      {"permute", "`x.T` turns a matrix"},
      {"print", "programs print nothing; `fn metrics(batch)` gives numbers to report"},
      {"range", "`0..n` is the list of the numbers below n"},
      {"self", "the members of a model see each other by their plain names"},
      {"square", "it is written `x ** 2`"},
      {"swish", "it is called `silu`"},
      {"tf", "functions are in no module: `exp(x)`, not `tf.exp(x)`"},
      {"torch", "functions are in no module: `exp(x)`, not `torch.exp(x)`"},
      {"transpose", "`x.T` turns a matrix"},
      {"view", "`reshape(x, [B, n])` gives a tensor another shape"},
  };
  auto found = advice.find(name);
  return found == advice.end() ? "" : found->second;
}

} // namespace dlm::sema
