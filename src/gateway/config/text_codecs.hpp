#pragma once

#include "gateway/config/field_codec.hpp"

/// Codecs of strings with restrictions.
namespace fairlead::gateway {

/// A path relative to the folder of the configuration.
struct PathCodec : FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
};

/// The path of a socket, or `off`.
struct ControlCodec : FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
};

/// A file, or `on` for the default file.
struct PinsCodec : FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
};

/// Parses the path of a URL and removes trailing slashes. Errors quote `shown`.
Result<std::string> read_url_path(std::string_view text, std::string_view shown);

/// The path of a URL: empty, or `/like/this`.
struct UrlPathCodec : FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
};

/// A URL path, or `off`, which is stored as empty.
struct OptionalUrlPathCodec : FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
  static void show(ConfigPrinter& showing, std::string_view name, const std::string& value);
};

struct RevisionCodec : FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
};

/// A prefix for the names of tools.
struct PrefixCodec : FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
};

struct HeadersCodec : FieldCodec<std::map<std::string, std::string>> {
  static void read(ReadContext& context, const NodeRef& ref, std::map<std::string, std::string>& into);
  static void show(ConfigPrinter& showing, std::string_view name, const std::map<std::string, std::string>& value);
};

/// SHA-256 hashes by caller. Prints the names of the callers only.
struct KeyHashesCodec : FieldCodec<std::map<std::string, std::string>> {
  static void read(ReadContext& context, const NodeRef& ref, std::map<std::string, std::string>& into);
  static void show(ConfigPrinter& showing, std::string_view name, const std::map<std::string, std::string>& value);
};

/// A map, or one listen address such as `http://127.0.0.1:8080`.
struct ListenCodec : FieldCodec<ListenConfig> {
  static void read(ReadContext& context, const NodeRef& ref, ListenConfig& into);
};

}  // namespace fairlead::gateway
