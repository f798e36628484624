#pragma once

#include <cstddef>
#include <utility>

namespace fairlead::json::detail {

template <std::size_t index, class T>
struct Reference {
  T& to;
};

/// A tuple of references without std::tuple's constructors, to reduce compile time.
template <class Indices, class... T>
struct References;
template <std::size_t... index, class... T>
struct References<std::index_sequence<index...>, T...> : Reference<index, T>... {};

template <class... T>
constexpr References<std::index_sequence_for<T...>, T...> refer(T&... members) {
  return {{members}...};
}

template <std::size_t index, class T>
constexpr T& pick(const Reference<index, T>& reference) {
  return reference.to;
}

/// References to the members of an aggregate with `count` of them.
template <std::size_t count, class T>
// NOLINTNEXTLINE(readability-function-size): one branch per member count.
constexpr auto tie_members(T& object) {
  static_assert(count <= 32, "more than 32 members: describe the type with BOOST_DESCRIBE_STRUCT");
  if constexpr (count == 0) {
    return refer();
  } else if constexpr (count == 1) {
    auto& [m0] = object;
    return refer(m0);
  } else if constexpr (count == 2) {
    auto& [m0, m1] = object;
    return refer(m0, m1);
  } else if constexpr (count == 3) {
    auto& [m0, m1, m2] = object;
    return refer(m0, m1, m2);
  } else if constexpr (count == 4) {
    auto& [m0, m1, m2, m3] = object;
    return refer(m0, m1, m2, m3);
  } else if constexpr (count == 5) {
    auto& [m0, m1, m2, m3, m4] = object;
    return refer(m0, m1, m2, m3, m4);
  } else if constexpr (count == 6) {
    auto& [m0, m1, m2, m3, m4, m5] = object;
    return refer(m0, m1, m2, m3, m4, m5);
  } else if constexpr (count == 7) {
    auto& [m0, m1, m2, m3, m4, m5, m6] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6);
  } else if constexpr (count == 8) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7);
  } else if constexpr (count == 9) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8);
  } else if constexpr (count == 10) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9);
  } else if constexpr (count == 11) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10);
  } else if constexpr (count == 12) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11);
  } else if constexpr (count == 13) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12);
  } else if constexpr (count == 14) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13);
  } else if constexpr (count == 15) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14);
  } else if constexpr (count == 16) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
  } else if constexpr (count == 17) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16);
  } else if constexpr (count == 18) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17);
  } else if constexpr (count == 19) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18);
  } else if constexpr (count == 20) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19);
  } else if constexpr (count == 21) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20);
  } else if constexpr (count == 22) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21);
  } else if constexpr (count == 23) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22] =
        object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                 m22);
  } else if constexpr (count == 24) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
           m23] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                 m22, m23);
  } else if constexpr (count == 25) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                 m22, m23, m24);
  } else if constexpr (count == 26) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                 m22, m23, m24, m25);
  } else if constexpr (count == 27) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                 m22, m23, m24, m25, m26);
  } else if constexpr (count == 28) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                 m22, m23, m24, m25, m26, m27);
  } else if constexpr (count == 29) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                 m22, m23, m24, m25, m26, m27, m28);
  } else if constexpr (count == 30) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                 m22, m23, m24, m25, m26, m27, m28, m29);
  } else if constexpr (count == 31) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                 m22, m23, m24, m25, m26, m27, m28, m29, m30);
  } else if constexpr (count == 32) {
    auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
           m24, m25, m26, m27, m28, m29, m30, m31] = object;
    return refer(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21,
                 m22, m23, m24, m25, m26, m27, m28, m29, m30, m31);
  }
}

}  // namespace fairlead::json::detail
