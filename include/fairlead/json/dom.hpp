#pragma once

#include <boost/json.hpp>
#include <fairlead/json/codec/containers.hpp>
#include <fairlead/json/codec/decoder.hpp>
#include <fairlead/json/codec/scalars.hpp>
#include <string>
#include <string_view>

namespace fairlead::json {

/// Parses text that is known to be valid. Numbers that a double cannot hold become infinite or zero.
boost::json::value parse_dom(std::string_view valid_text);

/// Always valid JSON, as Boost's own serializer is not: infinities and NaN become null, and bytes that are not UTF-8
/// U+FFFD.
void write_dom(std::string& out, const boost::json::value& value);

template <>
inline constexpr bool may_be_null<boost::json::value> = true;

/// Lets a struct or a handler take a parsed document where it wants one. Include this header for it.
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
