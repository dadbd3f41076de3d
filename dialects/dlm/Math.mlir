// The elementary functions in f32. Everything is `arith` and `math.fma` on scalars, so every target
// and the interpreter compute the same bits; tables, branches and double precision are avoided
// because the text becomes vector code as it stands.
//
// Polynomials were fitted by the Remez exchange in 40 digits, relative to the function, and rounded
// to f32. Bounds are the largest errors seen against libm in double over every 61st float (for pow,
// over 4 million pairs); NaN gives NaN; infinities, zeros of both signs and denormals give what C's
// functions give.

// e^(x + more), |more| far below 1: n = x / ln 2 rounded, r = x - n ln 2 in two parts, a
// polynomial for e^r, and 2^n by two exact factors so that results in the denormal range are
// rounded once.
func.func private @dlm_scaled_exp_f32(%x: f32, %more: f32) -> f32 {
  // Beyond these the result is infinite or 0; NaN passes both tests.
  %low = arith.constant -104.0 : f32
  %high = arith.constant 89.0 : f32
  %below = arith.cmpf olt, %x, %low : f32
  %x0 = arith.select %below, %low, %x : f32
  %above = arith.cmpf ogt, %x0, %high : f32
  %x1 = arith.select %above, %high, %x0 : f32
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits.
  %log2e = arith.constant 1.442695022e+00 : f32
  %magic = arith.constant 12582912.0 : f32
  %t = math.fma %x1, %log2e, %magic : f32
  %n = arith.subf %t, %magic : f32
  %ln2Upper = arith.constant -6.931471825e-01 : f32
  %ln2Lower = arith.constant 1.904654212e-09 : f32
  %r0 = math.fma %n, %ln2Upper, %x1 : f32
  %r1 = math.fma %n, %ln2Lower, %r0 : f32
  %r = arith.addf %r1, %more : f32
  %c0 = arith.constant 4.999999404e-01 : f32
  %c1 = arith.constant 1.666651517e-01 : f32
  %c2 = arith.constant 4.166845605e-02 : f32
  %c3 = arith.constant 8.369418792e-03 : f32
  %c4 = arith.constant 1.381314476e-03 : f32
  %p_3 = math.fma %c4, %r, %c3 : f32
  %p_2 = math.fma %p_3, %r, %c2 : f32
  %p_1 = math.fma %p_2, %r, %c1 : f32
  %p = math.fma %p_1, %r, %c0 : f32
  %one = arith.constant 1.0 : f32
  %r2 = arith.mulf %r, %r : f32
  %q = math.fma %p, %r2, %r : f32
  %y = arith.addf %q, %one : f32
  %magicBits = arith.constant 0x4B400000 : i32
  %bias = arith.constant 127 : i32
  %mantissa = arith.constant 23 : i32
  %oneBit = arith.constant 1 : i32
  %bits = arith.bitcast %t : f32 to i32
  %power = arith.subi %bits, %magicBits : i32
  %half = arith.shrsi %power, %oneBit : i32
  %rest = arith.subi %power, %half : i32
  %halfBiased = arith.addi %half, %bias : i32
  %halfBits = arith.shli %halfBiased, %mantissa : i32
  %halfFactor = arith.bitcast %halfBits : i32 to f32
  %restBiased = arith.addi %rest, %bias : i32
  %restBits = arith.shli %restBiased, %mantissa : i32
  %restFactor = arith.bitcast %restBits : i32 to f32
  %z = arith.mulf %y, %halfFactor : f32
  %result = arith.mulf %z, %restFactor : f32
  return %result : f32
}

// e^x. Error at most 1.0 ulp.
func.func private @dlm_exp_f32(%x: f32) -> f32 {
  %zero = arith.constant -0.0 : f32
  %result = func.call @dlm_scaled_exp_f32(%x, %zero) : (f32, f32) -> f32
  return %result : f32
}

// log x = e ln 2 + log(1 + f), log(1 + f) = f - f^2 / 2 + f^3 P(f). Error at most 0.9 ulp.
func.func private @dlm_log_f32(%x: f32) -> f32 {
  // x = 2^e m with m in [sqrt(1/2), sqrt(2)); denormals are scaled first.
  %normalMin = arith.constant 1.17549435e-38 : f32
  %scale = arith.constant 8388608.0 : f32
  %scalePower = arith.constant -23.0 : f32
  %zero = arith.constant 0.0 : f32
  %isTiny = arith.cmpf olt, %x, %normalMin : f32
  %scaled = arith.mulf %x, %scale : f32
  %x1 = arith.select %isTiny, %scaled, %x : f32
  %more = arith.select %isTiny, %scalePower, %zero : f32
  %rootBits = arith.constant 0x3F3504F3 : i32
  %mantissa = arith.constant 23 : i32
  %bits = arith.bitcast %x1 : f32 to i32
  %above = arith.subi %bits, %rootBits : i32
  %power = arith.shrsi %above, %mantissa : i32
  %powerBits = arith.shli %power, %mantissa : i32
  %mBits = arith.subi %bits, %powerBits : i32
  %m = arith.bitcast %mBits : i32 to f32
  %e0 = arith.sitofp %power : i32 to f32
  %e = arith.addf %e0, %more : f32
  %one = arith.constant 1.0 : f32
  %f = arith.subf %m, %one : f32
  %c0 = arith.constant 3.333330750e-01 : f32
  %c1 = arith.constant -2.499997318e-01 : f32
  %c2 = arith.constant 2.000251114e-01 : f32
  %c3 = arith.constant -1.667034924e-01 : f32
  %c4 = arith.constant 1.421344578e-01 : f32
  %c5 = arith.constant -1.235897243e-01 : f32
  %c6 = arith.constant 1.188638732e-01 : f32
  %c7 = arith.constant -1.196210757e-01 : f32
  %c8 = arith.constant 7.105205953e-02 : f32
  %p_7 = math.fma %c8, %f, %c7 : f32
  %p_6 = math.fma %p_7, %f, %c6 : f32
  %p_5 = math.fma %p_6, %f, %c5 : f32
  %p_4 = math.fma %p_5, %f, %c4 : f32
  %p_3 = math.fma %p_4, %f, %c3 : f32
  %p_2 = math.fma %p_3, %f, %c2 : f32
  %p_1 = math.fma %p_2, %f, %c1 : f32
  %p = math.fma %p_1, %f, %c0 : f32
  %ln2Upper = arith.constant 6.931471825e-01 : f32
  %ln2Lower = arith.constant -1.904654212e-09 : f32
  %minusHalf = arith.constant -0.5 : f32
  %f2 = arith.mulf %f, %f : f32
  %f3 = arith.mulf %f2, %f : f32
  %y0 = arith.mulf %p, %f3 : f32
  %y1 = math.fma %e, %ln2Lower, %y0 : f32
  %y2 = math.fma %f2, %minusHalf, %y1 : f32
  %z0 = arith.addf %f, %y2 : f32
  %z = math.fma %e, %ln2Upper, %z0 : f32
  // Infinity and NaN stay; zeros give -infinity, other negatives NaN.
  %infinity = arith.constant 0x7F800000 : f32
  %minusInfinity = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %isFinite = arith.cmpf olt, %x, %infinity : f32
  %upper = arith.select %isFinite, %z, %x : f32
  %isZero = arith.cmpf oeq, %x, %zero : f32
  %lower = arith.select %isZero, %minusInfinity, %nan : f32
  %isUpper = arith.cmpf ugt, %x, %zero : f32
  %result = arith.select %isUpper, %upper, %lower : f32
  return %result : f32
}

// x + x^3 P(x^2) near 0, else 1 - 2 / (e^2|x| + 1) with the sign of x. Error at most 1.4 ulp.
func.func private @dlm_tanh_f32(%x: f32) -> f32 {
  %a = math.absf %x : f32
  %x2 = arith.mulf %x, %x : f32
  %c0 = arith.constant -3.333327770e-01 : f32
  %c1 = arith.constant 1.333133131e-01 : f32
  %c2 = arith.constant -5.373000726e-02 : f32
  %c3 = arith.constant 2.060617693e-02 : f32
  %c4 = arith.constant -5.666977260e-03 : f32
  %p_3 = math.fma %c4, %x2, %c3 : f32
  %p_2 = math.fma %p_3, %x2, %c2 : f32
  %p_1 = math.fma %p_2, %x2, %c1 : f32
  %p = math.fma %p_1, %x2, %c0 : f32
  %t = arith.mulf %p, %x2 : f32
  %small = math.fma %t, %x, %x : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %limit = arith.constant 0.625 : f32
  %a2 = arith.addf %a, %a : f32
  %e = func.call @dlm_exp_f32(%a2) : (f32) -> f32
  %below = arith.addf %e, %one : f32
  %part = arith.divf %two, %below : f32
  %large = arith.subf %one, %part : f32
  %isSmall = arith.cmpf olt, %a, %limit : f32
  %y = arith.select %isSmall, %small, %large : f32
  %result = math.copysign %y, %x : f32
  return %result : f32
}

// x + x P(x^2) near 0, else 1 - e^Q(|x|) with the sign of x, Q fitted to log erfc; from 4 on it
// is 1. Error at most 1.1 ulp.
func.func private @dlm_erf_f32(%x: f32) -> f32 {
  %a = math.absf %x : f32
  %x2 = arith.mulf %x, %x : f32
  %c0 = arith.constant 1.283791661e-01 : f32
  %c1 = arith.constant -3.761263192e-01 : f32
  %c2 = arith.constant 1.128368750e-01 : f32
  %c3 = arith.constant -2.685894072e-02 : f32
  %c4 = arith.constant 5.199906882e-03 : f32
  %c5 = arith.constant -8.130013011e-04 : f32
  %c6 = arith.constant 8.316776075e-05 : f32
  %p_5 = math.fma %c6, %x2, %c5 : f32
  %p_4 = math.fma %p_5, %x2, %c4 : f32
  %p_3 = math.fma %p_4, %x2, %c3 : f32
  %p_2 = math.fma %p_3, %x2, %c2 : f32
  %p_1 = math.fma %p_2, %x2, %c1 : f32
  %p = math.fma %p_1, %x2, %c0 : f32
  %small = math.fma %p, %x, %x : f32
  %last = arith.constant 4.0 : f32
  %isPast = arith.cmpf ogt, %a, %last : f32
  %b = arith.select %isPast, %last, %a : f32
  %d0 = arith.constant 1.732399687e-04 : f32
  %d1 = arith.constant -1.129508138e+00 : f32
  %d2 = arith.constant -6.333602667e-01 : f32
  %d3 = arith.constant -1.082657948e-01 : f32
  %d4 = arith.constant 2.511043288e-02 : f32
  %d5 = arith.constant -4.167740233e-03 : f32
  %d6 = arith.constant 4.337954742e-04 : f32
  %d7 = arith.constant -2.103890620e-05 : f32
  %q_6 = math.fma %d7, %b, %d6 : f32
  %q_5 = math.fma %q_6, %b, %d5 : f32
  %q_4 = math.fma %q_5, %b, %d4 : f32
  %q_3 = math.fma %q_4, %b, %d3 : f32
  %q_2 = math.fma %q_3, %b, %d2 : f32
  %q_1 = math.fma %q_2, %b, %d1 : f32
  %q = math.fma %q_1, %b, %d0 : f32
  %e = func.call @dlm_exp_f32(%q) : (f32) -> f32
  %one = arith.constant 1.0 : f32
  %large = arith.subf %one, %e : f32
  %limit = arith.constant 0.92 : f32
  %isSmall = arith.cmpf olt, %a, %limit : f32
  %y = arith.select %isSmall, %small, %large : f32
  %result = math.copysign %y, %x : f32
  return %result : f32
}

// sin(x + turns pi / 2): n = x / (pi / 2) rounded, r = x - n pi / 2 in three parts, then the sine
// or cosine of r, its sign by the quadrant. NaN beyond 2^20, where three parts no longer hold the
// remainder.
func.func private @dlm_quarter_turns_f32(%x: f32, %turns: i32) -> f32 {
  %inverse = arith.constant 6.366197467e-01 : f32
  %magic = arith.constant 12582912.0 : f32
  %t = math.fma %x, %inverse, %magic : f32
  %n = arith.subf %t, %magic : f32
  %part0 = arith.constant -1.570796371e+00 : f32
  %part1 = arith.constant 4.371138829e-08 : f32
  %part2 = arith.constant 1.715124510e-15 : f32
  %r0 = math.fma %n, %part0, %x : f32
  %r1 = math.fma %n, %part1, %r0 : f32
  %r = math.fma %n, %part2, %r1 : f32
  %r2 = arith.mulf %r, %r : f32
  %c0 = arith.constant -1.666665375e-01 : f32
  %c1 = arith.constant 8.332112804e-03 : f32
  %c2 = arith.constant -1.950874139e-04 : f32
  %p_1 = math.fma %c2, %r2, %c1 : f32
  %p = math.fma %p_1, %r2, %c0 : f32
  %pr = arith.mulf %p, %r2 : f32
  %sine = math.fma %pr, %r, %r : f32
  %d0 = arith.constant -0.5 : f32
  %d1 = arith.constant 4.166664556e-02 : f32
  %d2 = arith.constant -1.388725126e-03 : f32
  %d3 = arith.constant 2.442568257e-05 : f32
  %q_2 = math.fma %d3, %r2, %d2 : f32
  %q_1 = math.fma %q_2, %r2, %d1 : f32
  %q = math.fma %q_1, %r2, %d0 : f32
  %one = arith.constant 1.0 : f32
  %cosine = math.fma %q, %r2, %one : f32
  %oneBit = arith.constant 1 : i32
  %twoBit = arith.constant 2 : i32
  %toSign = arith.constant 30 : i32
  %none = arith.constant 0 : i32
  %bits = arith.bitcast %t : f32 to i32
  %quadrant = arith.addi %bits, %turns : i32
  %odd = arith.andi %quadrant, %oneBit : i32
  %isOdd = arith.cmpi ne, %odd, %none : i32
  %y = arith.select %isOdd, %cosine, %sine : f32
  %upper = arith.andi %quadrant, %twoBit : i32
  %sign = arith.shli %upper, %toSign : i32
  %yBits = arith.bitcast %y : f32 to i32
  %zBits = arith.xori %yBits, %sign : i32
  %z = arith.bitcast %zBits : i32 to f32
  %last = arith.constant 1048576.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %a = math.absf %x : f32
  %isHeld = arith.cmpf ole, %a, %last : f32
  %result = arith.select %isHeld, %z, %nan : f32
  return %result : f32
}

// sin x for |x| <= 2^20. Error at most 1.6 ulp.
func.func private @dlm_sin_f32(%x: f32) -> f32 {
  %turns = arith.constant 0 : i32
  %y = func.call @dlm_quarter_turns_f32(%x, %turns) : (f32, i32) -> f32
  // Keeps the sign of a zero.
  %zero = arith.constant 0.0 : f32
  %isZero = arith.cmpf oeq, %x, %zero : f32
  %result = arith.select %isZero, %x, %y : f32
  return %result : f32
}

// cos x for |x| <= 2^20. Error at most 1.6 ulp.
func.func private @dlm_cos_f32(%x: f32) -> f32 {
  %turns = arith.constant 1 : i32
  %y = func.call @dlm_quarter_turns_f32(%x, %turns) : (f32, i32) -> f32
  return %y : f32
}

// x^y = e^(y log |x|), the logarithm as a sum of two floats: log m = 2 atanh s, s = (m - 1) / (m
// + 1), with the rounding of s carried along. Special cases as in C. Error at most 4 ulp.
func.func private @dlm_powf_f32(%x: f32, %y: f32) -> f32 {
  %a = math.absf %x : f32
  // a = 2^e m with m in [sqrt(1/2), sqrt(2)); denormals are scaled first.
  %normalMin = arith.constant 1.17549435e-38 : f32
  %scale = arith.constant 8388608.0 : f32
  %scalePower = arith.constant -23.0 : f32
  %zero = arith.constant 0.0 : f32
  %isTiny = arith.cmpf olt, %a, %normalMin : f32
  %scaled = arith.mulf %a, %scale : f32
  %x1 = arith.select %isTiny, %scaled, %a : f32
  %more = arith.select %isTiny, %scalePower, %zero : f32
  %rootBits = arith.constant 0x3F3504F3 : i32
  %mantissa = arith.constant 23 : i32
  %bits = arith.bitcast %x1 : f32 to i32
  %above = arith.subi %bits, %rootBits : i32
  %power = arith.shrsi %above, %mantissa : i32
  %powerBits = arith.shli %power, %mantissa : i32
  %mBits = arith.subi %bits, %powerBits : i32
  %m = arith.bitcast %mBits : i32 to f32
  %e0 = arith.sitofp %power : i32 to f32
  %e = arith.addf %e0, %more : f32
  %one = arith.constant 1.0 : f32
  %f = arith.subf %m, %one : f32
  // s and what its rounding lost; m + 1 may itself be rounded.
  %d = arith.addf %m, %one : f32
  %d0 = arith.subf %d, %one : f32
  %dLost = arith.subf %m, %d0 : f32
  %s = arith.divf %f, %d : f32
  %minusS = arith.negf %s : f32
  %left0 = math.fma %minusS, %d, %f : f32
  %left1 = math.fma %minusS, %dLost, %left0 : f32
  %sLost = arith.divf %left1, %d : f32
  %s2 = arith.mulf %s, %s : f32
  %c0 = arith.constant 6.666666269e-01 : f32
  %c1 = arith.constant 4.000034332e-01 : f32
  %c2 = arith.constant 2.853679359e-01 : f32
  %c3 = arith.constant 2.359253466e-01 : f32
  %p_2 = math.fma %c3, %s2, %c2 : f32
  %p_1 = math.fma %p_2, %s2, %c1 : f32
  %p = math.fma %p_1, %s2, %c0 : f32
  %s3 = arith.mulf %s2, %s : f32
  %sLost2 = arith.addf %sLost, %sLost : f32
  %mLow = math.fma %s3, %p, %sLost2 : f32
  %mHigh = arith.addf %s, %s : f32
  // e times the upper 16 bits of ln 2 is exact.
  %ln2Upper = arith.constant 6.931457520e-01 : f32
  %ln2Lower = arith.constant 1.428606765e-06 : f32
  %eHigh = arith.mulf %e, %ln2Upper : f32
  %high = arith.addf %eHigh, %mHigh : f32
  %high0 = arith.subf %high, %eHigh : f32
  %highLost = arith.subf %mHigh, %high0 : f32
  %eLow = math.fma %e, %ln2Lower, %mLow : f32
  %low = arith.addf %highLost, %eLow : f32
  %sum = arith.addf %high, %low : f32
  %sum0 = arith.subf %sum, %high : f32
  %logLow = arith.subf %low, %sum0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %minusInfinity = arith.constant 0xFF800000 : f32
  %isFinite = arith.cmpf olt, %a, %infinity : f32
  %log0 = arith.select %isFinite, %sum, %a : f32
  %isZero = arith.cmpf oeq, %a, %zero : f32
  %logHigh = arith.select %isZero, %minusInfinity, %log0 : f32
  // The product in two parts; the second counts only where e^x is neither 0 nor infinite.
  %product = arith.mulf %y, %logHigh : f32
  %minusProduct = arith.negf %product : f32
  %productLost = math.fma %y, %logHigh, %minusProduct : f32
  %low0 = math.fma %y, %logLow, %productLost : f32
  %range = arith.constant 104.0 : f32
  %size = math.absf %product : f32
  %isInside = arith.cmpf olt, %size, %range : f32
  %productLow = arith.select %isInside, %low0, %zero : f32
  %magnitude = func.call @dlm_scaled_exp_f32(%product, %productLow) : (f32, f32) -> f32
  // The sign, and NaN for a fractional power of a negative number.
  %oneHalf = arith.constant 0.5 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %none = arith.constant 0 : i32
  %whole = math.floor %y : f32
  %isWhole = arith.cmpf oeq, %whole, %y : f32
  %half = arith.mulf %y, %oneHalf : f32
  %halfWhole = math.floor %half : f32
  %isHalfCut = arith.cmpf one, %halfWhole, %half : f32
  %isOdd = arith.andi %isWhole, %isHalfCut : i1
  %xBits = arith.bitcast %x : f32 to i32
  %isBelow = arith.cmpi slt, %xBits, %none : i32
  %isMinus = arith.andi %isOdd, %isBelow : i1
  %minus = arith.negf %magnitude : f32
  %signed = arith.select %isMinus, %minus, %magnitude : f32
  %isNegative = arith.cmpf olt, %x, %zero : f32
  %isFraction = arith.cmpf une, %whole, %y : f32
  %isOutside0 = arith.andi %isNegative, %isFraction : i1
  %isOutside = arith.andi %isOutside0, %isFinite : i1
  %real = arith.select %isOutside, %nan, %signed : f32
  // 1 whatever the other is: x = 1, y = 0, and |x| = 1 to an infinite power.
  %ySize = math.absf %y : f32
  %isYInfinite = arith.cmpf oeq, %ySize, %infinity : f32
  %isUnit = arith.cmpf oeq, %a, %one : f32
  %isUnitPower = arith.andi %isYInfinite, %isUnit : i1
  %isOne = arith.cmpf oeq, %x, %one : f32
  %isYZero = arith.cmpf oeq, %y, %zero : f32
  %isOne0 = arith.ori %isOne, %isYZero : i1
  %isOne1 = arith.ori %isOne0, %isUnitPower : i1
  %result = arith.select %isOne1, %one, %real : f32
  return %result : f32
}
