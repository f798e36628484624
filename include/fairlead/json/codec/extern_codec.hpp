#pragma once

#include <fairlead/json/codec/decoder.hpp>

namespace fairlead::json {

/// A codec that is declared in the header of its type and compiled in one source, to reduce compile time.
///
/// In the header: `template <> struct json::Codec<Tool> : json::ExternCodec<Tool> {};`. In one source, which includes
/// codec/extern_codec_impl.hpp: `template struct json::ExternCodec<Tool>;`.
template <class T>
struct ExternCodec {
  static void write(std::string& out, const T& value);
  static bool read(Decoder& decoder, T& value);
  static void describe(SchemaText& schema);
};

}  // namespace fairlead::json
