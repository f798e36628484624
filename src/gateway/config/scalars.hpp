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

/// Single values as people write them, both ways. An error says what to write instead; `shown` is the value as it may
/// be repeated there.
namespace fairlead::gateway {

Result<bool> read_flag(std::string_view text, std::string_view shown);
Result<std::uint64_t> read_number(std::string_view text, std::string_view shown, std::uint64_t most);
/// `0` and `never` are no time at all, which means no limit.
Result<Duration> read_time(std::string_view text, std::string_view shown);
/// `512MB`, `2GiB`; a bare number counts bytes. Every unit is a power of 1024.
Result<Bytes> read_bytes(std::string_view text, std::string_view shown);

std::string write_time(Duration time);
std::string write_bytes(Bytes bytes);

/// The words for an enumeration's values.
template <class E>
struct Words;

template <class E, std::size_t n>
using WordTable = std::array<std::pair<std::string_view, E>, n>;

template <>
struct Words<Share> {
  static constexpr WordTable<Share, 2> all{{{"shared", Share::shared}, {"caller", Share::caller}}};
};
template <>
struct Words<PrefixPolicy> {
  static constexpr WordTable<PrefixPolicy, 3> all{
      {{"clash", PrefixPolicy::clash}, {"always", PrefixPolicy::always}, {"never", PrefixPolicy::never}}};
};
template <>
struct Words<LogFormat> {
  static constexpr WordTable<LogFormat, 2> all{{{"text", LogFormat::text}, {"json", LogFormat::json}}};
};
template <>
struct Words<CallLines> {
  static constexpr WordTable<CallLines, 3> all{
      {{"off", CallLines::off}, {"text", CallLines::text}, {"json", CallLines::json}}};
};
template <>
struct Words<LogLevel> {
  static constexpr WordTable<LogLevel, 6> all{{{"trace", LogLevel::trace},
                                               {"debug", LogLevel::debug},
                                               {"info", LogLevel::info},
                                               {"warning", LogLevel::warning},
                                               {"error", LogLevel::error},
                                               {"off", LogLevel::off}}};
};
template <>
struct Words<client::Era> {
  static constexpr WordTable<client::Era, 3> all{{{"automatic", client::Era::automatic},
                                                  {"handshake", client::Era::handshake},
                                                  {"stateless", client::Era::stateless}}};
};

/// For the error: `'x' is none of shared, caller`.
std::unexpected<Error> none_of(std::string_view shown, std::string words);

template <class E>
Result<E> read_word(std::string_view text, std::string_view shown) {
  std::string words;
  for (const auto& [word, value] : Words<E>::all) {
    if (word == text) return value;
    words += (words.empty() ? "" : ", ") + std::string(word);
  }
  return none_of(shown, std::move(words));
}

template <class E>
std::string write_word(E wanted) {
  for (const auto& [word, value] : Words<E>::all) {
    if (value == wanted) return std::string(word);
  }
  return {};
}

}  // namespace fairlead::gateway
