// One row for each name. A row is not needed for a name that is spelt nearly as it is here.
#include "compiler/sema/modules/ForeignNames.h"

#include <map>
#include <set>

namespace dlm::sema {

namespace {

using Words = std::map<std::string, std::string>;

std::string lookUp(const Words &words, const std::string &name) {
  auto found = words.find(name);
  return found == words.end() ? "" : found->second;
}

} // namespace

std::string typeHere(const std::string &name) {
  static const Words words = {
      {"bfloat16", "bf16"}, {"double", "f64"}, {"float16", "f16"}, {"float32", "f32"},
      {"float64", "f64"},   {"half", "f16"},   {"int32", "i32"},   {"int64", "i64"},
      {"int8", "i8"},       {"uint32", "u32"}, {"uint8", "u8"},
  };
  return lookUp(words, name);
}

std::string foreignArgumentAdvice(const std::string &name) {
  static const Words words = {
      {"beta1", "both stand in one argument: `betas = (0.9, 0.999)`"},
      {"beta2", "both stand in one argument: `betas = (0.9, 0.999)`"},
      {"b1", "both stand in one argument: `betas = (0.9, 0.999)`"},
      {"b2", "both stand in one argument: `betas = (0.9, 0.999)`"},
  };
  return lookUp(words, name);
}

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
      {"axes", "over"},
      {"axis", "over"},
      {"correction", "ddof"},
      {"dim", "over"},
      {"dims", "over"},
      {"epsilon", "eps"},
      {"embed_dim", "width"},
      {"embedding_dim", "width"},
      {"eta_min", "floor"},
      {"fill_value", "value"},
      {"ignore_index", "ignore"},
      {"in_dim", "inputs"},
      {"in_features", "inputs"},
      {"in_size", "inputs"},
      {"input_dim", "inputs"},
      {"input_size", "inputs"},
      {"keep_dims", "keep"},
      {"keepdim", "keep"},
      {"keepdims", "keep"},
      {"l2", "weight_decay"},
      {"label_smoothing", "smoothing"},
      {"learning_rate", "lr"},
      {"max_lr", "peak"},
      {"maxval", "high"},
      {"min_lr", "floor"},
      {"minval", "low"},
      {"n_classes", "classes"},
      {"n_in", "inputs"},
      {"n_out", "outputs"},
      {"negative_slope", "slope"},
      {"normalized_shape", "width"},
      {"num_embeddings", "count"},
      {"num_heads", "heads"},
      {"num_classes", "classes"},
      {"num_warmup_steps", "warmup"},
      {"out_dim", "outputs"},
      {"out_features", "outputs"},
      {"out_size", "outputs"},
      {"output_dim", "outputs"},
      {"output_size", "outputs"},
      {"reduction", "reduce"},
      {"sigma", "std"},
      {"stddev", "std"},
      {"val_split", "validation"},
      {"validation_split", "validation"},
      {"warmup_steps", "warmup"},
      {"wd", "weight_decay"},
  };
  return lookUp(words, name);
}

std::string argumentNear(const std::string &name) {
  static const Words words = {
      {"T_max", "over"},         {"p", "rate"},
      {"activation", "act"},     {"atol", "tolerance"},
      {"base_lr", "peak"},       {"beta", "delta"},
      {"decay_steps", "over"},   {"end", "to"},
      {"gamma", "factor"},       {"hidden_size", "width"},
      {"init_value", "peak"},    {"initial", "peak"},
      {"layers", "sizes"},       {"mask", "where"},
      {"milestones", "at"},      {"num", "count"},
      {"num_features", "width"}, {"num_training_steps", "over"},
      {"rtol", "tolerance"},     {"scale", "std"},
      {"size", "shape"},         {"start", "from"},
      {"step_size", "every"},    {"tol", "tolerance"},
      {"total_steps", "over"},   {"val", "validation"},
      {"valid", "validation"},
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
      {"l1_loss", "l1"},
      {"mse_loss", "mse"},
      {"nil", "none"},
      {"null", "none"},
      {"one_hot_encode", "one_hot"},
      {"onehot", "one_hot"},
      {"smooth_l1", "huber"},
      {"smooth_l1_loss", "huber"},
      {"str", "string"},
      {"swish", "silu"},
      {"to_string", "string"},
      {"topk", "top_k"},
  };
  std::string here = lookUp(words, name);
  return here.empty() ? typeHere(name) : here;
}

namespace {

/// Layers, losses and schedules.
const Words &wordsOfModels() {
  constexpr const char *bothWays =
      "two layers of their own read both ways: `concat([a(x), flip(b(flip(x, over = 1)), over = "
      "1)], over = -1)`";
  static const Words words = {
      {"BiGRU", bothWays},
      {"BiLSTM", bothWays},
      {"BiRNN", bothWays},
      {"Bidirectional", bothWays},
      {"GRUCell",
       "a layer takes all steps at once; `nn.GRU(inputs, width).run(x, start)` starts from a "
       "state and gives the last one too, and `scan` is a loop over steps"},
      {"LSTMCell",
       "a layer takes all steps at once; `nn.LSTM(inputs, width).run(x, start)` starts "
       "from a state (h, c) and gives the last one too, and `scan` is a loop over steps"},
      {"RNN",
       "`nn.LSTM` and `nn.GRU` are the recurrent layers; any other is a model with a `scan`"},
      {"AveragedModel", "`ema(model, decay)` is the model with the average of its parameters"},
      {"BCEWithLogitsLoss", "losses are functions: `binary_cross_entropy_with_logits(x, y)`"},
      {"CosineAnnealing", "`schedule.cosine(peak, warmup = 100 steps)` falls along half a cosine, "
                          "`wsd` stays in between"},
      {"CosineAnnealingLR", "`schedule.cosine(peak, warmup = 100 steps)` falls along half a "
                            "cosine, `wsd` stays in between"},
      {"CosineDecay", "`schedule.cosine(peak, warmup = 100 steps)` falls along half a cosine, "
                      "`wsd` stays in between"},
      {"CrossEntropyLoss", "losses are functions: `cross_entropy(logits, labels)`"},
      {"EMA", "`ema(model, decay)` is the model with the average of its parameters"},
      {"ExponentialLR", "`schedule.step_decay(peak, every = 1 steps, factor = 0.99)` falls by a "
                        "factor in every step"},
      {"ExponentialMovingAverage",
       "`ema(model, decay)` is the model with the average of its parameters"},
      {"Flatten", "`reshape(x, [x.shape[0], n])` makes a row of n numbers of each sample"},
      {"KLDivLoss", "it is `kl_divergence(p, q)`: both are logits, and what q should become, p, "
                    "stands in front"},
      {"LRScheduler", "schedules are functions of the step, in the module `schedule`: `constant`, "
                      "`linear`, `cosine`, `step_decay`, `inverse_sqrt`, `wsd`, `chain`"},
      {"LambdaLR", "schedules are functions of the step, in the module `schedule`: `constant`, "
                   "`linear`, `cosine`, `step_decay`, `inverse_sqrt`, `wsd`, `chain`"},
      {"LinearLR", "`schedule.linear(from, to)` goes from one value to another"},
      {"MultiheadAttention", "it is `nn.Attention(width, heads)`, which is called with one tensor"},
      {"Module", "a function with stored parts is declared with `model`"},
      {"ModuleList", "a list holds models: `let layers = [nn.Linear(n, n) for _ in 0..4]`"},
      {"OneCycleLR", "`schedule.cosine(peak, warmup = 100 steps)` falls along half a cosine, `wsd` "
                     "stays in between"},
      {"Parameter", "a stored tensor is declared in a model: `param weight: f32[n, m] = xavier`"},
      {"Sequential",
       "`nn.Chain([a, b])` applies models in turn, and so does a list: `x |> [a, b]`"},
      {"StepLR", "`schedule.step_decay(peak, every = 1000 steps, factor = 0.1)` falls in steps"},
      {"TransformerEncoder", "it is `nn.Transformer(width, heads, layers)`: blocks one after "
                             "another, and a norm behind them"},
      {"TransformerEncoderLayer", "it is `nn.Block(width, heads)`: attention and an MLP, each with "
                                  "a norm and added to what it was given"},
      {"adam", "optimizers are in the module `optim`: `optim.Adam(lr = 1e-3)`"},
      {"cosine_decay", "`schedule.cosine(peak, warmup = 100 steps)` falls along half a cosine, "
                       "`wsd` stays in between"},
      {"cosine_schedule", "`schedule.cosine(peak, warmup = 100 steps)` falls along half a cosine, "
                          "`wsd` stays in between"},
      {"freeze", "`frozen(model)` is not trained"},
      {"get_cosine_schedule_with_warmup", "`schedule.cosine(peak, warmup = 100 steps)` falls along "
                                          "half a cosine, `wsd` stays in between"},
      {"lr_scheduler", "schedules are functions of the step, in the module `schedule`: `constant`, "
                       "`linear`, `cosine`, `step_decay`, `inverse_sqrt`, `wsd`, `chain`"},
      {"sequential",
       "`nn.Chain([a, b])` applies models in turn, and so does a list: `x |> [a, b]`"},
      {"warmup_cosine", "`schedule.cosine(peak, warmup = 100 steps)` falls along half a cosine, "
                        "`wsd` stays in between"},
  };
  return words;
}

/// Layers of images that have nothing to learn.
const Words &wordsOfWindows() {
  static const Words words = {
      {"AdaptiveAvgPool2d", "the mean of each channel over an image is `mean(x, over = (1, 2))`"},
      {"AvgPool1d", "windows have functions: `x |> avg_pool(2)`"},
      {"AvgPool2d", "windows have functions: `x |> avg_pool(2)`"},
      {"GlobalAveragePooling2D",
       "the mean of each channel over an image is `mean(x, over = (1, 2))`"},
      {"MaxPool1d", "windows have functions: `x |> max_pool(2)`"},
      {"MaxPool2D", "windows have functions: `x |> max_pool(2)`"},
      {"MaxPool2d", "windows have functions: `x |> max_pool(2)`"},
      {"MaxPooling2D", "windows have functions: `x |> max_pool(2)`"},
  };
  return words;
}

/// Tensors of random numbers, or of the shape of another.
const Words &wordsOfRandomness() {
  static const Words words = {
      {"full_like", "the shape of x is `x.shape`: `full(x.shape, 1.0)`"},
      {"gaussian", "`random.normal([n, m])` draws numbers; `mean` and `std` shift and scale them"},
      {"multinomial", "`random.categorical(logits)` draws the number of a class"},
      {"normal_like", "the shape of x is `x.shape`: `random.normal(x.shape)`"},
      {"ones_like", "the shape of x is `x.shape`: `ones(x.shape)`"},
      {"rand",
       "`random.uniform([n, m])` draws numbers from 0 to 1; `low` and `high` are its bounds"},
      {"rand_like", "the shape of x is `x.shape`: `random.uniform(x.shape)`"},
      {"randint", "`random.int(low, high, [n, m])` draws whole numbers"},
      {"randn",
       "`random.normal([n, m])` draws numbers anew each time; what is trained is a `param`: "
       "`param w: f32[n, m] = normal(std = 0.02)`"},
      {"randn_like", "the shape of x is `x.shape`: `random.normal(x.shape)`"},
      {"randperm", "`random.permutation(n)` is the numbers below n in an order of chance"},
      {"standard_normal",
       "`random.normal([n, m])` draws numbers; `mean` and `std` shift and scale them"},
      {"uniform_like", "the shape of x is `x.shape`: `random.uniform(x.shape)`"},
      {"zeros_like", "the shape of x is `x.shape`: `zeros(x.shape)`"},
  };
  return words;
}

/// What is done with tensors.
const Words &wordsOfTensors() {
  static const Words words = {
      {"arange", "`0..n` is the list of the numbers below n, `iota(n)` the tensor"},
      {"bmm", "`a @ b` multiplies matrices, also many side by side; `einsum(a, b, \"b i j, b j k "
              "-> b i k\")` names the axes"},
      {"chunk", "it is called `split`"},
      {"cumprod", "of positive numbers it is `exp(cumsum(log(x), over = -1))`"},
      {"dot", "the product of two vectors is `a @ b`"},
      {"flatten", "`reshape(x, [x.shape[0], n])` gives a tensor another shape"},
      {"float", "`cast(x, f32)` makes a tensor of real numbers"},
      {"int", "`floor(x)` rounds a number down; `cast(x, i32)` converts a tensor"},
      {"isnan", "`x != x` holds where an element is not a number"},
      {"linspace",
       "`iota(n)` is the whole numbers below n: `a + (b - a) / (n - 1) * cast(iota(n), f32)`"},
      {"masked_fill", "`where(mask, value, x)` replaces elements"},
      {"masked_select", "reductions take a mask: `sum(x, where = mask)`"},
      {"matmul", "matrices are multiplied by `a @ b`"},
      {"maximum", "`max(x, y)` is the larger of two; `max(x, over = -1)` that along an axis"},
      {"minimum", "`min(x, y)` is the smaller of two; `min(x, over = -1)` that along an axis"},
      {"mm", "matrices are multiplied by `a @ b`"},
      {"movedim", "`rearrange(x, \"a b c -> c a b\")` reorders axes"},
      {"newaxis", "an axis of size 1 is added by `new`: `x[:, new]`"},
      {"outer", "`a[:, new] * b[new, :]` is the product of each with each"},
      {"permute", "`rearrange(x, \"a b c -> c a b\")` reorders axes"},
      {"prod", "of positive numbers it is `exp(sum(log(x), over = -1))`"},
      {"repeat", "`expand(x, shape)` repeats a tensor along new axes"},
      {"square", "it is written `x ** 2`"},
      {"squeeze", "`x[:, 0]` drops an axis, `reshape` any of size 1"},
      {"swapaxes", "`rearrange(x, \"a b c -> a c b\")` reorders axes, and `x.T` turns a matrix"},
      {"tile", "`expand(x, shape)` repeats a tensor along new axes"},
      {"transpose",
       "`x.T` turns a matrix, and `rearrange(x, \"a b c -> a c b\")` reorders any axes"},
      {"unsqueeze", "an axis of size 1 is `x[:, new]` behind the first, `x[..., new]` behind all"},
      {"view", "`reshape(x, [x.shape[0], n])` gives a tensor another shape"},
  };
  return words;
}

/// Measures of how good predictions are.
const Words &wordsOfMetrics() {
  constexpr const char *f1 = "of bools p (predicted) and y (true) it is `2 * sum(cast(p and y, "
                             "f32)) / (sum(cast(p, f32)) + "
                             "sum(cast(y, f32)))`";
  constexpr const char *orders =
      "it does not add up over samples: `fn predict(batch)` and `./program predict --split test` "
      "write what other tools compute it from";
  static const Words words = {
      {"accuracy_score", "`accuracy(logits, labels)` is the share of right answers"},
      {"auc", orders},
      {"average_precision_score", orders},
      {"confusion_matrix", "`confusion(labels, predicted, classes)` counts the pairs"},
      {"f1", f1},
      {"f1_score", f1},
      {"log_loss", "`cross_entropy(logits, labels)` takes logits: leave the softmax out"},
      {"mae", "`l1(x, y)` is the mean absolute difference"},
      {"mean_absolute_error", "`l1(x, y)` is the mean absolute difference"},
      {"mean_squared_error", "`mse(x, y)` is the mean squared difference"},
      {"median", orders},
      {"nanmean", "a mask leaves elements out: `mean(x, where = present)`"},
      {"percentile", orders},
      {"precision_score",
       "of bools p (predicted) and y (true) it is `sum(cast(p and y, f32)) / sum(cast(p, f32))`"},
      {"quantile", orders},
      {"r2", "it is `1 - mse(prediction, y) / var(y)`"},
      {"r2_score", "it is `1 - mse(prediction, y) / var(y)`"},
      {"recall_score",
       "of bools p (predicted) and y (true) it is `sum(cast(p and y, f32)) / sum(cast(y, f32))`"},
      {"rmse", "it is `sqrt(mse(x, y))`"},
      {"roc_auc_score", orders},
  };
  return words;
}

/// How other libraries read data, and what they do with it.
const Words &wordsOfData() {
  constexpr const char *parts =
      "parts are cut off by the source: `data.csv(\"FILE\", target = \"COLUMN\", validation = 10%, "
      "test = 10%)`";
  constexpr const char *scaled =
      "`data.fit` computes it from the training samples: `buffer centre: f32[n] = "
      "data.fit(columns, fn(c) { mean(c.number) })`, and `(x - centre) / spread`";
  constexpr const char *ids =
      "a column of names is read as numbers of a category: `batch.category`";
  static const Words words = {
      {"DataFrame", "`data.csv(\"FILE\", target = \"COLUMN\")` reads a table"},
      {"DataLoader", "a train block loads by itself: `data = source` and `batch = 64` in it"},
      {"Dataset", "`data.csv`, `data.npy`, `data.jsonl`, `data.images` and others read files"},
      {"ImageFolder", "`data.images(\"FOLDER\", validation = 10%)` reads it"},
      {"LabelEncoder", ids},
      {"MinMaxScaler", scaled},
      {"OneHotEncoder", ids},
      {"StandardScaler", scaled},
      {"TensorDataset",
       "`data.csv`, `data.npy`, `data.jsonl`, `data.images` and others read files"},
      {"array", "`tensor([[1, 2], [3, 4]])` is made of numbers"},
      {"asarray", "`tensor([[1, 2], [3, 4]])` is made of numbers"},
      {"from_numpy", "`data.npy(\"FILE.npz\")` reads arrays of samples"},
      {"load_dataset", "`data.csv`, `data.jsonl`, `data.text` and others read files"},
      {"loadtxt", "`data.csv(\"FILE\", target = \"COLUMN\")` reads a table"},
      {"manual_seed", "it is a setting of the train block: `seed = 1`"},
      {"random_split", parts},
      {"read_csv", "`data.csv(\"FILE\", target = \"COLUMN\")` reads a table"},
      {"read_json", "`data.jsonl(\"FILE\")` reads a JSON object from each line"},
      {"train_test_split", parts},
  };
  return words;
}

constexpr const char *stepsItself =
    "the train block computes gradients and takes its steps by itself: leave it out";

/// Whatever else a language has.
const Words &wordsOfPython() {
  static const Words words = {
      {"backward", stepsItself},
      {"break", "`scan` and `fold` end early by `until`"},
      {"continue", "there are no loops: `scan` and `fold` carry a value"},
      {"enumerate", "`zip(0..len(xs), xs)` pairs elements with their positions"},
      {"inf",
       "no number is written so: a large one such as `1e30` does, or a mask: `where = mask`"},
      {"kl_div", "it is `kl_divergence(p, q)`: both are logits, and what q should become, p, "
                 "stands in front"},
      {"nan", "no number is written so: `x != x` holds where an element is not a number"},
      {"nll_loss", "`cross_entropy(logits, labels)` takes the logits as they are: leave "
                   "`log_softmax` out"},
      {"no_grad", "gradients stop at `stop_gradient(x)`"},
      {"optimizer", stepsItself},
      {"pass", "an empty block is `{ }`"},
      {"pi", "it is 3.141592653589793"},
      {"print", "programs print nothing; `fn metrics(batch)` gives numbers to report"},
      {"range", "`0..n` is the list of the numbers below n"},
      {"self", "the members of a model see each other by their plain names"},
      {"super", "the members of a model see each other by their plain names"},
  };
  return words;
}

} // namespace

std::string foreignNameAdvice(const std::string &name) {
  if (std::string here = nameHere(name); !here.empty()) return "it is written `" + here + "`";
  for (const Words *words : {&wordsOfModels(), &wordsOfWindows(), &wordsOfMetrics(), &wordsOfData(),
                             &wordsOfRandomness(), &wordsOfTensors(), &wordsOfPython()})
    if (std::string advice = lookUp(*words, name); !advice.empty()) return advice;
  return "";
}

std::string foreignMemberAdvice(const std::string &name) {
  static const Words advice = {
      {"astype", "`cast(x, f32)` gives a tensor another element type"},
      {"backward",
       "the run follows the gradient of `loss` by itself; `grad(f)` is one inside of a loss"},
      {"choice",
       "`random.categorical(logits)` draws the number of a class, `random.int(0, n, [k])` any"},
      {"clone", "values never change, so there is nothing to copy"},
      {"contiguous", "how a tensor lies in memory is not for the program to say"},
      {"cpu", "the program says nothing of devices: `dlmc --target` does"},
      {"cuda", "the program says nothing of devices: `dlmc --target` does"},
      {"detach", "gradients stop at `stop_gradient(x)`"},
      {"dim", "the number of its axes is `x.rank`, their sizes `x.shape`"},
      {"double", "`cast(x, f64)` gives a tensor another element type"},
      {"float", "`cast(x, f32)` gives a tensor another element type"},
      {"half", "`cast(x, f16)` gives a tensor another element type"},
      {"item", "a tensor without axes is a number already"},
      {"load_state_dict", "`weights(model, file)` starts a model from a file"},
      {"long", "`cast(x, i64)` gives a tensor another element type"},
      {"mT", "`rearrange(x, \"a b c -> a c b\")` reorders axes, and `x.T` turns a matrix"},
      {"ndim", "the number of its axes is `x.rank`"},
      {"nelement", "the number of its elements is `size(x)`"},
      {"numel", "the number of its elements is `size(x)`"},
      {"pi", "it is 3.141592653589793"},
      {"requires_grad", "`frozen(model)` is not trained, and gradients stop at `stop_gradient(x)`"},
      {"shuffle", "`x[random.permutation(n)]` takes rows in an order of chance"},
      {"state_dict",
       "parameters are saved by `checkpoint { }`, and start from a file by `weights(model, file)`"},
      {"t", "`x.T` turns a matrix"},
      {"to", "`cast(x, f32)` gives a tensor another element type"},
      {"type", "`cast(x, f32)` gives a tensor another element type"},
      {"zero_grad", "gradients are made anew in each step"},
  };
  std::string text = lookUp(advice, name);
  return text.empty() ? foreignNameAdvice(name) : text;
}

bool isForeignModule(const std::string &name) {
  static const std::set<std::string> names = {"F",  "functional", "jax",        "jnp", "math",
                                              "np", "numpy",      "pandas",     "pd",  "sklearn",
                                              "tf", "torch",      "torchvision"};
  return names.count(name) != 0;
}

} // namespace dlm::sema
