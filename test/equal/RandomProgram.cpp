// Draws ops one after the other among those whose operands exist.
#include "test/equal/RandomProgram.h"

#include "runtime/base/Philox.h"

#include <algorithm>
#include <vector>

namespace dlm::test {

namespace {

struct Typed {
  std::string name, element;
  std::vector<int64_t> shape;
};

class Generator {
public:
  explicit Generator(uint32_t seed) : seed(seed) {}
  std::string run(unsigned opCount);

private:
  unsigned draw(unsigned count);
  static std::string typeText(const Typed &value);
  const Typed &pick(const std::string &element);
  const Typed *pickLike(const Typed &other);
  Typed &add(const std::string &element, const std::vector<int64_t> &shape);
  void line(const std::string &text) { body += "  " + text + "\n"; }
  void unary();
  void binary();
  void select();
  void broadcast();
  void move();
  void reduce();
  void product();
  void source();
  void flat();
  void fence();
  void part();
  void join();
  void choose();
  void windows();
  void overlap();
  void loop();
  void step();

  uint32_t seed;
  uint64_t drawn = 0;
  unsigned named = 0;
  unsigned depth = 0; // of the loops around what is made
  std::string seedName = "%seed";
  std::vector<Typed> values;
  std::string body;
};

unsigned Generator::draw(unsigned count) {
  unsigned value = unsigned(randomUniform({seed, 0, 99, drawn++}) * float(count));
  return std::min(value, count - 1);
}

std::string Generator::typeText(const Typed &value) {
  std::string text = "tensor<";
  for (int64_t size : value.shape)
    text += std::to_string(size) + "x";
  return text + value.element + ">";
}

/// A value of that element type; now and then one of the last few.
const Typed &Generator::pick(const std::string &element) {
  std::vector<const Typed *> fitting;
  for (const Typed &value : values)
    if (value.element == element) fitting.push_back(&value);
  unsigned recent = std::min<unsigned>(fitting.size(), 4);
  if (draw(4) == 0) return *fitting[fitting.size() - 1 - draw(recent)];
  return *fitting[draw(fitting.size())];
}

const Typed *Generator::pickLike(const Typed &other) {
  std::vector<const Typed *> fitting;
  for (const Typed &value : values)
    if (value.element == other.element && value.shape == other.shape) fitting.push_back(&value);
  return fitting[draw(fitting.size())];
}

Typed &Generator::add(const std::string &element, const std::vector<int64_t> &shape) {
  values.push_back({"%v" + std::to_string(named++), element, shape});
  return values.back();
}

void Generator::unary() {
  static const char *names[] = {"neg", "abs", "tanh", "relu", "erf", "floor", "sin", "sign"};
  Typed x = pick("f32");
  Typed &r = add("f32", x.shape);
  line(r.name + " = dlm." + names[draw(8)] + " " + x.name + " : " + typeText(x));
}

void Generator::binary() {
  static const char *names[] = {"add", "sub", "max", "min"};
  Typed x = pick("f32"), y = *pickLike(x);
  Typed &r = add("f32", x.shape);
  line(r.name + " = dlm." + names[draw(4)] + " " + x.name + ", " + y.name + " : " + typeText(x));
}

void Generator::select() {
  Typed x = pick("f32"), y = *pickLike(x), z = *pickLike(x);
  Typed c = add("i1", x.shape);
  line(c.name + " = dlm.compare lt " + x.name + ", " + y.name + " : " + typeText(x));
  Typed &r = add("f32", x.shape);
  line(r.name + " = dlm.select " + c.name + ", " + z.name + ", " + x.name + " : " + typeText(x));
}

void Generator::broadcast() {
  Typed x = pick("f32");
  if (x.shape.size() > 2) return;
  std::vector<int64_t> shape = x.shape;
  unsigned at = draw(unsigned(shape.size()) + 1);
  shape.insert(shape.begin() + at, draw(2) ? 5 : 12);
  std::string dims;
  for (unsigned i = 0; i < x.shape.size(); ++i)
    dims += (i ? ", " : "") + std::to_string(i < at ? i : i + 1);
  Typed &r = add("f32", shape);
  line(r.name + " = dlm.broadcast " + x.name + " dims [" + dims + "] : " + typeText(x) + " -> " +
       typeText(r));
}

void Generator::move() {
  Typed x = pick("f32");
  if (draw(2) && x.shape.size() >= 2) {
    std::vector<int64_t> shape(x.shape.rbegin(), x.shape.rend());
    std::string order;
    for (size_t i = 0; i < shape.size(); ++i)
      order += (i ? ", " : "") + std::to_string(shape.size() - 1 - i);
    Typed &r = add("f32", shape);
    line(r.name + " = dlm.transpose " + x.name + " permutation [" + order + "] : " + typeText(x) +
         " -> " + typeText(r));
    return;
  }
  std::vector<int64_t> shape = x.shape;
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  if (draw(2) || shape.size() < 2)
    shape = count % 4 ? std::vector<int64_t>{count} : std::vector<int64_t>{4, count / 4};
  else
    shape = {shape[0], count / shape[0]};
  Typed &r = add("f32", shape);
  line(r.name + " = dlm.reshape " + x.name + " : " + typeText(x) + " -> " + typeText(r));
}

void Generator::reduce() {
  Typed x = pick("f32");
  if (x.shape.empty()) return;
  static const char *names[] = {"add", "max", "min"};
  bool inner = draw(2);
  unsigned rank = unsigned(x.shape.size()), count = 1 + draw(rank);
  inner |= count == rank;
  unsigned first = inner ? rank - count : draw(rank - count);
  std::string dims;
  std::vector<int64_t> kept;
  for (unsigned i = 0; i < rank; ++i) {
    bool reduced = i >= first && i < first + count;
    if (reduced)
      dims += (dims.empty() ? "" : ", ") + std::to_string(i);
    else
      kept.push_back(x.shape[i]);
  }
  Typed &r = add("f32", kept);
  line(r.name + " = dlm.reduce " + names[draw(3)] + " " + x.name + " dims [" + dims +
       "] {tree = #dlm.tree<lanes = " + (inner ? "128, chunk = 2048" : "1, chunk = 64") +
       ">} : " + typeText(x) + " -> " + typeText(r));
}

void Generator::product() {
  Typed x = pick("f32");
  if (x.shape.size() != 2) return;
  Typed y = *pickLike(x);
  bool left = draw(2);
  int64_t size = left ? x.shape[1] : x.shape[0];
  Typed &r = add("f32", {size, size});
  line(r.name + " = dlm.matmul " + x.name + ", " + y.name +
       (left ? " transposeLhs" : " transposeRhs") + " {chain = #dlm.chain<splits = 1>} : " +
       typeText(x) + ", " + typeText(y) + " -> " + typeText(r));
  Typed &t = add("f32", {size, size}); // keeps chains of products small
  line(t.name + " = dlm.tanh " + values[values.size() - 2].name + " : " + typeText(t));
}

void Generator::source() {
  Typed like = pick("f32");
  Typed &r = add("f32", like.shape);
  if (draw(2) && !like.shape.empty())
    line(r.name + " = dlm.iota dim " + std::to_string(draw(unsigned(like.shape.size()))) + " : " +
         typeText(r));
  else if (draw(2))
    line(r.name + " = dlm.random uniform " + seedName + ", " + seedName + " site " +
         std::to_string(named) + " : " + typeText(r));
  else
    line(r.name + " = dlm.constant dense<0.25> : " + typeText(r));
}

void Generator::flat() {
  Typed x = pick("f32"), y = pick("f32");
  int64_t a = 1, b = 1;
  for (int64_t size : x.shape)
    a *= size;
  for (int64_t size : y.shape)
    b *= size;
  Typed r = add("f32", {a + b + 6});
  line(r.name + " = dlm.pack " + x.name + ", " + y.name + " offsets [2, " + std::to_string(a + 4) +
       "] : " + typeText(x) + ", " + typeText(y) + " -> " + typeText(r));
  Typed &s = add("f32", {b + 1});
  line(s.name + " = dlm.segment " + r.name + " offset " + std::to_string(a + 3) + " : " +
       typeText(r) + " -> " + typeText(s));
}

void Generator::fence() {
  Typed x = pick("f32"), y = pick("f32");
  Typed &r = add("f32", x.shape);
  line(r.name + " = dlm.fence " + x.name + " after " + y.name + " : " + typeText(x) + " after " +
       typeText(y));
}

/// A slice, a pad or a flip along one dim.
void Generator::part() {
  Typed x = pick("f32");
  if (x.shape.empty()) return;
  unsigned dim = draw(unsigned(x.shape.size())), kind = draw(3);
  std::vector<int64_t> shape = x.shape, begins(shape.size(), 0);
  if (kind == 0) {
    shape[dim] = 1 + draw(unsigned(shape[dim]));
    begins[dim] = draw(unsigned(x.shape[dim] - shape[dim] + 1));
  } else if (kind == 1) {
    begins[dim] = draw(3);
    shape[dim] += begins[dim] + draw(3);
  }
  std::string entries;
  for (int64_t begin : begins)
    entries += (entries.empty() ? "" : ", ") + std::to_string(begin);
  Typed &r = add("f32", shape);
  if (kind == 2)
    line(r.name + " = dlm.flip " + x.name + " dims [" + std::to_string(dim) + "] : " + typeText(x));
  else
    line(r.name + " = dlm." + (kind ? "pad " : "slice ") + x.name +
         (kind ? " low [" : " begins [") + entries + (kind ? "] value 0.5 : " : "] : ") +
         typeText(x) + " -> " + typeText(r));
}

void Generator::join() {
  Typed x = pick("f32"), y = *pickLike(x);
  if (x.shape.empty()) return;
  unsigned dim = draw(unsigned(x.shape.size()));
  unsigned count = draw(4) ? 2 : 9; // many are joined in memory
  int64_t elements = count;
  for (int64_t size : x.shape)
    elements *= size;
  if (elements > 3000) return;
  std::vector<int64_t> shape = x.shape;
  shape[dim] *= count;
  std::string names = x.name, types = typeText(x);
  for (unsigned i = 1; i < count; ++i) {
    names += ", " + (i % 2 ? y : x).name;
    types += ", " + typeText(x);
  }
  Typed &r = add("f32", shape);
  line(r.name + " = dlm.concat " + names + " dim " + std::to_string(dim) + " : " + types + " -> " +
       typeText(r));
}

/// A gather and a sum by the same ids, some of which are no index.
void Generator::choose() {
  Typed x = pick("f32");
  if (x.shape.empty()) return;
  unsigned dim = draw(unsigned(x.shape.size()));
  std::vector<int64_t> shape(x.shape.begin(), x.shape.begin() + dim);
  shape.push_back(1 + draw(7));
  Typed scaled = add("f32", shape), ids = add("i32", shape);
  line(scaled.name + " = dlm.random uniform " + seedName + ", " + seedName + " site " +
       std::to_string(named) + " : " + typeText(scaled));
  std::string large = scaled.name + "l", many = scaled.name + "m";
  line(many + " = dlm.constant dense<" + std::to_string(x.shape[dim]) +
       ".2> : " + typeText(scaled));
  line(large + " = dlm.mul " + scaled.name + ", " + many + " : " + typeText(scaled));
  line(ids.name + " = dlm.cast " + large + " : " + typeText(scaled) + " -> " + typeText(ids));
  shape.insert(shape.end(), x.shape.begin() + dim + 1, x.shape.end());
  Typed r = add("f32", shape);
  std::string by = ", " + ids.name + " dim " + std::to_string(dim) + " : ";
  line(r.name + " = dlm.gather " + x.name + by + typeText(x) + ", " + typeText(ids) + " -> " +
       typeText(r));
  Typed &s = add("f32", x.shape);
  line(s.name + " = dlm.scatter_add " + r.name + by + typeText(r) + ", " + typeText(ids) + " -> " +
       typeText(s));
}

/// Windows over one dim; those of four dims are reduced at once.
void Generator::windows() {
  Typed x = pick("f32");
  if (x.shape.empty()) return;
  unsigned dim = draw(unsigned(x.shape.size()));
  int64_t stride = 1 + draw(3), dilation = 1 + draw(2), size = 1 + draw(3), low = int64_t(draw(3));
  std::vector<int64_t> shape = x.shape;
  shape[dim] = 1 + draw(unsigned(x.shape[dim]));
  shape.insert(shape.begin() + dim + 1, size);
  Typed r = add("f32", shape);
  line(r.name + " = dlm.windows " + x.name + " dim " + std::to_string(dim) + " strides [" +
       std::to_string(stride) + "] dilations [" + std::to_string(dilation) + "] low [" +
       std::to_string(low) + "] : " + typeText(x) + " -> " + typeText(r));
  bool isInner = dim + 2 == shape.size();
  if (shape.size() < 4 || isInner) return;
  values.pop_back(); // four dims are too many for the other steps
  shape.erase(shape.begin() + dim + 1);
  Typed &s = add("f32", shape);
  line(s.name + " = dlm.reduce max " + r.name + " dims [" + std::to_string(dim + 1) +
       "] {tree = #dlm.tree<lanes = 1, chunk = 64>} : " + typeText(r) + " -> " + typeText(s));
}

/// The dim behind some dim becomes places within windows over it.
void Generator::overlap() {
  Typed x = pick("f32");
  if (x.shape.size() < 2) return;
  unsigned dim = draw(unsigned(x.shape.size() - 1));
  int64_t stride = 1 + draw(3), dilation = 1 + draw(2), low = int64_t(draw(4)) - 1;
  std::vector<int64_t> shape = x.shape;
  shape[dim] = 1 + draw(unsigned(stride * shape[dim] + 2));
  shape.erase(shape.begin() + dim + 1);
  Typed &r = add("f32", shape);
  line(r.name + " = dlm.overlap_add " + x.name + " dim " + std::to_string(dim) + " strides [" +
       std::to_string(stride) + "] dilations [" + std::to_string(dilation) + "] low [" +
       std::to_string(low) + "] : " + typeText(x) + " -> " + typeText(r));
}

/// A loop over whatever has dims, carrying one value or two; its body is made like a program, and
/// may hold a loop.
void Generator::loop() {
  if (depth == 2) return;
  std::vector<Typed> states, slices, outer = values;
  for (unsigned count = 1 + draw(2); count-- > 0;)
    states.push_back(pick("f32"));
  Typed x = pick("f32");
  bool hasSlices = !x.shape.empty();
  int64_t trips = hasSlices ? x.shape[0] : 3;
  if (trips > 12) return; // programs stay short
  std::string inits, stateTypes, arguments = "%k" + std::to_string(named++) + ": tensor<i32>",
                                 before = std::move(body);
  std::string captured = draw(2) ? pick("f32").name : "";
  values.clear();
  auto take = [&](const Typed &value) {
    std::string name = "%v" + std::to_string(named++);
    values.push_back({name, value.element, value.shape});
    arguments += ", " + name + ": " + typeText(value);
  };
  for (const Typed &state : states) {
    inits += (inits.empty() ? "" : ", ") + state.name;
    stateTypes += (stateTypes.empty() ? "" : ", ") + typeText(state);
    take(state);
  }
  if (hasSlices) take({"", x.element, {x.shape.begin() + 1, x.shape.end()}});
  std::string captures = seedName, captureTypes = "tensor<i64>", outerSeed = seedName;
  seedName = "%s" + std::to_string(named++);
  arguments += ", " + seedName + ": tensor<i64>";
  for (const Typed &value : outer) {
    if (value.name != captured) continue;
    take(value);
    captures += ", " + captured;
    captureTypes += ", " + typeText(value);
  }
  body.clear();
  ++depth;
  for (unsigned i = 0; i < 4; ++i)
    step();
  --depth;
  std::string given, givenTypes;
  auto give = [&](const Typed &value) {
    given += (given.empty() ? "" : ", ") + value.name;
    givenTypes += (givenTypes.empty() ? "" : ", ") + typeText(value);
  };
  for (const Typed &state : states)
    give(*pickLike(state));
  Typed output = pick("f32");
  give(output);
  Typed stacked{"", "f32", output.shape};
  stacked.shape.insert(stacked.shape.begin(), trips);
  std::string inner = std::move(body), name = "%v" + std::to_string(named++);
  body = std::move(before);
  values = std::move(outer);
  seedName = outerSeed;
  line(name + ":" + std::to_string(states.size() + 1) + " = dlm.scan trips " +
       std::to_string(trips) + (draw(2) ? " reverse" : "") + " init(" + inits + " : " + stateTypes +
       ") over(" + (hasSlices ? x.name + " : " + typeText(x) : "") + ") capture(" + captures +
       " : " + captureTypes + ") -> (" + stateTypes + ", " + typeText(stacked) + ") {");
  body += "  ^bb0(" + arguments + "):\n" + inner;
  line("dlm.yield " + given + " : " + givenTypes);
  line("}");
  stacked.name = name + "#" + std::to_string(states.size());
  values.push_back(stacked);
  for (size_t i = 0; i < states.size(); ++i)
    values.push_back({name + "#" + std::to_string(i), "f32", states[i].shape});
}

void Generator::step() {
  using Step = void (Generator::*)();
  static const Step steps[] = {
      &Generator::unary,     &Generator::binary, &Generator::binary, &Generator::select,
      &Generator::broadcast, &Generator::move,   &Generator::reduce, &Generator::reduce,
      &Generator::product,   &Generator::source, &Generator::flat,   &Generator::part,
      &Generator::part,      &Generator::join,   &Generator::choose, &Generator::windows,
      &Generator::overlap,   &Generator::loop,   &Generator::fence};
  (this->*steps[draw(19)])();
  values.erase(std::remove_if(values.begin(), values.end(),
                              [](const Typed &value) { return value.shape.size() > 3; }),
               values.end());
}

std::string Generator::run(unsigned opCount) {
  std::vector<Typed> inputs = {{"%a", "f32", {}},      {"%b", "f32", {12}},
                               {"%c", "f32", {5, 12}}, {"%d", "f32", {5, 12}},
                               {"%e", "f32", {60}},    {"%g", "f32", {5, 4, 3}}};
  values = inputs;
  for (unsigned i = 0; i < opCount; ++i)
    step();
  std::string head = "func.func @f(%seed: tensor<i64> {dlm.buffer = \"seed\"}";
  for (const Typed &input : inputs)
    head += ", " + input.name + ": " + typeText(input) + " {dlm.buffer = \"" +
            input.name.substr(1) + "\"}";
  std::string types, returned, plainTypes;
  auto result = [&](const Typed &value, const std::string &buffer) {
    const char *comma = types.empty() ? "" : ", ";
    types += comma + typeText(value) + " {dlm.buffer = \"" + buffer + "\"}";
    plainTypes += comma + typeText(value);
    returned += comma + value.name;
  };
  for (const Typed &input : inputs)
    if (draw(3)) result(*pickLike(input), input.name.substr(1)); // in place, perhaps of another
  for (unsigned i = 0; i < opCount / 2; ++i)
    result(pick("f32"), "out" + std::to_string(i));
  return head + ")\n    -> (" + types + ") {\n" + body + "  return " + returned + " : " +
         plainTypes + "\n}\n";
}

} // namespace

std::string randomProgram(uint32_t seed, unsigned opCount) { return Generator(seed).run(opCount); }

} // namespace dlm::test
