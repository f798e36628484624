#pragma once

#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/protocol/headers.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace boost::json {
class value;
}

/// Tool arguments that travel a second time, as headers, so that proxies can route without reading the body.
namespace fairlead::protocol {

enum class HeaderParamType : std::uint8_t { string, integer, boolean };

/// An argument that its tool's schema marks with `x-mcp-header`.
struct HeaderParam {
  std::string header;             ///< In full: `Mcp-Param-Region`.
  std::vector<std::string> path;  ///< Member names from the arguments down to the value.
  HeaderParamType type = HeaderParamType::string;

  bool operator==(const HeaderParam&) const = default;
};

/// The marked arguments of an `inputSchema`, or why a client over HTTP must drop the whole tool: a mark that is no RFC
/// 9110 token, stands twice (ignoring case), is not on a string, integer or boolean, or cannot be reached from the root
/// through `properties` alone. A type that may also be null is fine: null is the same as absent.
Result<std::vector<HeaderParam>> collect_header_params(const boost::json::value& input_schema);
Result<std::vector<HeaderParam>> collect_header_params(std::string_view input_schema);

/// The headers that go with these arguments. Absent and null arguments have none. Arguments that no header can hold
/// (objects, fractions, integers beyond 2^53-1) are `invalid`.
Result<std::vector<Header>> param_headers(std::span<const HeaderParam> params, const boost::json::value& arguments);

/// Whether the headers say what the arguments say; Fault::header_mismatch if not. Integers compare by
/// value (42 is 42.0). `Mcp-Param-…` headers that the schema does not know are let through.
Result<void> check_param_headers(std::span<const HeaderParam> params, std::span<const HeaderView> headers,
                                 const boost::json::value& arguments);

}  // namespace fairlead::protocol
