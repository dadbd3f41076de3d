// What each scalar op computes, as function objects, and the loop that applies one to a block.
// Integers wrap; i1 is a byte, 0 or 1; i8 is a byte without sign unless an op asks for one.
// Division by zero is unspecified in the language and gives zero here.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace dlm::reference::scalar {

/// result[i] = F()(source0[i], source1[i], ...) with R and A as the types in memory.
template <class F, class R, class... A> struct Loop {
  static void run(void *result, const void *const *sources, int64_t count) {
    apply(result, sources, count, std::index_sequence_for<A...>());
  }
  template <size_t... I>
  static void apply(void *result, const void *const *sources, int64_t count,
                    std::index_sequence<I...>) {
    for (int64_t i = 0; i < count; ++i)
      static_cast<R *>(result)[i] = static_cast<R>(F()(static_cast<const A *>(sources[I])[i]...));
  }
};

// clang-format off
struct Add { template <class T> T operator()(T a, T b) const { return a + b; } };
struct Sub { template <class T> T operator()(T a, T b) const { return a - b; } };
struct Mul { template <class T> T operator()(T a, T b) const { return a * b; } };
struct Div { template <class T> T operator()(T a, T b) const { return a / b; } };
struct Neg { template <class T> T operator()(T a) const { return -a; } };
struct And { template <class T> T operator()(T a, T b) const { return a & b; } };
struct Or { template <class T> T operator()(T a, T b) const { return a | b; } };
struct Xor { template <class T> T operator()(T a, T b) const { return a ^ b; } };
struct Max { template <class T> T operator()(T a, T b) const { return a > b ? a : b; } };
struct Min { template <class T> T operator()(T a, T b) const { return a < b ? a : b; } };
struct Eq { template <class T> uint8_t operator()(T a, T b) const { return a == b; } };
struct Ne { template <class T> uint8_t operator()(T a, T b) const { return a != b; } };
struct Lt { template <class T> uint8_t operator()(T a, T b) const { return a < b; } };
struct Le { template <class T> uint8_t operator()(T a, T b) const { return a <= b; } };
struct Gt { template <class T> uint8_t operator()(T a, T b) const { return a > b; } };
struct Ge { template <class T> uint8_t operator()(T a, T b) const { return a >= b; } };
struct Ordered {
  template <class T> uint8_t operator()(T a, T b) const { return a == a && b == b; }
};
struct OrderedNe {
  template <class T> uint8_t operator()(T a, T b) const { return a < b || a > b; }
};
template <class F> struct Negated { // the unordered predicates: ult = not oge
  template <class T> uint8_t operator()(T a, T b) const { return !F()(a, b); }
};
struct Identity { template <class T> T operator()(T a) const { return a; } };
struct LowBit { template <class T> uint8_t operator()(T a) const { return a & 1; } };
struct Select { template <class T> T operator()(uint8_t c, T a, T b) const { return c ? a : b; } };

struct Abs { template <class T> T operator()(T a) const { return std::fabs(a); } };
struct Sqrt { template <class T> T operator()(T a) const { return std::sqrt(a); } };
struct Fma { template <class T> T operator()(T a, T b, T c) const { return std::fma(a, b, c); } };
struct Floor { template <class T> T operator()(T a) const { return std::floor(a); } };
struct Ceil { template <class T> T operator()(T a) const { return std::ceil(a); } };
struct Trunc { template <class T> T operator()(T a) const { return std::trunc(a); } };
struct RoundEven { template <class T> T operator()(T a) const { return std::nearbyint(a); } };
struct CopySign { template <class T> T operator()(T a, T b) const { return std::copysign(a, b); } };
struct Exp { template <class T> T operator()(T a) const { return std::exp(a); } };
struct Log { template <class T> T operator()(T a) const { return std::log(a); } };
struct Tanh { template <class T> T operator()(T a) const { return std::tanh(a); } };
struct Erf { template <class T> T operator()(T a) const { return std::erf(a); } };
struct Sin { template <class T> T operator()(T a) const { return std::sin(a); } };
struct Cos { template <class T> T operator()(T a) const { return std::cos(a); } };
struct Pow { template <class T> T operator()(T a, T b) const { return std::pow(a, b); } };
// clang-format on

/// Quotient of signed integers; the two cases C++ leaves undefined give 0 and the wrapped value.
struct DivSigned {
  template <class T> T operator()(T a, T b) const {
    using U = std::make_unsigned_t<T>;
    if (b == 0) return 0;
    return b == -1 ? T(U(0) - U(a)) : a / b;
  }
};
struct RemSigned {
  template <class T> T operator()(T a, T b) const { return b == 0 || b == -1 ? T(0) : a % b; }
};

/// Shifts by the width or more are undefined in arith and give 0, or the sign.
struct ShiftLeft {
  template <class T> T operator()(T a, T b) const { return b < T(8 * sizeof(T)) ? a << b : 0; }
};
struct ShiftRight {
  template <class T> T operator()(T a, T b) const { return b < T(8 * sizeof(T)) ? a >> b : 0; }
};
struct ShiftRightSigned {
  template <class T> T operator()(T a, T b) const {
    constexpr int Last = 8 * sizeof(T) - 1;
    return a >> (b >= 0 && b < Last ? b : Last);
  }
};

struct AbsSigned {
  template <class T> T operator()(T a) const {
    using U = std::make_unsigned_t<T>;
    return a < 0 ? T(U(0) - U(a)) : a;
  }
};

/// Float to integer: toward zero, saturating, NaN gives 0.
template <class I> struct ToInteger {
  template <class F> I operator()(F a) const {
    using Limits = std::numeric_limits<I>;
    if (a != a) return 0;
    if (a <= static_cast<F>(Limits::min())) return Limits::min();
    // 2^digits is the first value above the largest integer, and a power of two is exact.
    if (a >= std::ldexp(F(1), Limits::digits)) return Limits::max();
    return static_cast<I>(a);
  }
};

template <class R> struct BitCast {
  template <class A> R operator()(A a) const {
    static_assert(sizeof(R) == sizeof(A));
    R result;
    std::memcpy(&result, &a, sizeof(R));
    return result;
  }
};

} // namespace dlm::reference::scalar
