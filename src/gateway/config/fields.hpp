#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/config/config_printer.hpp"
#include "gateway/config/read_context.hpp"

namespace fairlead::gateway {

/// Servers that a key is valid for.
enum class AppliesTo : std::uint8_t { all, command, url };

/// One configuration key: how to read it into its struct, and how to print it.
template <class T>
struct Field {
  std::string_view name;
  void (*read)(ReadContext& context, const NodeRef& ref, T& into);
  void (*show)(ConfigPrinter& showing, std::string_view name, const T& of);
  AppliesTo servers = AppliesTo::all;
};

/// The keys of a struct in the order in which they are printed.
template <class T>
std::span<const Field<T>> fields();

template <>
std::span<const Field<ServerConfig>> fields();
template <>
std::span<const Field<RestartConfig>> fields();
template <>
std::span<const Field<ListenConfig>> fields();
template <>
std::span<const Field<ListenTlsConfig>> fields();
template <>
std::span<const Field<transport::HttpPaths>> fields();
template <>
std::span<const Field<NamingConfig>> fields();
template <>
std::span<const Field<PendingInputConfig>> fields();
template <>
std::span<const Field<LogConfig>> fields();
template <>
std::span<const Field<TraceConfig>> fields();
/// All keys of the root but the servers.
template <>
std::span<const Field<GatewayConfig>> fields();

template <class T>
const Field<T>* find_field(std::string_view name) {
  for (const auto& field : fields<T>()) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

template <class T>
std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const auto& field : fields<T>()) names.emplace_back(field.name);
  return names;
}

/// Reads a map into a struct. Members whose keys are absent keep their values.
template <class T>
void read_fields(ReadContext& context, const NodeRef& ref, T& into) {
  if (!context.is(ref, Node::Kind::map)) return;
  for (const auto& child : ref.node.children) {
    const auto member = ref.member(child);
    if (const auto* field = find_field<T>(child.key)) {
      field->read(context, member, into);
    } else {
      context.unknown_key(member, field_names<T>());
    }
  }
}

template <class T>
void show_fields(ConfigPrinter& showing, const T& of) {
  for (const auto& field : fields<T>()) field.show(showing, field.name, of);
}

}  // namespace fairlead::gateway
