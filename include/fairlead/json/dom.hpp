#pragma once

#include <boost/json.hpp>
#include <fairlead/json/codec/containers.hpp>
#include <fairlead/json/codec/decoder.hpp>
#include <fairlead/json/codec/scalars.hpp>

namespace fairlead::json {

/// Parses valid JSON text. Numbers out of the range of double become infinite or zero.
boost::json::value parse_dom(std::string_view valid_text);

/// Appends the value as JSON. Unlike Boost's serializer, always writes valid JSON: infinities and NaN become null,
/// bytes that are not UTF-8 become U+FFFD.
void write_dom(std::string& out, const boost::json::value& value);

template <>
inline constexpr bool may_be_null<boost::json::value> = true;

/// Codec of struct members and handler parameters of type boost::json::value. Include this header to use it.
template <>
struct Codec<boost::json::value> {
  static void write(std::string& out, const boost::json::value& value) { write_dom(out, value); }
  static bool read(Decoder& decoder, boost::json::value& value) {
    value = parse_dom(decoder.in.skip());
    return true;
  }
  static void describe(SchemaText& schema) { Codec<Payload>::describe(schema); }
};

}  // namespace fairlead::json
