#pragma once

#include "gateway/record/record_line.hpp"

namespace fairlead::gateway {

// NOLINTBEGIN(readability-identifier-naming): members are spelled as in JSON.
/// A message between a client and the gateway, as printed by `fairlead tap`; see docs/operating.md. Lines that belong
/// to a call name its target.
struct TapLine {
  static constexpr bool initialisers_are_defaults = false;
  std::string time = {};      ///< UTC, to the millisecond.
  std::string endpoint = {};  ///< Endpoint of the client: `gateway`, or the name of the server.
  std::uint64_t session = 0;
  Sender from = Sender::client;
  LineKind kind = LineKind::call;
  std::optional<std::uint64_t> call = {};  ///< As in `RecordLine`, unique per endpoint.
  std::optional<std::uint64_t> server_call = {};
  std::optional<std::string> caller = {};  ///< Authenticated caller.
  std::optional<std::string> client = {};  ///< Name of the client program.
  std::optional<std::string> revision = {};
  std::optional<std::string> method = {};
  std::optional<jsonrpc::Id> id = {};
  std::optional<std::string> tool = {};
  std::optional<std::string> prompt = {};
  std::optional<std::string> resource = {};
  std::optional<std::string> server = {};
  std::optional<std::string> status = {};  ///< Outcome; see `status_word`.
  std::optional<double> ms = {};           ///< Milliseconds since the call.
  std::uint64_t bytes = 0;                 ///< Size of params, result or error.
  std::optional<json::Payload> params = {};
  std::optional<json::Payload> result = {};
  std::optional<std::string> type = {};
  std::optional<RecordedError> error = {};
};
// NOLINTEND(readability-identifier-naming)

/// Returns ok, error (protocol), tool_error, or the transport failure: closed, timeout, cancelled, malformed.
std::string status_word(const Result<session::Reply>& outcome);

/// Size of the content of a line in bytes.
std::uint64_t size_of_body(const RecordLine& line);

}  // namespace fairlead::gateway
