#include <algorithm>
#include <array>

#include "config/text_codecs.hpp"
#include "gateway/config/auth_codec.hpp"
#include "gateway/config/codecs.hpp"
#include "gateway/config/enum_names.hpp"
#include "gateway/config/fields.hpp"
#include "gateway/config/oauth_codec.hpp"
#include "gateway/config/trace_codec.hpp"

namespace fairlead::config {

template <>
const FieldList<gateway::RestartConfig> Fields<gateway::RestartConfig>::all{
    field<&gateway::RestartConfig::initial_delay>("initial_delay"),
    field<&gateway::RestartConfig::max_delay>("max_delay"),
    field<&gateway::RestartConfig::max_failures>("max_failures"),
};

template <>
const FieldList<gateway::ServerConfig> Fields<gateway::ServerConfig>::all{
    field<&gateway::ServerConfig::command>("command"),
    field<&gateway::ServerConfig::env>("env"),
    field<&gateway::ServerConfig::inherit_env>("inherit_env"),
    field<&gateway::ServerConfig::cwd, PathCodec>("cwd"),
    field<&gateway::ServerConfig::memory>("memory"),
    field<&gateway::ServerConfig::cpu_time>("cpu_time"),
    field<&gateway::ServerConfig::open_files>("open_files"),
    field<&gateway::ServerConfig::share>("share"),
    field<&gateway::ServerConfig::idle_stop>("idle_stop"),
    field<&gateway::ServerConfig::restart>("restart"),
    field<&gateway::ServerConfig::url>("url"),
    field<&gateway::ServerConfig::headers, HeadersCodec>("headers"),
    field<&gateway::ServerConfig::cacert, PathCodec>("cacert"),
    field<&gateway::ServerConfig::cert, PathCodec>("cert"),
    field<&gateway::ServerConfig::key, PathCodec>("key"),
    field<&gateway::ServerConfig::auth, gateway::ServerAuthCodec>("auth"),
    field<&gateway::ServerConfig::lazy>("lazy"),
    field<&gateway::ServerConfig::era>("era"),
    field<&gateway::ServerConfig::revision, gateway::RevisionCodec>("revision"),
    field<&gateway::ServerConfig::start_timeout>("start_timeout"),
    field<&gateway::ServerConfig::timeout>("timeout"),
    field<&gateway::ServerConfig::max_time>("max_time"),
    field<&gateway::ServerConfig::max_in_flight>("max_in_flight"),
    field<&gateway::ServerConfig::max_waiting>("max_waiting"),
    field<&gateway::ServerConfig::tasks>("tasks"),
    field<&gateway::ServerConfig::task_after>("task_after"),
    field<&gateway::ServerConfig::prefix, gateway::PrefixCodec>("prefix"),
    field<&gateway::ServerConfig::disabled>("disabled"),
    field<&gateway::ServerConfig::chain, gateway::ChainCodec>("chain"),
};

template <>
const FieldList<gateway::ListenTlsConfig> Fields<gateway::ListenTlsConfig>::all{
    field<&gateway::ListenTlsConfig::cert, PathCodec>("cert"),
    field<&gateway::ListenTlsConfig::key, PathCodec>("key"),
    field<&gateway::ListenTlsConfig::client_ca, PathCodec>("client_ca"),
};

template <>
const FieldList<transport::HttpPaths> Fields<transport::HttpPaths>::all{
    field<&transport::HttpPaths::mcp, UrlPathCodec>("mcp"),
    field<&transport::HttpPaths::sse, UrlPathCodec>("sse"),
    field<&transport::HttpPaths::messages, UrlPathCodec>("messages"),
    field<&transport::HttpPaths::rpc, UrlPathCodec>("rpc"),
    field<&transport::HttpPaths::rpc_stream, UrlPathCodec>("rpc_stream"),
    field<&transport::HttpPaths::ws, UrlPathCodec>("ws"),
    field<&transport::HttpPaths::health, UrlPathCodec>("health"),
    field<&transport::HttpPaths::ready, UrlPathCodec>("ready"),
};

template <>
const FieldList<gateway::ListenConfig> Fields<gateway::ListenConfig>::all{
    field<&gateway::ListenConfig::http>("http"),
    field<&gateway::ListenConfig::host>("host"),
    field<&gateway::ListenConfig::port>("port"),
    field<&gateway::ListenConfig::base_path, UrlPathCodec>("base_path"),
    field<&gateway::ListenConfig::paths>("paths"),
    field<&gateway::ListenConfig::single_path>("single_path"),
    field<&gateway::ListenConfig::tls>("tls"),
    field<&gateway::ListenConfig::keys_file, PathCodec>("keys_file"),
    field<&gateway::ListenConfig::keys, gateway::KeyHashesCodec>("keys"),
    field<&gateway::ListenConfig::public_url, gateway::PublicUrlCodec>("public_url"),
    field<&gateway::ListenConfig::oauth, gateway::OAuthCodec>("oauth"),
    field<&gateway::ListenConfig::allow_hosts>("allow_hosts"),
    field<&gateway::ListenConfig::allow_origins>("allow_origins"),
    field<&gateway::ListenConfig::insecure>("insecure"),
    field<&gateway::ListenConfig::stdio>("stdio"),
    field<&gateway::ListenConfig::unix_socket, PathCodec>("unix"),
    field<&gateway::ListenConfig::workers>("workers"),
};

template <>
const FieldList<gateway::NamingConfig> Fields<gateway::NamingConfig>::all{
    field<&gateway::NamingConfig::prefix>("prefix"),
    field<&gateway::NamingConfig::separator>("separator"),
    field<&gateway::NamingConfig::max_length>("max_length"),
};

template <>
const FieldList<gateway::PendingInputConfig> Fields<gateway::PendingInputConfig>::all{
    field<&gateway::PendingInputConfig::max_calls>("max_calls"),
    field<&gateway::PendingInputConfig::timeout>("timeout"),
};

template <>
const FieldList<gateway::LogConfig> Fields<gateway::LogConfig>::all{
    field<&gateway::LogConfig::level>("level"),
    field<&gateway::LogConfig::format>("format"),
    field<&gateway::LogConfig::calls>("calls"),
};

template <>
const FieldList<gateway::TraceConfig> Fields<gateway::TraceConfig>::all{
    field<&gateway::TraceConfig::endpoint, gateway::OtlpUrlCodec>("endpoint"),
    field<&gateway::TraceConfig::service>("service"),
    field<&gateway::TraceConfig::sample, RangeCodec<0, 1>>("sample"),
    field<&gateway::TraceConfig::headers, HeadersCodec>("headers"),
};

template <>
const FieldList<gateway::GatewayConfig> Fields<gateway::GatewayConfig>::all{
    field<&gateway::GatewayConfig::listen, gateway::ListenCodec>("listen"),
    field<&gateway::GatewayConfig::chain, gateway::ChainCodec>("chain"),
    field<&gateway::GatewayConfig::naming>("naming"),
    field<&gateway::GatewayConfig::pending_input>("pending_input"),
    field<&gateway::GatewayConfig::spawn_concurrency>("spawn_concurrency"),
    field<&gateway::GatewayConfig::list_cache, PathCodec>("list_cache"),
    field<&gateway::GatewayConfig::pins, gateway::PinsCodec>("pins"),
    field<&gateway::GatewayConfig::list_timeout>("list_timeout"),
    field<&gateway::GatewayConfig::server_request_timeout>("server_request_timeout"),
    field<&gateway::GatewayConfig::metrics, OptionalUrlPathCodec>("metrics"),
    field<&gateway::GatewayConfig::log>("log"),
    field<&gateway::GatewayConfig::control, gateway::ControlCodec>("control"),
    field<&gateway::GatewayConfig::vault>("vault"),
    field<&gateway::GatewayConfig::task_key, PathCodec>("task_key"),
    field<&gateway::GatewayConfig::trace, gateway::TraceCodec>("trace"),
    field<&gateway::GatewayConfig::server_timing, gateway::SwitchCodec>("server_timing"),
};

}  // namespace fairlead::config

namespace fairlead::gateway {

AppliesTo servers_of_key(std::string_view key) {
  constexpr auto of_commands =
      std::to_array<std::string_view>({"command", "env", "inherit_env", "cwd", "memory", "cpu_time", "open_files"});
  constexpr auto of_urls = std::to_array<std::string_view>({"url", "headers", "cacert", "cert", "key", "auth"});
  if (std::ranges::find(of_commands, key) != of_commands.end()) return AppliesTo::command;
  return std::ranges::find(of_urls, key) != of_urls.end() ? AppliesTo::url : AppliesTo::all;
}

}  // namespace fairlead::gateway
