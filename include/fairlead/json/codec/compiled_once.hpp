#pragma once

#include <fairlead/json/codec/decoder.hpp>
#include <string>

namespace fairlead::json {

/// The codec of a type that many sources use: declared for all of them, compiled for one.
///
/// Where the type is: `template <> struct json::Codec<Tool> : json::CompiledOnce<Tool> {};`. In one source, which
/// includes codec/compile.hpp: `template struct json::CompiledOnce<Tool>;`.
template <class T>
struct CompiledOnce {
  static void write(std::string& out, const T& value);
  static bool read(Decoder& decoder, T& value);
  static void describe(SchemaText& schema);
};

}  // namespace fairlead::json
