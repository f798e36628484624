#include <algorithm>
#include <array>

#include "config/text_codecs.hpp"
#include "gateway/config/codecs.hpp"
#include "gateway/config/enum_names.hpp"
#include "gateway/config/fields.hpp"
#include "gateway/config/trace_codec.hpp"

namespace fairlead::config {

template <>
std::span<const Field<gateway::RestartConfig>> fields() {
  using T = gateway::RestartConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::initial_delay>("initial_delay"),
      field<&T::max_delay>("max_delay"),
      field<&T::max_failures>("max_failures"),
  });
  return table;
}

template <>
std::span<const Field<gateway::ServerConfig>> fields() {
  using T = gateway::ServerConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::command>("command"),
      field<&T::env>("env"),
      field<&T::inherit_env>("inherit_env"),
      field<&T::cwd, PathCodec>("cwd"),
      field<&T::memory>("memory"),
      field<&T::cpu_time>("cpu_time"),
      field<&T::open_files>("open_files"),
      field<&T::share>("share"),
      field<&T::idle_stop>("idle_stop"),
      field<&T::restart>("restart"),
      field<&T::url>("url"),
      field<&T::headers, HeadersCodec>("headers"),
      field<&T::cacert, PathCodec>("cacert"),
      field<&T::cert, PathCodec>("cert"),
      field<&T::key, PathCodec>("key"),
      field<&T::lazy>("lazy"),
      field<&T::era>("era"),
      field<&T::revision, gateway::RevisionCodec>("revision"),
      field<&T::start_timeout>("start_timeout"),
      field<&T::timeout>("timeout"),
      field<&T::max_time>("max_time"),
      field<&T::max_in_flight>("max_in_flight"),
      field<&T::max_waiting>("max_waiting"),
      field<&T::prefix, gateway::PrefixCodec>("prefix"),
      field<&T::disabled>("disabled"),
      field<&T::chain, gateway::ChainCodec>("chain"),
  });
  return table;
}

template <>
std::span<const Field<gateway::ListenTlsConfig>> fields() {
  using T = gateway::ListenTlsConfig;
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
std::span<const Field<gateway::ListenConfig>> fields() {
  using T = gateway::ListenConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::http>("http"),
      field<&T::host>("host"),
      field<&T::port>("port"),
      field<&T::base_path, UrlPathCodec>("base_path"),
      field<&T::paths>("paths"),
      field<&T::single_path>("single_path"),
      field<&T::tls>("tls"),
      field<&T::keys_file, PathCodec>("keys_file"),
      field<&T::keys, gateway::KeyHashesCodec>("keys"),
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
std::span<const Field<gateway::NamingConfig>> fields() {
  using T = gateway::NamingConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::prefix>("prefix"),
      field<&T::separator>("separator"),
      field<&T::max_length>("max_length"),
  });
  return table;
}

template <>
std::span<const Field<gateway::PendingInputConfig>> fields() {
  using T = gateway::PendingInputConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::max_calls>("max_calls"),
      field<&T::timeout>("timeout"),
  });
  return table;
}

template <>
std::span<const Field<gateway::LogConfig>> fields() {
  using T = gateway::LogConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::level>("level"),
      field<&T::format>("format"),
      field<&T::calls>("calls"),
  });
  return table;
}

template <>
std::span<const Field<gateway::TraceConfig>> fields() {
  using T = gateway::TraceConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::endpoint, gateway::OtlpUrlCodec>("endpoint"),
      field<&T::service>("service"),
      field<&T::sample, RangeCodec<0, 1>>("sample"),
      field<&T::headers, HeadersCodec>("headers"),
  });
  return table;
}

template <>
std::span<const Field<gateway::GatewayConfig>> fields() {
  using T = gateway::GatewayConfig;
  static constexpr auto table = std::to_array<Field<T>>({
      field<&T::listen, gateway::ListenCodec>("listen"),
      field<&T::chain, gateway::ChainCodec>("chain"),
      field<&T::naming>("naming"),
      field<&T::pending_input>("pending_input"),
      field<&T::spawn_concurrency>("spawn_concurrency"),
      field<&T::list_cache, PathCodec>("list_cache"),
      field<&T::pins, gateway::PinsCodec>("pins"),
      field<&T::list_timeout>("list_timeout"),
      field<&T::server_request_timeout>("server_request_timeout"),
      field<&T::metrics, OptionalUrlPathCodec>("metrics"),
      field<&T::log>("log"),
      field<&T::control, gateway::ControlCodec>("control"),
      field<&T::trace, gateway::TraceCodec>("trace"),
      field<&T::server_timing, gateway::SwitchCodec>("server_timing"),
  });
  return table;
}

}  // namespace fairlead::config

namespace fairlead::gateway {

AppliesTo servers_of_key(std::string_view key) {
  constexpr auto of_commands =
      std::to_array<std::string_view>({"command", "env", "inherit_env", "cwd", "memory", "cpu_time", "open_files"});
  constexpr auto of_urls = std::to_array<std::string_view>({"url", "headers", "cacert", "cert", "key"});
  if (std::ranges::find(of_commands, key) != of_commands.end()) return AppliesTo::command;
  return std::ranges::find(of_urls, key) != of_urls.end() ? AppliesTo::url : AppliesTo::all;
}

}  // namespace fairlead::gateway
