// One row for each name. A row is not needed for a name that is spelt nearly as it is here.
#include "compiler/sema/modules/ForeignNames.h"

#include <map>

namespace dlm::sema {

namespace {

using Words = std::map<std::string, std::string>;

std::string lookUp(const Words &words, const std::string &name) {
  auto found = words.find(name);
  return found == words.end() ? "" : found->second;
}

} // namespace

std::string unitHere(const std::string &unit) {
  static const Words words = {
      {"GB", "GiB"},         {"KB", "KiB"},     {"MB", "MiB"},       {"TB", "TiB"},
      {"day", "d"},          {"days", "d"},     {"epoch", "epochs"}, {"gb", "GiB"},
      {"hour", "h"},         {"hours", "h"},    {"hr", "h"},         {"iterations", "steps"},
      {"iters", "steps"},    {"kB", "KiB"},     {"kb", "KiB"},       {"mb", "MiB"},
      {"mins", "min"},       {"minute", "min"}, {"minutes", "min"},  {"msec", "ms"},
      {"sample", "samples"}, {"sec", "s"},      {"second", "s"},     {"seconds", "s"},
      {"secs", "s"},         {"step", "steps"}, {"token", "tokens"},
  };
  return lookUp(words, unit);
}

std::string argumentHere(const std::string &name) {
  static const Words words = {
      {"axes", "over"},           {"axis", "over"},
      {"correction", "ddof"},     {"dim", "over"},
      {"dims", "over"},           {"epsilon", "eps"},
      {"ignore_index", "ignore"}, {"keepdim", "keep"},
      {"keepdims", "keep"},       {"label_smoothing", "smoothing"},
      {"learning_rate", "lr"},    {"reduction", "reduce"},
      {"stddev", "std"},
  };
  return lookUp(words, name);
}

std::string nameHere(const std::string &name) {
  static const Words words = {
      {"False", "false"},
      {"None", "none"},
      {"True", "true"},
      {"absolute", "abs"},
      {"cat", "concat"},
      {"concatenate", "concat"},
      {"kl_div", "kl_divergence"},
      {"l1_loss", "l1"},
      {"mse_loss", "mse"},
      {"nil", "none"},
      {"null", "none"},
      {"one_hot_encode", "one_hot"},
      {"smooth_l1_loss", "huber"},
      {"swish", "silu"},
      {"topk", "top_k"},
  };
  return lookUp(words, name);
}

std::string foreignNameAdvice(const std::string &name) {
  static const Words advice = {
      {"BCEWithLogitsLoss", "losses are functions: `binary_cross_entropy_with_logits(x, y)`"},
      {"CrossEntropyLoss", "losses are functions: `cross_entropy(logits, labels)`"},
      {"F", "functions are in no module: `relu(x)`, not `F.relu(x)`"},
      {"GELU", "it is the function `gelu`"},
      {"MSELoss", "losses are functions: `mse(x, y)`"},
      {"Module", "a function with stored parts is declared with `model`"},
      {"ReLU", "it is the function `relu`"},
      {"arange", "`0..n` is the list of the numbers below n, `iota(n)` the tensor"},
      {"bmm", "matrices are multiplied by `a @ b`"},
      {"break", "`scan` and `fold` end early by `until`"},
      {"chunk", "it is called `split`"},
      {"continue", "there are no loops: `scan` and `fold` carry a value"},
      {"enumerate", "`zip(0..len(xs), xs)` pairs elements with their positions"},
      {"flatten", "`reshape(x, [B, n])` gives a tensor another shape"},
      {"jnp", "functions are in no module: `exp(x)`, not `jnp.exp(x)`"},
      {"masked_fill", "`where(mask, value, x)` replaces elements"},
      {"masked_select", "reductions take a mask: `sum(x, where = mask)`"},
      {"matmul", "matrices are multiplied by `a @ b`"},
      {"np", "functions are in no module: `exp(x)`, not `np.exp(x)`"},
      {"no_grad", "gradients stop at `stop_gradient(x)`"},
      {"pass", "an empty block is `{ }`"},
      {"permute", "`rearrange(x, \"a b c -> c a b\")` reorders axes"},
      {"print", "programs print nothing; `fn metrics(batch)` gives numbers to report"},
      {"range", "`0..n` is the list of the numbers below n"},
      {"self", "the members of a model see each other by their plain names"},
      {"square", "it is written `x ** 2`"},
      {"squeeze", "`x[:, 0]` drops an axis, `reshape` any of size 1"},
      {"tf", "functions are in no module: `exp(x)`, not `tf.exp(x)`"},
      {"torch", "functions are in no module: `exp(x)`, not `torch.exp(x)`"},
      {"super", "the members of a model see each other by their plain names"},
      {"transpose", "`x.T` turns a matrix"},
      {"unsqueeze", "`x[:, new]` adds an axis of size 1"},
      {"view", "`reshape(x, [B, n])` gives a tensor another shape"},
  };
  if (std::string here = nameHere(name); !here.empty()) return "it is written `" + here + "`";
  return lookUp(advice, name);
}

} // namespace dlm::sema
