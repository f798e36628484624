#pragma once

#include <fairlead/auth/oauth.hpp>
#include <fairlead/client/options.hpp>

#include "config/scalars.hpp"
#include "gateway/config/config.hpp"

/// The words of the enumerations in a gateway's configuration.
namespace fairlead::config {

template <>
struct EnumNames<gateway::Share> {
  static constexpr EnumNameTable<gateway::Share, 2> all{
      {{"shared", gateway::Share::shared}, {"caller", gateway::Share::caller}}};
};
template <>
struct EnumNames<gateway::TaskHandling> {
  static constexpr EnumNameTable<gateway::TaskHandling, 3> all{{{"pass", gateway::TaskHandling::pass},
                                                                {"absorb", gateway::TaskHandling::absorb},
                                                                {"offer", gateway::TaskHandling::offer}}};
};
template <>
struct EnumNames<gateway::LoginOwner> {
  static constexpr EnumNameTable<gateway::LoginOwner, 2> all{
      {{"all", gateway::LoginOwner::all}, {"caller", gateway::LoginOwner::caller}}};
};
template <>
struct EnumNames<auth::Grant> {
  static constexpr EnumNameTable<auth::Grant, 7> all{{{"code", auth::Grant::code},
                                                      {"device", auth::Grant::device},
                                                      {"client_credentials", auth::Grant::client_credentials},
                                                      {"jwt_bearer", auth::Grant::jwt_bearer},
                                                      {"token_exchange", auth::Grant::token_exchange},
                                                      {"on_behalf_of", auth::Grant::on_behalf_of},
                                                      {"id_jag", auth::Grant::id_jag}}};
};
template <>
struct EnumNames<auth::Dpop> {
  static constexpr EnumNameTable<auth::Dpop, 3> all{
      {{"automatic", auth::Dpop::automatic}, {"on", auth::Dpop::always}, {"off", auth::Dpop::never}}};
};
template <>
struct EnumNames<gateway::PrefixPolicy> {
  static constexpr EnumNameTable<gateway::PrefixPolicy, 3> all{{{"clash", gateway::PrefixPolicy::clash},
                                                                {"always", gateway::PrefixPolicy::always},
                                                                {"never", gateway::PrefixPolicy::never}}};
};
template <>
struct EnumNames<gateway::LogFormat> {
  static constexpr EnumNameTable<gateway::LogFormat, 2> all{
      {{"text", gateway::LogFormat::text}, {"json", gateway::LogFormat::json}}};
};
template <>
struct EnumNames<gateway::CallLogFormat> {
  static constexpr EnumNameTable<gateway::CallLogFormat, 3> all{{{"off", gateway::CallLogFormat::off},
                                                                 {"text", gateway::CallLogFormat::text},
                                                                 {"json", gateway::CallLogFormat::json}}};
};
template <>
struct EnumNames<LogLevel> {
  static constexpr EnumNameTable<LogLevel, 6> all{{{"trace", LogLevel::trace},
                                                   {"debug", LogLevel::debug},
                                                   {"info", LogLevel::info},
                                                   {"warning", LogLevel::warning},
                                                   {"error", LogLevel::error},
                                                   {"off", LogLevel::off}}};
};
template <>
struct EnumNames<client::EraPreference> {
  static constexpr EnumNameTable<client::EraPreference, 3> all{{{"automatic", client::EraPreference::automatic},
                                                                {"handshake", client::EraPreference::handshake},
                                                                {"stateless", client::EraPreference::stateless}}};
};

}  // namespace fairlead::config
