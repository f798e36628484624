#pragma once

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
