#pragma once

#include <fairlead/json/codec/extern_codec.hpp>
#include <fairlead/json/codec/structs.hpp>
#include <fairlead/json/codec/variants.hpp>

/// Definitions of `ExternCodec`, for the source that instantiates it.
namespace fairlead::json {
namespace detail {

/// The codec of a type without ExternCodec.
template <class T>
struct DefaultCodec : StructCodec<T> {};
template <class... T>
struct DefaultCodec<std::variant<T...>> : VariantCodec<T...> {};

}  // namespace detail

template <class T>
void ExternCodec<T>::write(std::string& out, const T& value) {
  detail::DefaultCodec<T>::write(out, value);
}

template <class T>
bool ExternCodec<T>::read(Decoder& decoder, T& value) {
  return detail::DefaultCodec<T>::read(decoder, value);
}

template <class T>
void ExternCodec<T>::describe(SchemaText& schema) {
  detail::DefaultCodec<T>::describe(schema);
}

}  // namespace fairlead::json
