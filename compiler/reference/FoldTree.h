// The order of a reduction, written as plainly as it is defined (NUMERICS in the README): chunks of
// lanes of chains. Nothing here is fast; everything here is the definition.
#pragma once

#include <cstdint>
#include <vector>

namespace dlm::reference {

/// Folds `values` by halving over the next power of two, padded with the identity: value i meets
/// value i + half, the lower number on the left.
template <class T, class Combine>
T foldByHalves(std::vector<T> values, T identity, Combine combine) {
  size_t width = 1;
  while (width < values.size())
    width *= 2;
  values.resize(width, identity);
  for (size_t half = width / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      values[i] = combine(values[i], values[i + half]);
  return values[0];
}

/// Combines `count` elements: element e belongs to chunk e / chunk and lane e mod lanes; a lane is
/// a chain from the identity with the chain on the left.
template <class T, class Combine>
T foldTree(const T *elements, int64_t count, int64_t lanes, int64_t chunk, T identity,
           Combine combine) {
  std::vector<T> chunkResults;
  for (int64_t begin = 0; begin < count; begin += chunk) {
    int64_t end = begin + chunk < count ? begin + chunk : count;
    std::vector<T> laneResults(lanes, identity);
    for (int64_t e = begin; e < end; ++e)
      laneResults[e % lanes] = combine(laneResults[e % lanes], elements[e]);
    chunkResults.push_back(foldByHalves(std::move(laneResults), identity, combine));
  }
  return foldByHalves(std::move(chunkResults), identity, combine);
}

/// One chain from the identity: a reduction without a tree.
template <class T, class Combine>
T foldChain(const T *elements, int64_t count, T identity, Combine combine) {
  T result = identity;
  for (int64_t e = 0; e < count; ++e)
    result = combine(result, elements[e]);
  return result;
}

} // namespace dlm::reference
