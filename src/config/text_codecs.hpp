#pragma once

#include "config/field_codec.hpp"

/// Codecs of strings with restrictions.
namespace fairlead::config {

/// A path relative to the folder of the configuration.
struct PathCodec : FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
};

/// Parses the path of a URL and removes trailing slashes. Errors quote `shown`.
Result<std::string> read_url_path(std::string_view text, std::string_view shown);

/// The path of a URL: empty, or `/like/this`.
using UrlPathCodec = ParsedCodec<&read_url_path>;

/// A URL path, or `off`, which is stored as empty.
struct OptionalUrlPathCodec : FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
  static void show(Printer& printer, std::string_view name, const std::string& value);
};

struct HeadersCodec : FieldCodec<Texts> {
  static void read(ReadContext& context, const NodeRef& ref, Texts& into);
  static void show(Printer& printer, std::string_view name, const Texts& value);
};

}  // namespace fairlead::config
