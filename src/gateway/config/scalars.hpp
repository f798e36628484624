#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/client/options.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "gateway/config/config.hpp"

/// Parses and prints scalar values. Errors say what to write; `shown` is the value as written, which errors quote.
namespace fairlead::gateway {

Result<bool> read_flag(std::string_view text, std::string_view shown);
Result<std::uint64_t> read_number(std::string_view text, std::string_view shown, std::uint64_t most);
/// `0` and `never` mean no limit.
Result<Duration> read_time(std::string_view text, std::string_view shown);
/// `512MB`, `2GiB`; a bare number counts bytes. Every unit is a power of 1024.
Result<ByteSize> read_bytes(std::string_view text, std::string_view shown);

std::string write_time(Duration time);
std::string write_bytes(ByteSize bytes);

/// The names of an enumeration's values.
template <class E>
struct EnumNames;

template <class E, std::size_t n>
using EnumNameTable = std::array<std::pair<std::string_view, E>, n>;

template <>
struct EnumNames<Share> {
  static constexpr EnumNameTable<Share, 2> all{{{"shared", Share::shared}, {"caller", Share::caller}}};
};
template <>
struct EnumNames<PrefixPolicy> {
  static constexpr EnumNameTable<PrefixPolicy, 3> all{
      {{"clash", PrefixPolicy::clash}, {"always", PrefixPolicy::always}, {"never", PrefixPolicy::never}}};
};
template <>
struct EnumNames<LogFormat> {
  static constexpr EnumNameTable<LogFormat, 2> all{{{"text", LogFormat::text}, {"json", LogFormat::json}}};
};
template <>
struct EnumNames<CallLogFormat> {
  static constexpr EnumNameTable<CallLogFormat, 3> all{
      {{"off", CallLogFormat::off}, {"text", CallLogFormat::text}, {"json", CallLogFormat::json}}};
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

/// The error `expected one of shared, caller, got 'x'`.
std::unexpected<Error> none_of(std::string_view shown, std::string words);

template <class E>
Result<E> read_enum(std::string_view text, std::string_view shown) {
  std::string words;
  for (const auto& [word, value] : EnumNames<E>::all) {
    if (word == text) return value;
    words += (words.empty() ? "" : ", ") + std::string(word);
  }
  return none_of(shown, std::move(words));
}

template <class E>
std::string write_enum(E wanted) {
  for (const auto& [word, value] : EnumNames<E>::all) {
    if (value == wanted) return std::string(word);
  }
  return {};
}

}  // namespace fairlead::gateway
