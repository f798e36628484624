#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/config/reading.hpp"
#include "gateway/config/showing.hpp"

namespace fairlead::gateway {

/// Which servers a key is for.
enum class For : std::uint8_t { all, command, url };

/// One key of a configuration: how it is read into its struct, and how it is shown.
template <class T>
struct Field {
  std::string_view name;
  void (*read)(Reading& reading, const Place& place, T& into);
  void (*show)(Showing& showing, std::string_view name, const T& of);
  For servers = For::all;
};

/// The keys of a struct, in the order in which they are shown.
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
std::span<const Field<MergeConfig>> fields();
template <>
std::span<const Field<ParkingConfig>> fields();
template <>
std::span<const Field<LogConfig>> fields();
template <>
std::span<const Field<TraceConfig>> fields();
/// Without the servers.
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

/// Reads a map into a struct; what the map does not name stays as it was.
template <class T>
void read_fields(Reading& reading, const Place& place, T& into) {
  if (!reading.is(place, Node::Kind::map)) return;
  for (const auto& child : place.node.children) {
    const auto member = place.member(child);
    if (const auto* field = find_field<T>(child.key)) {
      field->read(reading, member, into);
    } else {
      reading.unknown(member, field_names<T>());
    }
  }
}

template <class T>
void show_fields(Showing& showing, const T& of) {
  for (const auto& field : fields<T>()) field.show(showing, field.name, of);
}

}  // namespace fairlead::gateway
