#include <array>

#include "gateway/config/field_codec.hpp"
#include "gateway/config/text_codecs.hpp"
#include "gateway/config/trace_codec.hpp"

namespace fairlead::gateway {

template <>
std::span<const Field<RestartConfig>> fields() {
  using T = RestartConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::initial_delay>("initial_delay"),
      field<&T::max_delay>("max_delay"),
      field<&T::max_failures>("max_failures"),
  });
  return table;
}

template <>
std::span<const Field<ServerConfig>> fields() {
  using T = ServerConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::command>("command", AppliesTo::command),
      field<&T::env>("env", AppliesTo::command),
      field<&T::inherit_env>("inherit_env", AppliesTo::command),
      field<&T::cwd, PathCodec>("cwd", AppliesTo::command),
      field<&T::memory>("memory", AppliesTo::command),
      field<&T::cpu_time>("cpu_time", AppliesTo::command),
      field<&T::open_files>("open_files", AppliesTo::command),
      field<&T::share>("share"),
      field<&T::idle_stop>("idle_stop"),
      field<&T::restart>("restart"),
      field<&T::url>("url", AppliesTo::url),
      field<&T::headers, HeadersCodec>("headers", AppliesTo::url),
      field<&T::cacert, PathCodec>("cacert", AppliesTo::url),
      field<&T::cert, PathCodec>("cert", AppliesTo::url),
      field<&T::key, PathCodec>("key", AppliesTo::url),
      field<&T::lazy>("lazy"),
      field<&T::era>("era"),
      field<&T::revision, RevisionCodec>("revision"),
      field<&T::start_timeout>("start_timeout"),
      field<&T::timeout>("timeout"),
      field<&T::max_time>("max_time"),
      field<&T::max_in_flight>("max_in_flight"),
      field<&T::max_waiting>("max_waiting"),
      field<&T::prefix, PrefixCodec>("prefix"),
      field<&T::disabled>("disabled"),
      field<&T::chain>("chain"),
  });
  return table;
}

template <>
std::span<const Field<ListenTlsConfig>> fields() {
  using T = ListenTlsConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::cert, PathCodec>("cert"),
      field<&T::key, PathCodec>("key"),
      field<&T::client_ca, PathCodec>("client_ca"),
  });
  return table;
}

template <>
std::span<const Field<transport::HttpPaths>> fields() {
  using T = transport::HttpPaths;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::mcp, UrlPathCodec>("mcp"),
      field<&T::sse, UrlPathCodec>("sse"),
      field<&T::messages, UrlPathCodec>("messages"),
      field<&T::rpc, UrlPathCodec>("rpc"),
      field<&T::rpc_stream, UrlPathCodec>("rpc_stream"),
      field<&T::ws, UrlPathCodec>("ws"),
      field<&T::health, UrlPathCodec>("health"),
      field<&T::ready, UrlPathCodec>("ready"),
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
      field<&T::base_path, UrlPathCodec>("base_path"),
      field<&T::paths>("paths"),
      field<&T::single_path>("single_path"),
      field<&T::tls>("tls"),
      field<&T::keys_file, PathCodec>("keys_file"),
      field<&T::keys, KeyHashesCodec>("keys"),
      field<&T::allow_hosts>("allow_hosts"),
      field<&T::allow_origins>("allow_origins"),
      field<&T::insecure>("insecure"),
      field<&T::stdio>("stdio"),
      field<&T::unix_socket, PathCodec>("unix"),
      field<&T::workers>("workers"),
  });
  return table;
}

template <>
std::span<const Field<NamingConfig>> fields() {
  using T = NamingConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::prefix>("prefix"),
      field<&T::separator>("separator"),
      field<&T::max_length>("max_length"),
  });
  return table;
}

template <>
std::span<const Field<PendingInputConfig>> fields() {
  using T = PendingInputConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::max_calls>("max_calls"),
      field<&T::timeout>("timeout"),
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
      field<&T::endpoint, OtlpUrlCodec>("endpoint"),
      field<&T::service>("service"),
      field<&T::sample, RatioCodec>("sample"),
      field<&T::headers, HeadersCodec>("headers"),
  });
  return table;
}

template <>
std::span<const Field<GatewayConfig>> fields() {
  using T = GatewayConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::listen, ListenCodec>("listen"),
      field<&T::chain>("chain"),
      field<&T::naming>("naming"),
      field<&T::pending_input>("pending_input"),
      field<&T::spawn_concurrency>("spawn_concurrency"),
      field<&T::list_cache, PathCodec>("list_cache"),
      field<&T::pins, PinsCodec>("pins"),
      field<&T::list_timeout>("list_timeout"),
      field<&T::server_request_timeout>("server_request_timeout"),
      field<&T::metrics, OptionalUrlPathCodec>("metrics"),
      field<&T::log>("log"),
      field<&T::control, ControlCodec>("control"),
      field<&T::trace, TraceCodec>("trace"),
      field<&T::server_timing, SwitchCodec>("server_timing"),
  });
  return table;
}

}  // namespace fairlead::gateway
