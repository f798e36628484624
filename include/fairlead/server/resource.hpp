#pragma once

#include <chrono>
#include <fairlead/protocol/model/resources.hpp>
#include <fairlead/server/handler.hpp>

namespace fairlead::server {

/// Description of a resource or a resource template.
struct ResourceOptions {
  std::string name = {};
  std::string description = {};
  std::optional<std::string> title = {};
  std::optional<std::string> mime_type = {};
  std::optional<std::int64_t> size = {};
  std::optional<protocol::Annotations> annotations = {};
  std::optional<std::vector<protocol::Icon>> icons = {};
  std::optional<json::Payload> meta = {};
  std::optional<std::chrono::milliseconds> ttl = {};  ///< How long clients may cache the contents.
  std::optional<protocol::CacheScope> cache_scope = {};
};

/// Binary contents of a resource, as raw bytes. The server encodes them as base64.
struct BlobContents {
  std::string data;
};

/// A registered resource or resource template.
struct ResourceEntry {
  std::string key;  ///< The URI or the template.
  bool is_template = false;
  ResourceOptions options;
  HandlerFunction<protocol::ReadResourceResult> handler;
};

protocol::ReadResourceResult text_contents(std::string text, std::string_view mime_type);
protocol::ReadResourceResult blob_contents(const BlobContents& bytes);

/// Converts a handler's return value to contents. An empty URI or MIME type is filled in from the request.
struct ResourceResultConverter {
  using Output = protocol::ReadResourceResult;

  static Output convert(Output result) { return result; }
  static Output convert(const BlobContents& bytes) { return blob_contents(bytes); }
  static Output convert(protocol::TextResourceContents text) { return {.contents = {std::move(text)}}; }
  static Output convert(protocol::BlobResourceContents blob) { return {.contents = {std::move(blob)}}; }
  static Output convert(std::vector<protocol::ResourceContents> contents) { return {.contents = std::move(contents)}; }

  template <class T>
  static Output convert(const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return text_contents(std::string(value), "text/plain");
    } else {
      return text_contents(json::encode(value), "application/json");
    }
  }
};

template <class F>
ResourceEntry make_resource(std::string key, bool is_template, ResourceOptions options, F function) {
  static_assert(!std::is_void_v<UnwrappedReturn<typename SignatureOf<F>::Return>>, "the handler must return contents");
  return {.key = std::move(key),
          .is_template = is_template,
          .options = std::move(options),
          .handler = make_handler<ResourceResultConverter>(std::move(function))};
}

}  // namespace fairlead::server
