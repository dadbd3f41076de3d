// Random numbers without a state: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", SC11) turns a counter and a key into 128 random bits. Every random
// value of a run is a function of (seed, attempt, site, index), so it does not matter which thread
// makes it, or whether it is made twice. These are the reference formulas of `dlm.random`; the
// interpreter uses them and generated code must equal them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace dlm {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

constexpr uint32_t PhiloxMultiplier0 = 0xD2511F53u;
constexpr uint32_t PhiloxMultiplier1 = 0xCD9E8D57u;
constexpr uint32_t PhiloxWeyl0 = 0x9E3779B9u;
constexpr uint32_t PhiloxWeyl1 = 0xBB67AE85u;

/// Philox4x32 with ten rounds: the four words of block `counter` under `key`.
constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t(PhiloxMultiplier0) * counter[0];
    uint64_t product1 = uint64_t(PhiloxMultiplier1) * counter[2];
    counter = {uint32_t(product1 >> 32) ^ counter[1] ^ key[0], uint32_t(product1),
               uint32_t(product0 >> 32) ^ counter[3] ^ key[1], uint32_t(product0)};
    key = {key[0] + PhiloxWeyl0, key[1] + PhiloxWeyl1};
  }
  return counter;
}

/// Names one random value of a run: element `index` of the random tensor `site` in attempt
/// `attempt` under `seed`.
struct RandomPlace {
  uint64_t seed;
  uint64_t attempt; // on a loader's thread: the sample above, the epoch below, see `sampleDraw`
  uint32_t site;
  uint64_t index;
};

/// The block of four words that holds the place's word (`index` modulo 4).
constexpr PhiloxCounter randomBlock(RandomPlace place) {
  uint64_t block = place.index / 4;
  uint32_t high = uint32_t(block >> 32) + uint32_t(place.attempt >> 32);
  return philox4x32({uint32_t(block), high, uint32_t(place.attempt), place.site},
                    {uint32_t(place.seed), uint32_t(place.seed >> 32)});
}

/// The attempt by which a sample draws: another one for each sample and epoch. An evaluation is the
/// epoch `EvaluationEpoch`, so what it draws is fixed.
constexpr uint32_t EvaluationEpoch = 0xFFFFFFFF;
constexpr uint64_t sampleDraw(uint64_t sample, uint32_t epoch) {
  return uint64_t(uint32_t(sample)) << 32 | uint32_t(epoch + uint32_t(sample >> 32));
}

/// 32 random bits.
constexpr uint32_t randomBits(RandomPlace place) { return randomBlock(place)[place.index % 4]; }

/// Bits to a float in [0, 1): a multiple of 2^-24, exact.
constexpr float uniformFromBits(uint32_t bits) { return float(bits >> 8) * 0x1p-24f; }

/// A uniform value in [0, 1).
constexpr float randomUniform(RandomPlace place) { return uniformFromBits(randomBits(place)); }

/// The two uniforms of Box and Muller for a place: u1 in (0, 1] and u2 in [0, 1), from the even
/// and the odd word of the place's pair; an even index takes the cosine, an odd one the sine.
struct NormalUniforms {
  float u1;
  float u2;
  bool sine;
};
constexpr NormalUniforms normalUniforms(RandomPlace place) {
  PhiloxCounter block = randomBlock(place);
  uint32_t word = place.index % 4;
  return {float((block[word & ~1u] >> 8) + 1) * 0x1p-24f, uniformFromBits(block[word | 1u]),
          (word & 1u) != 0};
}

constexpr float TwoPiF32 = 6.28318530717958647692f;

/// A standard normal value in f32. `Math` provides `log`, `sin` and `cos` of floats: the project's
/// own functions where bits matter.
template <class Math> float randomNormal(RandomPlace place, const Math &math) {
  NormalUniforms u = normalUniforms(place);
  float radius = std::sqrt(-2.0f * math.log(u.u1));
  float angle = TwoPiF32 * u.u2;
  return radius * (u.sine ? math.sin(angle) : math.cos(angle));
}

/// The same value in f64 with the C library's functions: what the f32 one approximates.
inline double randomNormalExact(RandomPlace place) {
  NormalUniforms u = normalUniforms(place);
  double radius = std::sqrt(-2.0 * std::log(double(u.u1)));
  double angle = 6.28318530717958647692 * double(u.u2);
  return radius * (u.sine ? std::sin(angle) : std::cos(angle));
}

} // namespace dlm
