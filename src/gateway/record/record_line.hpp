#pragma once

#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/session/service.hpp>

/// The lines of a recording; see docs/recording.md.
namespace fairlead::gateway {

inline constexpr std::int64_t recording_version = 2;

/// The first line of the file.
struct RecordHead {
  static constexpr bool initialisers_are_defaults = false;
  std::int64_t mcpl = 0;  ///< Version of the format.
  std::optional<std::string> fairlead = {};
  std::optional<std::string> hop = {};      ///< The point that is replayed; default: the first in the file.
  std::optional<std::string> started = {};  ///< UTC.
};

enum class Sender : std::uint8_t { client, server };

/// Start and end of a session; a client's call, its reply and notifications; a server's call to the client, its reply
/// and notifications.
enum class LineKind : std::uint8_t {
  open,
  close,
  call,
  reply,
  notification,
  server_call,
  server_reply,
  server_notification
};

// NOLINTBEGIN(readability-identifier-naming): members are spelled as in the file.
struct RecordedError {
  ErrorKind kind = ErrorKind::refused;
  std::int64_t code = 0;
  std::string message = {};
  std::optional<json::Payload> data = {};
  std::optional<std::int64_t> cause = {};
  std::optional<std::string> subject = {};
};

struct RecordedCaller {
  std::string revision = {};
  protocol::ClientCapabilities capabilities = {};
  std::optional<protocol::Implementation> info = {};
  std::optional<protocol::LoggingLevel> logLevel = {};
};

/// Any other line. Messages have the revision-independent form used inside the gateway.
struct RecordLine {
  static constexpr bool initialisers_are_defaults = false;
  std::int64_t us = 0;  ///< Microseconds since the first line.
  std::string hop = {};
  std::uint64_t session = 0;
  Sender from = Sender::client;
  LineKind kind = LineKind::call;
  std::optional<std::uint64_t> call = {};         ///< Number of the call. Lines that belong to a call have its number.
  std::optional<std::uint64_t> server_call = {};  ///< Number of the server's call.
  std::optional<std::string> method = {};
  std::optional<jsonrpc::Id> id = {};
  std::optional<std::string> revision = {};
  std::optional<std::string> principal = {};
  std::optional<RecordedCaller> caller = {};  ///< Set if it differs from that of the previous call in this session.
  std::optional<jsonrpc::Id> progressToken = {};
  std::optional<json::Payload> params = {};
  std::optional<json::Payload> result = {};
  std::optional<std::string> type = {};  ///< Type of a result that is not complete.
  std::optional<RecordedError> error = {};
  std::optional<protocol::Implementation> server = {};  ///< Server info from this line on.
};
// NOLINTEND(readability-identifier-naming)

/// Stores the outcome of a call in a line, and reads it.
void put_outcome(RecordLine& line, const Result<session::Reply>& outcome);
Result<session::Reply> outcome_of(const RecordLine& line);

RecordedCaller recorded(const protocol::ClientIdentity& caller);
std::shared_ptr<const protocol::ClientIdentity> caller_of(const RecordedCaller& recorded);

/// Replaces line breaks, so that the JSON is one line.
std::string single_line(std::string json);
Result<RecordLine> read_line(std::string_view valid_text);

/// Description such as `tools/call 'add'`.
std::string describe_line(const RecordLine& line);

}  // namespace fairlead::gateway
