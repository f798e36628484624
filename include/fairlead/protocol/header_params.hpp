#pragma once

#include <fairlead/protocol/headers.hpp>

namespace boost::json {
class value;
}

/// Tool arguments that are repeated as HTTP headers, so that proxies can route without reading the body.
namespace fairlead::protocol {

enum class HeaderParamType : std::uint8_t { string, integer, boolean };

/// An argument that its tool's schema marks with `x-mcp-header`.
struct HeaderParam {
  std::string header;             ///< Full name: `Mcp-Param-Region`.
  std::vector<std::string> path;  ///< Member names from the arguments to the value.
  HeaderParamType type = HeaderParamType::string;

  bool operator==(const HeaderParam&) const = default;
};

/// Collects the marked arguments of an `inputSchema`. The error says why an HTTP client must drop the whole tool: a
/// mark is not an RFC 9110 token, occurs twice (ignoring case), is not on a string, integer or boolean, or is not
/// reachable from the root through `properties` only. The type may also allow null, which counts as absent.
Result<std::vector<HeaderParam>> collect_header_params(const boost::json::value& input_schema);
Result<std::vector<HeaderParam>> collect_header_params(std::string_view input_schema);

/// The headers for these arguments. Absent and null arguments have none. Returns `invalid` for arguments that a header
/// cannot represent (objects, fractions, integers beyond 2^53-1).
Result<std::vector<Header>> param_headers(std::span<const HeaderParam> params, const boost::json::value& arguments);

/// Checks that the headers match the arguments; ProtocolError::header_mismatch otherwise. Compares integers by value
/// (42 equals 42.0). Ignores `Mcp-Param-…` headers that the schema does not define.
Result<void> check_param_headers(std::span<const HeaderParam> params, std::span<const HeaderView> headers,
                                 const boost::json::value& arguments);

}  // namespace fairlead::protocol
