// Every piece of advice is checked against the shapes before it is given: following it makes them
// fit.
#include "compiler/sema/tensor/ShapeAdvice.h"

#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"
#include "compiler/sema/value/Value.h"

#include <algorithm>
#include <numeric>

namespace dlm::sema {

namespace {

using Wanted = std::vector<std::optional<Extent>>;

bool fitsAll(const Wanted &declared, const std::vector<Dim> &dims) {
  return declared.size() == dims.size() &&
         std::equal(declared.begin(), declared.end(), dims.begin(),
                    [](const std::optional<Extent> &wanted, const Dim &dim) {
                      return !wanted || *wanted == dim.extent;
                    });
}

/// One axis moved to another place, if that and nothing else makes the shapes fit.
std::string movedAxis(const Wanted &declared, const std::vector<Dim> &actual) {
  if (declared.size() != actual.size() || actual.size() < 3) return "";
  std::vector<Dim> behind = actual, before = actual;
  std::rotate(behind.begin() + 1, behind.begin() + 2, behind.end()); // channels first -> last
  std::rotate(before.begin() + 1, before.end() - 1, before.end());   // channels last -> first
  if (fitsAll(declared, before))
    return "images have their channels last: declare the axis of size " + dimText(actual.back()) +
           " as the last one";
  if (fitsAll(declared, behind))
    return "the channels stand in front here, and are declared last: `rearrange` moves an axis";
  return "";
}

/// Trailing axes that, put into one, have the size that is wanted last.
std::string flattened(const Wanted &declared, const std::vector<Dim> &actual) {
  if (declared.empty() || !declared.back() || !declared.back()->isWhole()) return "";
  int64_t product = 1;
  for (size_t count = 1; count < actual.size(); ++count) {
    const Dim &dim = actual[actual.size() - count];
    if (!dim.isWhole() || __builtin_mul_overflow(product, dim.size(), &product)) return "";
    if (count < 2 || product != declared.back()->asWhole()) continue;
    std::string shape;
    for (size_t i = 0; i + count < actual.size(); ++i)
      shape += (actual[i].isBatch() ? "batch.size" : dimText(actual[i])) + ", ";
    return "`reshape(x, [" + shape + std::to_string(product) + "])` puts the last " +
           std::to_string(count) + " axes into one";
  }
  return "";
}

} // namespace

std::string adviceForParameter(const std::vector<std::optional<Extent>> &declared, bool hasEllipsis,
                               const std::vector<Dim> &actual) {
  std::string advice = hasEllipsis ? "" : movedAxis(declared, actual);
  if (advice.empty()) advice = flattened(declared, actual);
  bool lacksOne = !hasEllipsis && declared.size() == actual.size() + 1;
  if (!advice.empty() || !lacksOne || hasBatchAxis(actual)) return advice;
  std::vector<Dim> longer = actual;
  longer.insert(longer.begin(), Dim::one());
  if (fitsAll(declared, longer)) return "`x[new]` makes a batch of one sample of it";
  longer.erase(longer.begin());
  longer.push_back(Dim::one());
  return fitsAll(declared, longer) ? "`x[..., new]` adds an axis of size 1 behind the others" : "";
}

std::string adviceForReshape(const std::vector<Dim> &from, const std::vector<Dim> &to) {
  std::optional<Extent> count = elementCount(from), wanted = elementCount(to);
  if (!count || !wanted || !hasBatchAxis(from) || hasBatchAxis(to)) return "";
  std::optional<Extent> perSample = Extent::divide(*count, Extent::batch());
  std::string sizes;
  for (const Dim &dim : to)
    sizes += ", " + dimText(dim);
  if (perSample == wanted) return "keep the samples apart: `[batch.size" + sizes + "]`";
  bool hasNumber =
      perSample && to.size() > 1 && Extent::multiply(*perSample, to[0].extent) == wanted;
  sizes.erase(0, 2 + (to.empty() ? 0 : dimText(to[0]).size()));
  return hasNumber
             ? "the number of samples is `batch.size`, whatever it is: `[batch.size" + sizes + "]`"
             : "";
}

std::string sizeText(const Dim &dim) {
  std::string text = dimText(dim);
  const std::string samples = "batch";
  bool isBatch = dim.extent.countsSamples() && text.compare(0, samples.size(), samples) == 0;
  return isBatch ? samples + ".size" + text.substr(samples.size()) : text;
}

namespace {

/// The index that drops an axis of size 1, where the rest is fit for what is wanted.
template <typename IsFit> std::string indexWithoutOne(const std::vector<Dim> &dims, IsFit isFit) {
  for (size_t axis = dims.size(); axis-- > 0;) {
    if (!dims[axis].isWhole() || dims[axis].size() != 1) continue;
    std::vector<Dim> rest = dims;
    rest.erase(rest.begin() + std::ptrdiff_t(axis));
    if (!isFit(rest)) continue;
    std::string index = "[";
    for (size_t i = 0; i < axis; ++i)
      index += ":, ";
    return index + "0]";
  }
  return "";
}

/// The shape of ids for scores, where the ids stand for the last axes of it only.
std::string shapeOfIds(const TensorType &ids, const TensorType &scores) {
  bool isPair = isInteger(ids.dtype) && isReal(scores.dtype);
  size_t own = ids.dims.size(), wanted = scores.dims.size() - 1;
  if (!isPair || own == 0 || scores.dims.size() < 2 || own >= wanted) return "";
  std::vector<Dim> all(scores.dims.begin(), scores.dims.end() - 1);
  std::vector<Dim> last(all.end() - std::ptrdiff_t(own), all.end());
  if (!sameShape(last, ids.dims)) return "";
  std::string shape;
  for (const Dim &dim : all)
    shape += (shape.empty() ? "" : ", ") + sizeText(dim);
  return shape;
}

/// The matrix turned, where it fits then and did not before.
bool fitsTurned(const std::vector<Dim> &dims, const std::vector<Dim> &other) {
  if (dims.size() != 2 || other.size() != 2 || stretchShapes(dims, other).fits) return false;
  return stretchShapes({dims[1], dims[0]}, other).fits;
}

/// An index of an argument with fewer axes or of one with an axis of size 1, or a turned matrix. An
/// index that makes one of two shapes without a 1 would fit as well, and is seldom meant.
std::optional<ArgumentAdvice> adviceForPair(const TensorType &type, const TensorType &other) {
  Stretch stretch = stretchShapes(type.dims, other.dims);
  if (stretch.fits) return std::nullopt;
  if (type.dims.size() < other.dims.size() && stretch.wouldStretchBoth)
    if (std::string index = fittingIndex(type.dims, other.dims); !index.empty())
      return ArgumentAdvice{0, "", index,
                            "fits: the 1 is on the side with more axes, which does not stretch to "
                            "one with fewer"};
  std::string reason = "fits `" + shapeText(other.dims) + "`";
  std::string index = indexWithoutOne(type.dims, [&](const std::vector<Dim> &rest) {
    return !rest.empty() && stretchShapes(rest, other.dims).fits;
  });
  if (!index.empty()) return ArgumentAdvice{0, "", index, reason};
  if (fitsTurned(type.dims, other.dims)) return ArgumentAdvice{0, "", ".T", reason};
  return std::nullopt;
}

} // namespace

std::optional<ArgumentAdvice> adviceForArguments(const std::vector<TensorType> &types) {
  for (size_t i = 0; i < types.size(); ++i)
    for (size_t j = 0; j < types.size(); ++j) {
      std::string index = indexWithoutOne(types[i].dims, [&](const std::vector<Dim> &rest) {
        return sameShape(rest, types[j].dims);
      });
      if (!index.empty())
        return ArgumentAdvice{i, "", index, "has the shape `" + shapeText(types[j].dims) + "`"};
      std::string shape = shapeOfIds(types[i], types[j]);
      if (!shape.empty())
        return ArgumentAdvice{i, "expand(", ", [" + shape + "])",
                              "repeats it along the axes in front"};
    }
  for (size_t i = types.size(); i-- > 0;) // the last is the one to compare with, more often
    for (size_t j = 0; j < types.size(); ++j)
      if (std::optional<ArgumentAdvice> advice = adviceForPair(types[i], types[j])) {
        advice->argument = i;
        return advice;
      }
  return std::nullopt;
}

std::string adviceForTurn(const std::vector<Dim> &dims) {
  constexpr size_t lettersMax = 8;
  if (dims.size() == 2) return "`x.T` turns a matrix";
  if (dims.size() < 2 || dims.size() > lettersMax) return "";
  std::string letters;
  for (size_t i = 0; i < dims.size(); ++i)
    letters += std::string(i ? " " : "") + char('a' + i);
  std::string turned = letters;
  std::swap(turned[turned.size() - 1], turned[turned.size() - 3]);
  return "`rearrange(x, \"" + letters + " -> " + turned + "\")` swaps the last two axes";
}

std::string adviceForChannels(const std::vector<std::optional<Extent>> &declared,
                              const std::vector<Dim> &actual) {
  bool areImages = declared.size() == 4 && actual.size() == 4 && declared[3];
  bool isInFront =
      areImages && *declared[3] == actual[1].extent && actual[2].extent == actual[3].extent;
  if (!isInFront) return "";
  return "images have their channels last, `[B, H, W, C]`: `rearrange(x, \"b c h w -> b h w c\")` "
         "makes such of these";
}

namespace {

/// `x` of a text `x.T`, or an empty one.
std::string withoutTurn(std::string_view text) {
  bool isTurn = text.size() > 2 && text.substr(text.size() - 2) == ".T";
  return isTurn ? std::string(text.substr(0, text.size() - 2)) : "";
}

/// Matrices side by side, where the right ones would have to be turned.
std::string adviceForStack(const std::vector<Dim> &a, const std::vector<Dim> &b,
                           const std::string &left, const std::string &right) {
  bool isStack = a.size() == 3 && b.size() == 3 && sameSize(a[0], b[0]) && sameSize(a[2], b[2]);
  return isStack ? "`einsum(" + left + ", " + right +
                       ", \"a i k, a j k -> a i j\")` sums over the last axes of both"
                 : "";
}

} // namespace

std::string adviceForProduct(const std::vector<Dim> &a, const std::vector<Dim> &b,
                             std::string_view aText, std::string_view bText) {
  bool isTurned = b.size() == 2 && sameSize(a.back(), b[1]);
  std::string left(aText), right(bText), plain = withoutTurn(bText);
  if (isTurned && !plain.empty())
    return "the sizes fit without `.T`: `" + left + " @ " + plain + "`";
  if (std::string stack = adviceForStack(a, b, left, right); !stack.empty()) return stack;
  if (isTurned) return "the sizes fit with `" + left + " @ " + right + ".T`";
  bool isSwapped = a.size() == 2 && b.size() == 2 && sameSize(b[1], a[0]);
  return isSwapped ? "the sizes fit with `" + right + " @ " + left + "`" : "";
}

std::string adviceForClasses(const TensorType &a, const TensorType &b) {
  const TensorType &scores = a.dims.size() > b.dims.size() ? a : b;
  const TensorType &ids = a.dims.size() > b.dims.size() ? b : a;
  bool isScores = scores.dtype == DType::F32 && scores.dims.size() == ids.dims.size() + 1;
  bool isIds = ids.dtype == DType::I32 || ids.dtype == DType::I64;
  bool fits = isScores && isIds &&
              std::equal(ids.dims.begin(), ids.dims.end(), scores.dims.begin(), sameSize);
  return fits ? "`argmax(x, over = -1)` gives the class with the largest score" : "";
}

std::string adviceForLabels(TensorWriter &tensors, const Tensor &a, const Tensor &b) {
  bool isFirst = a.type.dims.size() > b.type.dims.size();
  const Tensor &scores = isFirst ? a : b, &ids = isFirst ? b : a;
  bool isScores =
      scores.type.dims.size() == ids.type.dims.size() + 1 &&
      std::equal(ids.type.dims.begin(), ids.type.dims.end(), scores.type.dims.begin(), sameSize) &&
      scores.type.dims.back().extent != Extent::whole(1);
  if (!isScores) return "";
  const Node &node = tensors.node(ids);
  if (node.op != "cast") return "";
  const Node &from = tensors.current().node(node.operands[0]);
  bool isIds = from.op == "input" && isInteger(from.type.dtype);
  return isIds ? "class ids are no amounts: `cross_entropy(scores, ids)` compares scores with them"
               : "";
}

} // namespace dlm::sema
