#pragma once

#include <cstdint>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/session/service.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// A recording as it stands in its file; docs/recording.md shows one.
namespace fairlead::gateway {

inline constexpr std::int64_t recording_version = 1;

/// The first line.
struct RecordHead {
  static constexpr bool initialisers_are_defaults = false;
  std::int64_t mcpl = 0;  ///< The version of the format.
  std::optional<std::string> fairlead = {};
  std::optional<std::string> hop = {};      ///< The place that is replayed; otherwise the first that is named.
  std::optional<std::string> started = {};  ///< UTC.
};

enum class Speaker : std::uint8_t { client, server };

/// What a line tells of: a conversation's begin and end, a client's request, its reply, a client's notice, a server's
/// question, its answer, a server's notice.
enum class LineKind : std::uint8_t { open, close, call, reply, notice, ask, answer, tell };

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

/// Any other line. In the form that all revisions share inside of the gateway.
struct RecordLine {
  static constexpr bool initialisers_are_defaults = false;
  std::int64_t us = 0;  ///< Since the first line was written.
  std::string hop = {};
  std::uint64_t conversation = 0;
  Speaker from = Speaker::client;
  LineKind kind = LineKind::call;
  std::optional<std::uint64_t> call = {};  ///< Counts the requests; what belongs to one has its number.
  std::optional<std::uint64_t> ask = {};   ///< The same of questions.
  std::optional<std::string> method = {};
  std::optional<jsonrpc::Id> id = {};
  std::optional<std::string> revision = {};
  std::optional<std::string> principal = {};
  std::optional<RecordedCaller> caller = {};  ///< Where it differs from the one before in this conversation.
  std::optional<jsonrpc::Id> progressToken = {};
  std::optional<json::Payload> params = {};
  std::optional<json::Payload> result = {};
  std::optional<std::string> type = {};  ///< Of a result that is not complete.
  std::optional<RecordedError> error = {};
  std::optional<protocol::Implementation> server = {};  ///< Who signs from now on.
};
// NOLINTEND(readability-identifier-naming)

/// What a line says a request ended with, and back.
void put_outcome(RecordLine& line, const Result<session::Reply>& outcome);
Result<session::Reply> outcome_of(const RecordLine& line);

RecordedCaller recorded(const protocol::Caller& caller);
std::shared_ptr<const protocol::Caller> caller_of(const RecordedCaller& recorded);

/// JSON as one line, without its end.
std::string in_one_line(std::string json);
Result<RecordLine> read_line(std::string_view valid_text);

/// `tools/call 'add'`, for people.
std::string shown(const RecordLine& line);

}  // namespace fairlead::gateway
