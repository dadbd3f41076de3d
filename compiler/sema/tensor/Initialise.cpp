// The fans of a shape [..., in, out] are `in` and `out`, each times the product of the leading
// dimensions (the window of a convolution).
//
//   xavier   Glorot and Bengio, 2010: uniform within gain * sqrt(6 / (fan in + fan out))
//   kaiming  He et al., 2015: normal with standard deviation sqrt(gain / fan in)
//
// An orthogonal matrix is the nearest one to a matrix of normally distributed numbers, which makes
// all of them equally likely. It has the singular vectors of that matrix, and singular values of 1,
// to which odd polynomials of the matrix bring them (Newton and Schulz).
#include "compiler/sema/tensor/Initialise.h"

#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <cmath>

namespace dlm::sema {

namespace {

/// `factor * x + offset`, leaving out what does nothing.
Tensor scaled(TensorWriter &tensors, Tensor x, double factor, double offset) {
  if (factor != 1) x = tensors.binary("mul", x, tensors.constant(factor, DType::F32));
  return offset == 0 ? x : tensors.binary("add", x, tensors.constant(offset, DType::F32));
}

/// Numbers of the normal distribution within `bound` of the mean, in standard deviations: those at
/// which its distribution function has uniform values. The start (Winitzki, 2008) is good to 2e-3,
/// and each of Newton's steps squares that.
Tensor cutNormal(TensorWriter &tensors, const std::vector<Dim> &dims, double bound) {
  constexpr double Pi = 3.14159265358979323846, A = 0.147;
  auto number = [&](double value) { return tensors.constant(value, DType::F32); };
  double half = bound / std::sqrt(2.0), most = std::erf(half);
  Tensor x = scaled(tensors, tensors.random("uniform", dims), 2 * most, -most);
  Tensor rest = tensors.unary("log", tensors.binary("sub", number(1), tensors.binary("mul", x, x)));
  Tensor t = scaled(tensors, rest, 0.5, 2 / (Pi * A));
  Tensor root = tensors.unary(
      "sqrt", tensors.binary("add", tensors.binary("mul", t, t), scaled(tensors, rest, -1 / A, 0)));
  Tensor square = tensors.binary("max", tensors.binary("sub", root, t), number(0));
  Tensor y = tensors.binary("mul", tensors.unary("sign", x), tensors.unary("sqrt", square));
  for (int step = 0; step < 2; ++step) {
    Tensor off = tensors.binary("sub", tensors.unary("erf", y), x);
    Tensor slope = tensors.unary("exp", tensors.binary("mul", y, y));
    Tensor back = scaled(tensors, tensors.binary("mul", off, slope), std::sqrt(Pi) / 2, 0);
    y = tensors.binary("sub", y, back);
  }
  y = tensors.binary("max", tensors.binary("min", y, number(half)), number(-half));
  return scaled(tensors, y, std::sqrt(2.0), 0);
}

/// How often the slope of the first polynomial has to be applied to the smallest singular value of
/// a random matrix of norm 1, so that it is among the others: all but surely (Rudelson and
/// Vershynin, 2009), or until rounding has lifted it.
int roundsFor(double rows, double columns, double slope) {
  double unlikely = columns - rows < 8 ? 1e-6 : 0.1;
  double least = unlikely * (std::sqrt(columns) - std::sqrt(rows - 1)) / std::sqrt(rows * columns);
  return int(std::ceil(-std::log(std::max(least, 1e-9)) / std::log(slope)));
}

/// A matrix with no more rows than columns, which are orthogonal and of length 1.
Tensor orthogonalRows(TensorWriter &tensors, const Dim &rows, const Dim &columns) {
  auto times = [&](double factor, const Tensor &x) { return scaled(tensors, x, factor, 0); };
  Tensor x = tensors.random("normal", {rows, columns});
  Tensor norm = tensors.unary(
      "sqrt", tensors.reduce("add", tensors.binary("mul", x, x), {0, 1}, /*keep=*/false));
  x = tensors.binary("div", x, norm);
  auto gram = [&] { return tensors.matmul(x, tensors.transpose(x, {1, 0})); };
  // Muon's polynomial (Jordan et al., 2024) is steep and brings them near 1; the last is exact.
  constexpr double Steep[] = {3.4445, -4.7750, 2.0315};
  for (int left = roundsFor(rows.size(), columns.size(), Steep[0]); left > 0; --left) {
    Tensor a = gram();
    Tensor b = tensors.binary("add", times(Steep[1], a), times(Steep[2], tensors.matmul(a, a)));
    x = tensors.binary("add", times(Steep[0], x), tensors.matmul(b, x));
  }
  constexpr int LastRounds = 6;
  for (int left = LastRounds; left > 0; --left)
    x = tensors.binary("sub", times(1.5, x), times(0.5, tensors.matmul(gram(), x)));
  return x;
}

/// All axes but the last are the rows of one matrix, of which the shorter side is orthogonal.
Tensor orthogonal(TensorWriter &tensors, const std::vector<Dim> &dims, double gain) {
  Dim columns = dims.empty() ? Dim::whole(1) : Dim::whole(dims.back().size()), rows = Dim::whole(1);
  for (size_t i = 0; i + 1 < dims.size(); ++i)
    rows = Dim::whole(rows.size() * dims[i].size());
  bool isTall = rows.size() > columns.size();
  Tensor x =
      isTall ? orthogonalRows(tensors, columns, rows) : orthogonalRows(tensors, rows, columns);
  if (isTall) x = tensors.transpose(x, {1, 0});
  return tensors.reshape(scaled(tensors, x, gain, 0), dims);
}

} // namespace

Tensor initialise(TensorWriter &tensors, const InitialiserObject &initialiser,
                  const std::vector<Dim> &dims) {
  if (initialiser.name == "constant") return tensors.constant(initialiser.first, DType::F32, dims);
  size_t rank = dims.size();
  double out = rank > 0 ? double(dims[rank - 1].size()) : 1;
  double in = rank > 1 ? double(dims[rank - 2].size()) : out;
  double window =
      elementCount(dims).value_or(Extent()).constantPart().toReal() / (rank > 1 ? in * out : out);
  if (initialiser.name == "normal")
    return scaled(tensors, tensors.random("normal", dims), initialiser.second, initialiser.first);
  if (initialiser.name == "kaiming")
    return scaled(tensors, tensors.random("normal", dims),
                  std::sqrt(initialiser.first / (window * in)), 0);
  if (initialiser.name == "truncated_normal")
    return scaled(tensors, cutNormal(tensors, dims, initialiser.third), initialiser.second,
                  initialiser.first);
  if (initialiser.name == "orthogonal") return orthogonal(tensors, dims, initialiser.first);
  double low = initialiser.first, high = initialiser.second;
  if (initialiser.name == "xavier") {
    high = initialiser.first * std::sqrt(6 / (window * (in + out)));
    low = -high;
  }
  return scaled(tensors, tensors.random("uniform", dims), high - low, low);
}

} // namespace dlm::sema
