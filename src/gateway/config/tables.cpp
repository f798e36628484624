#include <array>

#include "gateway/config/forms.hpp"
#include "gateway/config/text_forms.hpp"
#include "gateway/config/trace_form.hpp"

namespace fairlead::gateway {

template <>
std::span<const Field<RestartConfig>> fields() {
  using T = RestartConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::first>("first"),
      field<&T::most>("most"),
      field<&T::give_up_after>("give_up_after"),
  });
  return table;
}

template <>
std::span<const Field<ServerConfig>> fields() {
  using T = ServerConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::command>("command", For::command),
      field<&T::env>("env", For::command),
      field<&T::inherit_env>("inherit_env", For::command),
      field<&T::cwd, PathForm>("cwd", For::command),
      field<&T::memory>("memory", For::command),
      field<&T::cpu_time>("cpu_time", For::command),
      field<&T::open_files>("open_files", For::command),
      field<&T::share>("share"),
      field<&T::idle_stop>("idle_stop"),
      field<&T::restart>("restart"),
      field<&T::url>("url", For::url),
      field<&T::headers, HeadersForm>("headers", For::url),
      field<&T::cacert, PathForm>("cacert", For::url),
      field<&T::cert, PathForm>("cert", For::url),
      field<&T::key, PathForm>("key", For::url),
      field<&T::lazy>("lazy"),
      field<&T::era>("era"),
      field<&T::revision, RevisionForm>("revision"),
      field<&T::start_timeout>("start_timeout"),
      field<&T::timeout>("timeout"),
      field<&T::max_time>("max_time"),
      field<&T::max_in_flight>("max_in_flight"),
      field<&T::max_waiting>("max_waiting"),
      field<&T::prefix, PrefixForm>("prefix"),
      field<&T::disabled>("disabled"),
      field<&T::chain>("chain"),
  });
  return table;
}

template <>
std::span<const Field<ListenTlsConfig>> fields() {
  using T = ListenTlsConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::cert, PathForm>("cert"),
      field<&T::key, PathForm>("key"),
      field<&T::client_ca, PathForm>("client_ca"),
  });
  return table;
}

template <>
std::span<const Field<transport::HttpPaths>> fields() {
  using T = transport::HttpPaths;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::mcp, UrlPathForm>("mcp"),
      field<&T::sse, UrlPathForm>("sse"),
      field<&T::messages, UrlPathForm>("messages"),
      field<&T::rpc, UrlPathForm>("rpc"),
      field<&T::rpc_stream, UrlPathForm>("rpc_stream"),
      field<&T::ws, UrlPathForm>("ws"),
      field<&T::health, UrlPathForm>("health"),
      field<&T::ready, UrlPathForm>("ready"),
  });
  return table;
}

template <>
std::span<const Field<ListenConfig>> fields() {
  using T = ListenConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::http>("http"),
      field<&T::host>("host"),
      field<&T::port>("port"),
      field<&T::base_path, UrlPathForm>("base_path"),
      field<&T::paths>("paths"),
      field<&T::single_path>("single_path"),
      field<&T::tls>("tls"),
      field<&T::keys_file, PathForm>("keys_file"),
      field<&T::keys, KeysForm>("keys"),
      field<&T::allow_hosts>("allow_hosts"),
      field<&T::allow_origins>("allow_origins"),
      field<&T::insecure>("insecure"),
      field<&T::stdio>("stdio"),
      field<&T::unix_socket, PathForm>("unix"),
      field<&T::workers>("workers"),
  });
  return table;
}

template <>
std::span<const Field<MergeConfig>> fields() {
  using T = MergeConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::prefix>("prefix"),
      field<&T::separator>("separator"),
      field<&T::budget>("budget"),
  });
  return table;
}

template <>
std::span<const Field<ParkingConfig>> fields() {
  using T = ParkingConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::places>("places"),
      field<&T::patience>("patience"),
  });
  return table;
}

template <>
std::span<const Field<LogConfig>> fields() {
  using T = LogConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::level>("level"),
      field<&T::format>("format"),
      field<&T::calls>("calls"),
  });
  return table;
}

template <>
std::span<const Field<TraceConfig>> fields() {
  using T = TraceConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::endpoint, ReceiverForm>("endpoint"),
      field<&T::service>("service"),
      field<&T::sample, ShareForm>("sample"),
      field<&T::headers, HeadersForm>("headers"),
  });
  return table;
}

template <>
std::span<const Field<GatewayConfig>> fields() {
  using T = GatewayConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::listen, ListenForm>("listen"),
      field<&T::chain>("chain"),
      field<&T::merge>("merge"),
      field<&T::parking>("parking"),
      field<&T::spawn_concurrency>("spawn_concurrency"),
      field<&T::catalogue, PathForm>("catalogue"),
      field<&T::pins, PinsForm>("pins"),
      field<&T::list_deadline>("list_deadline"),
      field<&T::question_timeout>("question_timeout"),
      field<&T::metrics, OptionalUrlPathForm>("metrics"),
      field<&T::log>("log"),
      field<&T::control, ControlForm>("control"),
      field<&T::trace, TraceForm>("trace"),
      field<&T::server_timing, SwitchForm>("server_timing"),
  });
  return table;
}

}  // namespace fairlead::gateway
