#pragma once

#include <algorithm>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/headers.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/transport/http_client.hpp>

namespace fairlead::transport {

/// Position in an event stream, to resume it.
struct ResumePoint {
  std::string last_id = {};  ///< Empty until an event had an id.
  std::optional<Duration> retry = {};

  /// Delay before the next attempt, after `failed_attempts` in a row without a message.
  Duration delay(const HttpClientOptions& options, std::size_t failed_attempts) const {
    const auto base = retry ? std::max(*retry, options.min_resume_delay) : options.resume_delay;
    constexpr std::size_t enough = 16;
    return std::max(base, std::min(base * (1 << std::min(failed_attempts, enough)), options.max_resume_delay));
  }
};

/// Method of a request or notification; empty for a response.
std::string_view method_of(const jsonrpc::Message& message);

/// A message sent by POST and the state of its response.
struct PostedMessage : private NonCopyable {
  explicit PostedMessage(jsonrpc::Message&& sent);

  jsonrpc::Message message;
  std::optional<jsonrpc::Id> id = {};             ///< Id of a request.
  std::string_view method = {};                   ///< Method of a request or notification; a view into `message`.
  jsonrpc::ParamSpans param_spans = {};           ///< Positions in its params.
  const protocol::Revision* stateless = nullptr;  ///< Revision of a stateless message.
  bool answered = false;
  bool needs_tool_list = false;  ///< The server requires headers that are only known from its tool list.
  bool internal = false;         ///< Sent by the transport itself; the response is not passed on.
  json::Payload result = {};     ///< Result of an internal request.
  ResumePoint resume_point = {};
  TaskScope::Handle task = {};  ///< Of a pending request.
  std::size_t position = 0;     ///< In the pending requests.
  std::size_t messages = 0;     ///< Number of messages received on its streams.
  std::shared_ptr<const jsonrpc::MessageHeaders> response_headers = {};  ///< HTTP headers of the response.

  /// Keeps the Server-Timing header for the caller.
  void record_headers(std::optional<std::string_view> timing) {
    response_headers.reset();
    if (!timing) return;
    auto timing_headers = std::make_shared<jsonrpc::MessageHeaders>();
    timing_headers->emplace_back(protocol::header::server_timing, *timing);
    response_headers = std::move(timing_headers);
  }
};

}  // namespace fairlead::transport
