#pragma once

#include <fairlead/json/codec.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/jsonrpc/id.hpp>
#include <optional>
#include <vector>

/// The revision-independent model: one struct per type of the specification, with the members of all revisions.
///
/// Members that only some revisions require (`resultType`, `ttlMs`, the `_meta` of a stateless request) are added and
/// removed by the codec, see era_codec.hpp. JSON of application-defined form is a `Payload`. Types that a gateway
/// forwards (tools, resources, prompts, capabilities) keep unknown members in an `Extra`.
namespace fairlead::protocol {

using json::Payload;
using jsonrpc::Id;

// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

enum class Role : std::uint8_t { user, assistant };

/// From most to least verbose, the severities of RFC 5424.
enum class LoggingLevel : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

/// Hints for displaying or using content (schema.ts: Annotations).
struct Annotations {
  std::optional<std::vector<Role>> audience = {};
  std::optional<double> priority = {};
  std::optional<std::string> lastModified = {};  ///< ISO 8601.
  json::Extra extra = {};
};

enum class IconTheme : std::uint8_t { light, dark };

struct Icon {
  std::string src;
  std::optional<std::string> mimeType = {};
  std::optional<std::vector<std::string>> sizes = {};  ///< "48x48" or "any".
  std::optional<IconTheme> theme = {};
  json::Extra extra = {};
};

/// Name and version of a client or server (clientInfo, serverInfo).
struct Implementation {
  std::string name;
  std::optional<std::string> title = {};
  std::string version = "";
  std::optional<std::string> description = {};
  std::optional<std::string> websiteUrl = {};
  std::optional<std::vector<Icon>> icons = {};
  json::Extra extra = {};
};

/// Params or result of a method that defines none.
struct Empty {
  std::optional<Payload> _meta = {};
};

/// Params of every list method. An empty string is a valid cursor.
struct PaginatedParams {
  std::optional<std::string> cursor = {};
  std::optional<Payload> _meta = {};
};

enum class CacheScope : std::uint8_t { private_, public_ };

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::Implementation> : ExternCodec<protocol::Implementation> {};
template <>
struct Codec<protocol::Empty> : ExternCodec<protocol::Empty> {};
template <>
struct Codec<protocol::PaginatedParams> : ExternCodec<protocol::PaginatedParams> {};

}  // namespace fairlead::json
