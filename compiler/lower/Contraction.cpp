// Each side becomes [..., rows, inner] or [..., inner, rows], whichever it is already; only where
// it is neither does it have to be transposed. The same holds of the result: where the columns
// stand before the rows, the sides change places.
//
// Kernels multiply matrices of f32 only. Products of integers are multiplied element by element and
// added up, in the 32 bits that a byte is widened to, or their own.
#include "compiler/lower/Contraction.h"

#include "dialects/dlm/Dlm.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace dlm::lower {

namespace {

using mlir::RankedTensorType;
using mlir::Value;

bool has(const std::string &letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

template <typename Test> std::string chosen(const std::string &letters, Test test) {
  std::string result;
  llvm::copy_if(letters, std::back_inserter(result), test);
  return result;
}

/// A tensor and a letter for each of its dims.
struct Side {
  Value value;
  std::string letters;
};

/// A side of a product of matrices: which of its last two dims is summed over.
struct Factor {
  Value value;
  bool isSummedFirst;
};

class Contraction {
public:
  Contraction(mlir::OpBuilder &build, mlir::Location loc) : build(build), loc(loc) {}

  Value run(const std::string &text, Value left, Value right);

private:
  Value multiplyIntegers(const Side &a, const Side &b, const std::string &out,
                         const std::string &summed);
  Side arranged(const Side &side, const std::string &order);
  Factor factor(const Side &side, const std::string &before, const std::string &kept,
                const std::string &summed, bool isSummedFirst);
  llvm::SmallVector<int64_t> sizes(const std::string &letters);

  mlir::OpBuilder &build;
  mlir::Location loc;
  std::map<char, int64_t> sizeOf;
};

llvm::SmallVector<int64_t> Contraction::sizes(const std::string &letters) {
  llvm::SmallVector<int64_t> result;
  for (char letter : letters)
    result.push_back(sizeOf[letter]);
  return result;
}

Side Contraction::arranged(const Side &side, const std::string &order) {
  if (side.letters == order) return side;
  llvm::SmallVector<int64_t> permutation;
  for (char letter : order)
    permutation.push_back(int64_t(side.letters.find(letter)));
  return {TransposeOp::create(build, loc, side.value, permutation), order};
}

/// A side as matrices: behind the letters that number them stand those kept and those summed, or
/// the other way around if it is so already. `isSummedFirst` says which of the two products do
/// fastest.
Factor Contraction::factor(const Side &side, const std::string &before, const std::string &kept,
                           const std::string &summed, bool isSummedFirst) {
  const std::string orders[] = {before + kept + summed, before + summed + kept};
  if (side.letters != orders[isSummedFirst] && side.letters == orders[!isSummedFirst])
    isSummedFirst = !isSummedFirst;
  Side own = arranged(side, orders[isSummedFirst]);
  auto count = [&](const std::string &letters) {
    int64_t product = 1;
    for (int64_t size : sizes(letters))
      product *= size;
    return product;
  };
  llvm::SmallVector<int64_t> shape = sizes(before);
  shape.push_back(count(isSummedFirst ? summed : kept));
  shape.push_back(count(isSummedFirst ? kept : summed));
  auto type = mlir::cast<RankedTensorType>(own.value.getType()).clone(shape);
  if (type != own.value.getType()) own.value = ReshapeOp::create(build, loc, type, own.value);
  return {own.value, isSummedFirst};
}

Value Contraction::multiplyIntegers(const Side &a, const Side &b, const std::string &out,
                                    const std::string &summed) {
  mlir::Type element = mlir::cast<RankedTensorType>(a.value.getType()).getElementType();
  mlir::Type wide = element.isInteger(8) ? build.getI32Type() : element;
  auto cast = [&](Value x, mlir::Type to) -> Value {
    auto type = mlir::cast<RankedTensorType>(x.getType());
    if (type.getElementType() == to) return x;
    return CastOp::create(build, loc, type.clone(to), x);
  };
  const std::string all = out + summed;
  auto type = RankedTensorType::get(sizes(all), wide);
  auto spread = [&](const Side &side) -> Value {
    Side own = arranged(side, chosen(all, [&](char letter) { return has(side.letters, letter); }));
    llvm::SmallVector<int64_t> dims;
    for (char letter : own.letters)
      dims.push_back(int64_t(all.find(letter)));
    return BroadcastOp::create(build, loc, type, cast(own.value, wide), dims);
  };
  Value left = spread(a), right = spread(b);
  Value product = MulOp::create(build, loc, left, right);
  llvm::SmallVector<int64_t> last;
  for (size_t dim = out.size(); dim < all.size(); ++dim)
    last.push_back(int64_t(dim));
  return cast(ReduceOp::create(build, loc, ReduceKind::Add, product, last, TreeAttr()), element);
}

Value Contraction::run(const std::string &text, Value left, Value right) {
  size_t comma = text.find(','), arrow = text.find("->");
  if (comma == std::string::npos || arrow == std::string::npos) return {};
  Side a{left, text.substr(0, comma)}, b{right, text.substr(comma + 1, arrow - comma - 1)};
  const std::string out = text.substr(arrow + 2);
  for (const Side &side : {a, b}) {
    auto shape = mlir::cast<RankedTensorType>(side.value.getType()).getShape();
    if (shape.size() != side.letters.size()) return {};
    for (auto [letter, size] : llvm::zip_equal(side.letters, shape))
      sizeOf[letter] = size;
  }
  auto isIn = [](const std::string &letters) {
    return [&letters](char letter) { return has(letters, letter); };
  };
  std::string inBoth = chosen(a.letters, isIn(b.letters));
  std::string before = chosen(out, isIn(inBoth));
  std::string summed = chosen(inBoth, [&](char letter) { return !has(out, letter); });
  std::string rows = chosen(out, [&](char letter) { return !has(b.letters, letter); });
  std::string columns = chosen(out, [&](char letter) { return !has(a.letters, letter); });
  bool isWhole = a.letters.size() == before.size() + rows.size() + summed.size() &&
                 b.letters.size() == before.size() + columns.size() + summed.size() &&
                 out.size() == before.size() + rows.size() + columns.size();
  if (!isWhole) return {};
  if (!mlir::cast<RankedTensorType>(left.getType()).getElementType().isF32())
    return multiplyIntegers(a, b, out, summed);
  if (out == before + columns + rows && !rows.empty() && !columns.empty()) {
    std::swap(a, b);
    std::swap(rows, columns);
  }
  Factor lhs = factor(a, before, rows, summed, false);
  Factor rhs = factor(b, before, columns, summed, true);
  Value product = MatmulOp::create(build, loc, lhs.value, rhs.value, lhs.isSummedFirst,
                                   !rhs.isSummedFirst, ChainAttr());
  std::string order = before + rows + columns;
  auto type = mlir::cast<RankedTensorType>(product.getType()).clone(sizes(order));
  if (type != product.getType()) product = ReshapeOp::create(build, loc, type, product);
  return arranged({product, order}, out).value;
}

} // namespace

Value contract(mlir::OpBuilder &build, mlir::Location loc, const std::string &text, Value lhs,
               Value rhs) {
  return Contraction(build, loc).run(text, lhs, rhs);
}

} // namespace dlm::lower
