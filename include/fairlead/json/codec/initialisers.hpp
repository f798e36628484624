#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fairlead/json/codec/absence.hpp>
#include <fairlead/json/codec/containers.hpp>
#include <fairlead/json/codec/decoder.hpp>
#include <fairlead/json/reflect.hpp>
#include <new>

/// Finds the members of a struct with a default member initialiser: they may be absent from JSON, and their schema has
/// a `default`.
///
/// For numbers, booleans and enumerations every initialiser counts. For any other type an initialiser counts if its
/// JSON differs from that of a default-constructed value: `std::string name = "x"` does, `std::vector<int> list = {}`
/// does not, because C++ cannot tell it from no initialiser at all. A struct with a static member
/// `initialisers_are_defaults = false` keeps all of its members required.
namespace fairlead::json::detail {

template <class T>
constexpr const T& inside_doc(const T& value) {
  return value;
}
template <class T, FixedString text>
constexpr const T& inside_doc(const Doc<T, text>& doc) {
  return doc.value;
}

template <class T, std::size_t I>
using PlainMember = std::remove_cvref_t<decltype(inside_doc(std::declval<const MemberType<T, I>&>()))>;

// Reading an uninitialised member is not a constant expression.
template <class T, std::size_t I>
consteval bool reads_after_default_initialisation() {
  T object;
  [[maybe_unused]] const auto copy = inside_doc(Members<T>::template get<I>(std::as_const(object)));
  return true;
}
template <class T>
consteval bool makes_constant() {
  [[maybe_unused]] T object;
  return true;
}
template <class T, std::size_t I>
concept ReadsAsConstant = requires { typename std::bool_constant<reads_after_default_initialisation<T, I>()>; };
template <class T>
concept MakesConstant = requires { typename std::bool_constant<makes_constant<T>()>; };

template <class T>
void default_initialise(void* storage) {
  new (storage) T;
}

/// True if the bytes of a member are unchanged after default-initialising an object in memory filled with `fill`.
template <class T, std::size_t I>
bool keeps_bytes(unsigned char fill) {
  alignas(T) unsigned char storage[sizeof(T)];
  std::memset(storage, fill, sizeof storage);
  // Volatile: otherwise the compiler may omit the writes, because the constructor does not read the bytes.
  void (*volatile construct)(void*) = &default_initialise<T>;
  construct(storage);
  T* const object = std::launder(reinterpret_cast<T*>(storage));
  unsigned char bytes[sizeof(PlainMember<T, I>)];
  std::memcpy(bytes, &inside_doc(Members<T>::template get<I>(std::as_const(*object))), sizeof bytes);
  object->~T();
  return std::ranges::all_of(bytes, [&](unsigned char byte) { return byte == fill; });
}

/// The JSON of a value; empty if it has none, such as an unnamed enumeration value.
template <class T>
std::string json_or_nothing(const T& value) {
  try {
    std::string text;
    Codec<T>::write(text, value);
    return text;
  } catch (const std::exception&) {
    return {};
  }
}

template <class T, std::size_t I>
bool has_initialiser() {
  using Member = MemberType<T, I>;
  if constexpr (std::is_scalar_v<PlainMember<T, I>> && MakesConstant<T>) {
    return ReadsAsConstant<T, I>;
  } else if constexpr (std::is_scalar_v<PlainMember<T, I>> && std::is_default_constructible_v<T>) {
    return !keeps_bytes<T, I>(0xA5) || !keeps_bytes<T, I>(0x5A);
  } else if constexpr (std::is_default_constructible_v<Member>) {
    const T object{};
    return json_or_nothing(Members<T>::template get<I>(object)) != json_or_nothing(Member{});
  } else {
    return true;
  }
}

template <class T>
concept InitialisersIgnored = requires { requires !T::initialisers_are_defaults; };

template <class T, std::size_t I>
bool has_default() {
  if constexpr (InitialisersIgnored<T> || may_be_absent<MemberType<T, I>>) {
    return false;
  } else {
    return has_initialiser<T, I>();
  }
}

/// A bit for each member that is not optional and has an initialiser. Computed on first use.
template <class T>
std::uint64_t initialised_members() {
  static const std::uint64_t mask = []<std::size_t... I>(std::index_sequence<I...>) {
    return (std::uint64_t{0} | ... | (std::uint64_t{has_default<T, I>()} << I));
  }(std::make_index_sequence<Members<T>::count>{});
  return mask;
}

/// The JSON of a member's default; empty if it has none.
template <class T, std::size_t I>
std::string default_json() {
  using Member = MemberType<T, I>;
  if constexpr (InitialisersIgnored<T> || std::is_same_v<Member, Extra>) {
    return {};
  } else {
    if (!may_be_absent<Member> && (initialised_members<T>() >> I & 1) == 0) return {};
    const T object{};
    const auto& member = Members<T>::template get<I>(object);
    return is_absent(member) ? std::string() : json_or_nothing(member);
  }
}

}  // namespace fairlead::json::detail
