#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gateway/record/line.hpp"

namespace fairlead::gateway {

// NOLINTBEGIN(readability-identifier-naming): members are spelled as in JSON.
/// A message that passes between a client and the gateway, as `fairlead tap` gets it; docs/operating.md shows one.
///
/// What belongs to a call (its reply, its progress) says what the call is about.
struct TapLine {
  static constexpr bool initialisers_are_defaults = false;
  std::string time = {};  ///< UTC, to the millisecond.
  std::string room = {};  ///< Where the client has come in: `gateway`, or the server whose own door it was.
  std::uint64_t conversation = 0;
  Speaker from = Speaker::client;
  LineKind kind = LineKind::call;
  std::optional<std::uint64_t> call = {};  ///< As of `RecordLine`, in its room.
  std::optional<std::uint64_t> ask = {};
  std::optional<std::string> caller = {};  ///< As whom the client was authenticated.
  std::optional<std::string> client = {};  ///< The program, as it calls itself.
  std::optional<std::string> revision = {};
  std::optional<std::string> method = {};
  std::optional<jsonrpc::Id> id = {};
  std::optional<std::string> tool = {};
  std::optional<std::string> prompt = {};
  std::optional<std::string> resource = {};
  std::optional<std::string> server = {};
  std::optional<std::string> status = {};  ///< How it ended: see `status_word`.
  std::optional<double> ms = {};           ///< Since it was asked.
  std::uint64_t bytes = 0;                 ///< Of the params, or of what was answered.
  std::optional<json::Payload> params = {};
  std::optional<json::Payload> result = {};
  std::optional<std::string> type = {};
  std::optional<RecordedError> error = {};
};
// NOLINTEND(readability-identifier-naming)

/// ok; error, of the protocol; tool_error; or what became of the way: closed, timeout, cancelled, malformed.
std::string status_word(const Result<session::Reply>& outcome);

/// Bytes of what a line carries.
std::uint64_t size_of_body(const RecordLine& line);

}  // namespace fairlead::gateway
