// One row for each name.
#include "compiler/sema/modules/ForeignMembers.h"

#include <map>
#include <set>

namespace dlm::sema {

namespace {

using MemberWords = std::map<std::string, std::string>;

std::string adviceIn(const MemberWords &words, const std::string &name) {
  auto found = words.find(name);
  return found == words.end() ? "" : found->second;
}

} // namespace

std::string memberHere(const std::string &name) {
  static const MemberWords words = {
      {"Dense", "Linear"},      {"dense", "Linear"},        {"fc", "Linear"},
      {"n_classes", "classes"}, {"num_classes", "classes"}, {"nclasses", "classes"},
      {"vocab_size", "vocab"},
  };
  return adviceIn(words, name);
}

std::string foreignModelMemberAdvice(const std::string &name) {
  constexpr const char *noDevice =
      "the program says nothing of devices: leave it out, and see `dlmc --target`";
  constexpr const char *noMode =
      "leave it out: `training` is true while a run trains, and false while it evaluates";
  static const MemberWords advice = {
      {"apply", "a model is called like a function: `net(x)`"},
      {"compile", "the whole program is compiled: leave it out"},
      {"cpu", noDevice},
      {"cuda", noDevice},
      {"eval", noMode},
      {"fit", "a train block trains the models that are made in it"},
      {"parameters",
       "the optimizer changes all parameters; `frozen(model)` keeps some as they are"},
      {"predict", "a model is called like a function: `net(x)`"},
      {"to", noDevice},
      {"train", noMode},
  };
  return adviceIn(advice, name);
}

std::string foreignDataMemberAdvice(const std::string &name) {
  constexpr const char *parts =
      "write the source itself: a run trains on its training part, and evaluates on the other";
  constexpr const char *noTokenizer =
      "the source of a text or of tokens has a tokenizer: `data.text(\"FILE\", tokenizer = "
      "data.words(), window = 64)`";
  static const MemberWords advice = {
      {"decode", noTokenizer},
      {"encode", noTokenizer},
      {"num_samples", "the number of samples is `count`"},
      {"size", "the number of samples is `count`"},
      {"test", parts},
      {"train", parts},
      {"valid", parts},
      {"validation", parts},
  };
  return adviceIn(advice, name);
}

std::string foreignListMemberAdvice(const std::string &name) {
  static const MemberWords advice = {
      {"append", "lists never change: `xs + [x]` is a longer one, `[f(x) for x in xs]` makes one"},
      {"extend", "lists never change: `xs + ys` is both"},
      {"index", "`zip(0..len(xs), xs)` pairs elements with their positions"},
      {"length", "the number of elements is `len(xs)`"},
      {"pop", "lists never change: `xs[:-1]` is one without the last element"},
      {"push", "lists never change: `xs + [x]` is a longer one, `[f(x) for x in xs]` makes one"},
      {"size", "the number of elements is `len(xs)`"},
  };
  return adviceIn(advice, name);
}

std::string foreignLayerArgumentAdvice(const std::string &name) {
  constexpr const char *noBias =
      "a layer without a bias is a model of its own: `param w: f32[n, m] = xavier`, and `x @ w`";
  constexpr const char *weighted =
      "weights of classes or samples multiply the values: `let w = tensor([1, 5], f32)[labels]`, "
      "and "
      "`sum(w * cross_entropy(logits, labels, reduce = none)) / sum(w)`";
  static const MemberWords advice = {
      {"class_weight", weighted},
      {"class_weights", weighted},
      {"pos_weight", weighted},
      {"sample_weight", weighted},
      {"weight", weighted},
      {"weights", weighted},
      {"activation", "it is applied behind the layer: `x |> layer |> relu`"},
      {"bias", noBias},
      {"device", "the program says nothing of devices: leave it out, and see `dlmc --target`"},
      {"use_bias", noBias},
  };
  return adviceIn(advice, name);
}

std::string foreignTypeAdvice(const std::string &name) {
  static const std::set<std::string> tensors = {
      "Array",      "FloatTensor", "LongTensor", "NDArray",     "Tensor",
      "Variable",   "array",       "jax.Array",  "jnp.ndarray", "ndarray",
      "np.ndarray", "tensor",      "tf.Tensor",  "torch.Tensor"};
  static const MemberWords advice = {
      {"Callable", "the type of a function is written `fn(float) -> float`, or left out"},
      {"Any", "a type can be left out"},
      {"Module", "the type of a model is `model`, or left out"},
      {"Optimizer", "a type can be left out"},
      {"dict", "a record is of a type such as `(a: int, b: f32)`, or of none that is written"},
      {"list", "the type of a list is written `[int]`, or left out"},
      {"List", "the type of a list is written `[int]`, or left out"},
      {"str", "it is called `string`"},
      {"tuple", "a record is of a type such as `(a: int, b: f32)`, or of none that is written"},
  };
  if (tensors.count(name)) return "leave the type out, or write its shape: `x: f32[B, 6]`";
  std::string text = adviceIn(advice, name);
  bool isModel = text.empty() && name.find('.') != std::string::npos;
  return isModel ? "the type of a model is `model`, or left out" : text;
}

} // namespace dlm::sema
