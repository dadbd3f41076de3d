// Functions of windows that move over a tensor: convolutions and what pools. The first axis counts
// samples, the last one channels, and windows move over all axes between them.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <limits>

namespace dlm::sema {

namespace {

using Numbers = std::vector<int64_t>; // one for each axis that windows move over
constexpr int64_t StepMax = 1 << 20;  // of a stride, padding, dilation or size of a window

std::string countText(size_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// One call of such a function.
class WindowCall {
public:
  WindowCall(Evaluator &evaluator, const BuiltinCall &call)
      : evaluator(evaluator), call(call), tensors(evaluator.tensors), name(call.builtin.name) {}

  Value convolve();
  Value convolveTransposed();
  Value pool(bool isMaximum);
  Value windows();

private:
  bool readTensor(size_t axes);
  std::optional<Numbers> perAxis(const std::string &parameter, int64_t least, Numbers byDefault);
  bool readWindows(const Numbers &sizes, const Numbers &strides);
  bool readWeight();
  bool placeWindows();
  Tensor windowsOf(const Tensor &of, const Numbers &before);
  Tensor padded();
  Tensor overWindows(const std::string &kind, const Tensor &parts);
  Value product(const std::string &op);
  struct Refusal;
  Refusal refuse(Kind kind, const Operand &argument, const std::string &message) const;
  Operand argument(const std::string &parameter) const;

  Evaluator &evaluator;
  const BuiltinCall &call;
  TensorWriter &tensors;
  std::string name;
  size_t count = 0; // of the axes that windows move over
  Tensor x, weight;
  int64_t groups = 1;
  Numbers size, stride, padding, dilation;
  std::vector<Dim> places; // of windows, as the axes of the result
};

/// What was given, or the whole call.
Operand WindowCall::argument(const std::string &parameter) const {
  const Operand *given = call.find(parameter);
  if (given) return *given;
  Operand whole;
  whole.span = call.span;
  return whole;
}

/// Reports, and says what x is.
struct WindowCall::Refusal : Report {
  Refusal(const WindowCall &windows, Kind kind, const Operand &argument, const std::string &message)
      : Report(windows.evaluator.report, kind, argument.span, message) {
    const Operand &subject = windows.call[0];
    std::string type = "is `" + typeText(windows.x.type) + "`";
    if (argument.span.begin == subject.span.begin)
      label(subject.span, type);
    else
      secondary(subject.span, type);
  }
};

WindowCall::Refusal WindowCall::refuse(Kind kind, const Operand &argument,
                                       const std::string &message) const {
  return Refusal(*this, kind, argument, message);
}

/// x, with `axes` axes between the first and the last; 0: any number of them.
bool WindowCall::readTensor(size_t axes) {
  std::optional<Tensor> given = evaluator.needTensor(call[0], "what `" + name + "` goes over");
  if (!given) return false;
  x = *given;
  size_t rank = x.type.dims.size();
  if (axes ? rank != axes + 2 : rank < 3) {
    std::string wanted = axes == 1   ? "3 axes, [batch, length, channels]"
                         : axes == 2 ? "4 axes, [batch, height, width, channels]"
                                     : "at least 3 axes, [batch, ..., channels]";
    refuse(Kind::ShapeMismatch, call[0],
           "`" + name + "` takes a tensor of " + wanted + ", and this has " + std::to_string(rank))
        .help(rank == 3 && axes == 2 ? "images of one channel get their last axis by `x[..., new]`"
                                     : "");
    return false;
  }
  count = rank - 2;
  if (!isReal(x.type.dtype)) {
    refuse(Kind::DtypeMismatch, call[0],
           "`" + name + "` has no meaning for `" + dtypeName(x.type.dtype) + "`")
        .helpCast("it", call[0].span);
    return false;
  }
  for (size_t axis = 1; axis < rank; ++axis) {
    if (x.type.dims[axis].isWhole()) continue;
    refuse(Kind::ShapeMismatch, call[0],
           "`" + name + "` needs sizes that are known when the program is compiled, and axis " +
               std::to_string(axis) + " is `" + dimText(x.type.dims[axis]) + "`")
        .note("only the first axis, that of the samples, may be open");
    return false;
  }
  tensors.span = call.span;
  return true;
}

/// A number for each axis: one for all of them, or a list. Nothing means reported.
std::optional<Numbers> WindowCall::perAxis(const std::string &parameter, int64_t least,
                                           Numbers byDefault) {
  const Operand *given = call.find(parameter);
  if (!given || given->value.is(ValueKind::None)) return byDefault;
  std::vector<Value> sides(count, given->value);
  if (given->value.is(ValueKind::List)) sides = given->value.asList();
  if (given->value.is(ValueKind::Record)) {
    sides.clear();
    for (const auto &field : given->value.asRecord().fields)
      sides.push_back(field.second);
  }
  if (sides.size() != count) {
    refuse(Kind::TypeMismatch, *given,
           "`" + parameter + "` is a number, or one for each of the " +
               (count == 1 ? "axis" : std::to_string(count) + " axes") +
               " that windows move over, and here are " + std::to_string(sides.size()));
    return std::nullopt;
  }
  Numbers numbers;
  for (const Value &side : sides) {
    std::optional<int64_t> number =
        evaluator.needInt({side, nullptr, given->span}, "`" + parameter + "`");
    if (!number) return std::nullopt;
    if (*number < least || *number > StepMax) {
      bool isSmall = *number < least;
      evaluator.report(Kind::BadSize, given->span,
                       "`" + parameter + (isSmall ? "` is at least " : "` is at most ") +
                           std::to_string(isSmall ? least : StepMax) + ", and this is " +
                           std::to_string(*number));
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  return numbers;
}

bool WindowCall::readWindows(const Numbers &sizes, const Numbers &strides) {
  size = sizes;
  std::optional<Numbers> steps = perAxis("stride", 1, strides);
  std::optional<Numbers> before = steps ? perAxis("padding", 0, Numbers(count, 0)) : std::nullopt;
  std::optional<Numbers> between =
      before ? perAxis("dilation", 1, Numbers(count, 1)) : std::nullopt;
  if (!between) return false;
  stride = *steps;
  padding = *before;
  dilation = *between;
  return true;
}

/// The weight [windows.., channels of a group, outputs], and the groups.
bool WindowCall::readWeight() {
  const Operand &given = call[1];
  std::optional<Tensor> tensor = evaluator.needTensor(given, "the weight of `" + name + "`");
  if (!tensor) return false;
  weight = *tensor;
  std::string wanted =
      count == 1 ? "[length, inputs, outputs]" : "[height, width, inputs, outputs]";
  const std::vector<Dim> &dims = weight.type.dims;
  bool isKnown =
      std::all_of(dims.begin(), dims.end(), [](const Dim &dim) { return dim.isWhole(); });
  if (dims.size() != count + 2 || !isKnown) {
    refuse(Kind::ShapeMismatch, given, "the weight of `" + name + "` is " + wanted)
        .label(given.span, "is `" + typeText(weight.type) + "`");
    return false;
  }
  if (weight.type.dtype != x.type.dtype) {
    refuse(Kind::DtypeMismatch, given,
           "`" + name + "` meets `" + dtypeName(x.type.dtype) + "` and `" +
               dtypeName(weight.type.dtype) + "`")
        .label(given.span, "is `" + typeText(weight.type) + "`");
    return false;
  }
  if (const Operand *parts = call.find("groups")) {
    std::optional<int64_t> number = evaluator.needInt(*parts, "`groups`");
    if (!number) return false;
    groups = *number;
  }
  int64_t channels = x.type.dims.back().size(), inputs = dims[count].size();
  int64_t outputs = dims[count + 1].size();
  if (groups < 1 || channels % groups != 0 || outputs % groups != 0) {
    refuse(Kind::BadSize, argument("groups"),
           "`groups` divides the " + countText(size_t(channels), "channel") + " and the " +
               countText(size_t(outputs), "output") + ", and " + std::to_string(groups) +
               " does not");
    return false;
  }
  if (inputs * groups != channels) {
    std::string each = groups == 1 ? "" : " in each of " + std::to_string(groups) + " groups";
    refuse(Kind::ShapeMismatch, given,
           "the weight of `" + name + "` takes " + countText(size_t(inputs), "channel") + each +
               ", and the tensor has " + std::to_string(channels))
        .label(given.span, "is `" + typeText(weight.type) + "`");
    return false;
  }
  size.clear();
  for (size_t i = 0; i < count; ++i)
    size.push_back(dims[i].size());
  return true;
}

/// How many windows there are along each axis.
bool WindowCall::placeWindows() {
  for (size_t i = 0; i < count; ++i) {
    int64_t length = x.type.dims[i + 1].size() + 2 * padding[i];
    int64_t reach = dilation[i] * (size[i] - 1) + 1;
    if (reach > length) {
      refuse(Kind::ShapeMismatch, Operand{{}, nullptr, call.span},
             "a window of `" + name + "` spans " + std::to_string(reach) + " along axis " +
                 std::to_string(i + 1) + ", which has " + std::to_string(length) +
                 (padding[i] ? " with its padding" : ""))
          .help(padding[i] ? "" : "`padding` makes the axis longer on both sides");
      return false;
    }
    places.push_back(Dim::whole((length - reach) / stride[i] + 1));
  }
  return true;
}

/// What windows see: [batch, windows.., places in a window.., channels], and zeros outside.
Tensor WindowCall::windowsOf(const Tensor &of, const Numbers &before) {
  Node node;
  node.op = "windows";
  node.ints = {1};
  for (const Numbers *numbers : {&std::as_const(stride), &std::as_const(dilation), &before})
    node.ints.insert(node.ints.end(), numbers->begin(), numbers->end());
  node.type.dtype = of.type.dtype;
  node.type.dims = {of.type.dims.front()};
  node.type.dims.insert(node.type.dims.end(), places.begin(), places.end());
  for (int64_t each : size)
    node.type.dims.push_back(Dim::whole(each));
  node.type.dims.push_back(of.type.dims.back());
  return tensors.emit(std::move(node), {of});
}

/// x with less than every number around it.
Tensor WindowCall::padded() {
  Node node;
  node.op = "pad";
  node.number = -std::numeric_limits<double>::infinity();
  node.type = x.type;
  for (size_t i = 0; i < count; ++i) {
    if (padding[i] == 0) continue;
    Dim &dim = node.type.dims[i + 1];
    dim = Dim::whole(dim.size() + 2 * padding[i]);
    node.ints.insert(node.ints.end(), {int64_t(i + 1), padding[i], padding[i]});
  }
  return node.ints.empty() ? x : tensors.emit(std::move(node), {x});
}

/// Reduces each window to one element.
Tensor WindowCall::overWindows(const std::string &kind, const Tensor &parts) {
  Node node;
  node.op = "reduce";
  node.text = kind;
  node.type.dtype = parts.type.dtype;
  for (size_t axis = 0; axis < parts.type.dims.size(); ++axis) {
    bool isInside = axis > count && axis <= 2 * count;
    if (isInside)
      node.ints.push_back(int64_t(axis));
    else
      node.type.dims.push_back(parts.type.dims[axis]);
  }
  node.number = kind == "max"; // the gradient goes to the first of equals
  return tensors.emit(std::move(node), {parts});
}

Value WindowCall::pool(bool isMaximum) {
  if (!readTensor(0)) return Value();
  std::optional<Numbers> sizes = perAxis("size", 1, {});
  if (!sizes || !readWindows(*sizes, *sizes)) return Value();
  for (size_t i = 0; i < count; ++i)
    if (padding[i] >= size[i]) {
      refuse(Kind::BadSize, argument("padding"),
             "a window of " + std::to_string(size[i]) + " would see nothing but the padding of " +
                 std::to_string(padding[i]));
      return Value();
    }
  if (!placeWindows()) return Value();
  if (isMaximum) return Value::tensor(overWindows("max", windowsOf(padded(), Numbers(count, 0))));
  Tensor sum = overWindows("add", windowsOf(x, padding));
  int64_t elements = 1;
  for (int64_t each : size)
    elements *= each;
  bool isPadded = std::any_of(padding.begin(), padding.end(), [](int64_t n) { return n > 0; });
  if (!isPadded)
    return Value::tensor(
        tensors.binary("div", sum, tensors.constant(double(elements), x.type.dtype)));
  // Windows at the border see fewer elements.
  std::vector<Dim> dims = x.type.dims;
  dims.front() = dims.back() = Dim::one();
  Tensor seen =
      overWindows("add", windowsOf(tensors.constant(1, x.type.dtype, std::move(dims)), padding));
  std::vector<Dim> table = places;
  table.push_back(Dim::one());
  seen = tensors.stretch(tensors.reshape(seen, std::move(table)), sum.type.dims);
  return Value::tensor(tensors.binary("div", sum, seen));
}

Value WindowCall::windows() {
  if (!readTensor(0)) return Value();
  std::optional<Numbers> sizes = perAxis("size", 1, {});
  if (!sizes || !readWindows(*sizes, Numbers(count, 1)) || !placeWindows()) return Value();
  return Value::tensor(windowsOf(x, padding));
}

Value WindowCall::product(const std::string &op) {
  Node node;
  node.op = op;
  node.ints = {groups};
  for (const Numbers *numbers : {&stride, &dilation, &padding})
    node.ints.insert(node.ints.end(), numbers->begin(), numbers->end());
  node.type.dtype = x.type.dtype;
  node.type.dims = {x.type.dims.front()};
  node.type.dims.insert(node.type.dims.end(), places.begin(), places.end());
  node.type.dims.push_back(weight.type.dims.back());
  return Value::tensor(tensors.emit(std::move(node), {x, weight}));
}

Value WindowCall::convolve() {
  if (!readTensor(name == "conv1d" ? 1 : 2) || !readWeight() ||
      !readWindows(size, Numbers(count, 1)) || !placeWindows())
    return Value();
  return product("convolution");
}

Value WindowCall::convolveTransposed() {
  if (!readTensor(name == "conv_transpose1d" ? 1 : 2) || !readWeight() ||
      !readWindows(size, Numbers(count, 1)))
    return Value();
  std::optional<Numbers> more = perAxis("output_padding", 0, Numbers(count, 0));
  if (!more) return Value();
  for (size_t i = 0; i < count; ++i) {
    int64_t span = (x.type.dims[i + 1].size() - 1) * stride[i] + dilation[i] * (size[i] - 1) + 1;
    int64_t length = span - 2 * padding[i] + (*more)[i];
    if ((*more)[i] >= stride[i] && (*more)[i] > 0) {
      refuse(Kind::BadSize, argument("output_padding"),
             "`output_padding` is below `stride`, which is " + std::to_string(stride[i]));
      return Value();
    }
    if (length < 1) {
      refuse(Kind::BadSize, argument("padding"),
             "the padding of " + std::to_string(padding[i]) + " takes all " + std::to_string(span) +
                 " places off");
      return Value();
    }
    places.push_back(Dim::whole(length));
  }
  return product("convolution_transpose");
}

Value runConvolve(Evaluator &evaluator, const BuiltinCall &call) {
  return WindowCall(evaluator, call).convolve();
}

Value runConvolveTransposed(Evaluator &evaluator, const BuiltinCall &call) {
  return WindowCall(evaluator, call).convolveTransposed();
}

Value runMaxPool(Evaluator &evaluator, const BuiltinCall &call) {
  return WindowCall(evaluator, call).pool(true);
}

Value runAvgPool(Evaluator &evaluator, const BuiltinCall &call) {
  return WindowCall(evaluator, call).pool(false);
}

Value runWindows(Evaluator &evaluator, const BuiltinCall &call) {
  return WindowCall(evaluator, call).windows();
}

constexpr const char *convolution = "x, weight, stride?, padding?, dilation?, groups?";
constexpr const char *transposed =
    "x, weight, stride?, padding?, dilation?, groups?, output_padding?";

} // namespace

const BuiltinTable &windowBuiltins() {
  static const BuiltinTable table = {
      {"conv1d", convolution, runConvolve},
      {"conv2d", convolution, runConvolve},
      {"conv_transpose1d", transposed, runConvolveTransposed},
      {"conv_transpose2d", transposed, runConvolveTransposed},
      {"max_pool", "x, size, stride?, padding?", runMaxPool},
      {"avg_pool", "x, size, stride?, padding?", runAvgPool},
      {"windows", "x, size, stride?, padding?, dilation?", runWindows},
  };
  return table;
}

} // namespace dlm::sema
