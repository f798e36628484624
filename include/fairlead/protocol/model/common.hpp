#pragma once

#include <cstdint>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/jsonrpc/id.hpp>
#include <optional>
#include <string>
#include <vector>

/// The neutral model: for each thing of the specification one struct with the members of all revisions.
///
/// What a revision demands of a message beyond this (`resultType`, `ttlMs`, the `_meta` of a stateless request) is put
/// on and taken off by its codec, see revision.hpp. JSON whose shape is somebody else's business stays a `Payload`,
/// and what others list (tools, resources, prompts, capabilities) keeps its unknown members in an `Extra`.
namespace fairlead::protocol {

using json::Payload;
using jsonrpc::Id;

// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

enum class Role : std::uint8_t { user, assistant };

/// From most to least chatty, as RFC 5424 orders them.
enum class LoggingLevel : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

/// Hints for whoever shows or uses a piece of content (schema.ts: Annotations).
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

/// Who a client or server is.
struct Implementation {
  std::string name;
  std::optional<std::string> title = {};
  std::string version = "";
  std::optional<std::string> description = {};
  std::optional<std::string> websiteUrl = {};
  std::optional<std::vector<Icon>> icons = {};
  json::Extra extra = {};
};

/// Params or result of a method that has none of its own.
struct Empty {
  std::optional<Payload> _meta = {};
};

/// Params of every list method. An empty string is a cursor like any other.
struct PaginatedParams {
  std::optional<std::string> cursor = {};
  std::optional<Payload> _meta = {};
};

enum class CacheScope : std::uint8_t { private_, public_ };

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::Implementation> : CompiledOnce<protocol::Implementation> {};
template <>
struct Codec<protocol::Empty> : CompiledOnce<protocol::Empty> {};
template <>
struct Codec<protocol::PaginatedParams> : CompiledOnce<protocol::PaginatedParams> {};

}  // namespace fairlead::json
