#pragma once

#include <fairlead/json/codec/compiled_once.hpp>
#include <fairlead/json/codec/structs.hpp>
#include <fairlead/json/codec/variants.hpp>

/// The bodies of `CompiledOnce`, for the source that instantiates it.
namespace fairlead::json {
namespace detail {

/// The codec that a type would have if it did not name one.
template <class T>
struct General : StructCodec<T> {};
template <class... T>
struct General<std::variant<T...>> : VariantCodec<T...> {};

}  // namespace detail

template <class T>
void CompiledOnce<T>::write(std::string& out, const T& value) {
  detail::General<T>::write(out, value);
}

template <class T>
bool CompiledOnce<T>::read(Decoder& decoder, T& value) {
  return detail::General<T>::read(decoder, value);
}

template <class T>
void CompiledOnce<T>::describe(SchemaText& schema) {
  detail::General<T>::describe(schema);
}

}  // namespace fairlead::json
