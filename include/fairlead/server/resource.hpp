#pragma once

#include <chrono>
#include <fairlead/protocol/model/resources.hpp>
#include <fairlead/server/handler.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::server {

/// What can be said of a resource, or of a template of resources.
struct ResourceOptions {
  std::string name = {};
  std::string description = {};
  std::optional<std::string> title = {};
  std::optional<std::string> mime_type = {};
  std::optional<std::int64_t> size = {};
  std::optional<protocol::Annotations> annotations = {};
  std::optional<std::vector<protocol::Icon>> icons = {};
  std::optional<json::Payload> meta = {};
  std::optional<std::chrono::milliseconds> ttl = {};  ///< How long what was read stays good.
  std::optional<protocol::CacheScope> cache_scope = {};
};

/// A resource's content that is not text; base64 is our business.
struct Bytes {
  std::string data;
};

/// A resource or a template as it is registered; of the two definitions one counts.
struct ResourceEntry {
  std::string key;  ///< The URI or the template.
  bool is_template = false;
  ResourceOptions options;
  Handler<protocol::ReadResourceResult> handler;
};

protocol::ReadResourceResult text_contents(std::string text, std::string_view mime_type);
protocol::ReadResourceResult byte_contents(const Bytes& bytes);

/// How a handler's return value becomes contents. A URI or a MIME type left empty is filled in from the request.
struct ResourceShape {
  using Output = protocol::ReadResourceResult;

  static Output make(Output result) { return result; }
  static Output make(const Bytes& bytes) { return byte_contents(bytes); }
  static Output make(protocol::TextResourceContents text) { return {.contents = {std::move(text)}}; }
  static Output make(protocol::BlobResourceContents blob) { return {.contents = {std::move(blob)}}; }
  static Output make(std::vector<protocol::ResourceContents> contents) { return {.contents = std::move(contents)}; }

  template <class T>
  static Output make(const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return text_contents(std::string(value), "text/plain");
    } else {
      return text_contents(json::encode(value), "application/json");
    }
  }
};

template <class F>
ResourceEntry make_resource(std::string key, bool is_template, ResourceOptions options, F function) {
  static_assert(!std::is_void_v<Given<typename SignatureOf<F>::Return>>, "a resource's handler returns its contents");
  return {.key = std::move(key),
          .is_template = is_template,
          .options = std::move(options),
          .handler = make_handler<ResourceShape>(std::move(function))};
}

}  // namespace fairlead::server
