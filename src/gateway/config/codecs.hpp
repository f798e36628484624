#pragma once

#include "config/field_codec.hpp"
#include "gateway/config/fields.hpp"

/// Codecs of values that only a gateway has.
namespace fairlead::gateway {

struct ChainCodec {
  static void read(config::ReadContext& context, const config::NodeRef& ref, ChainConfig& into);
  static void show(config::Printer& printer, std::string_view name, const ChainConfig& value);
};

/// The path of a socket, or `off`.
struct ControlCodec : config::FieldCodec<std::string> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, std::string& into);
};

/// A file, or `on` for the default file.
struct PinsCodec : config::FieldCodec<std::string> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, std::string& into);
};

Result<std::string> read_revision(std::string_view text, std::string_view shown);
using RevisionCodec = config::ParsedCodec<&read_revision>;

/// A prefix for the names of tools.
Result<std::string> read_prefix(std::string_view text, std::string_view shown);
using PrefixCodec = config::ParsedCodec<&read_prefix>;

/// SHA-256 hashes by caller. Prints the names of the callers only.
struct KeyHashesCodec : config::FieldCodec<config::Texts> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, config::Texts& into);
  static void show(config::Printer& printer, std::string_view name, const config::Texts& value);
};

/// A map, or one listen address such as `http://127.0.0.1:8080`.
struct ListenCodec : config::FieldCodec<ListenConfig> {
  static void read(config::ReadContext& context, const config::NodeRef& ref, ListenConfig& into);
};

}  // namespace fairlead::gateway
