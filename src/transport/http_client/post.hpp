#pragma once

#include <algorithm>
#include <fairlead/base/clock.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/headers.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/transport/http_client.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::transport {

/// Where a stream of events stands.
struct Cursor {
  std::string last_id = {};  ///< Empty as long as no event had one.
  std::optional<Duration> retry = {};

  /// How long to wait before it is taken up again, after `in_vain` attempts in a row that brought no message.
  Duration pause(const HttpClientOptions& options, std::size_t in_vain) const {
    const auto asked = retry ? std::max(*retry, options.least_resume_pause) : options.resume_after;
    constexpr std::size_t enough = 16;
    return std::max(asked, std::min(asked * (1 << std::min(in_vain, enough)), options.most_resume_pause));
  }
};

/// A message that is POSTed, and what is known of its answer. Stays where it is.
struct Post {
  jsonrpc::Message message;
  std::optional<jsonrpc::Id> id = {};             ///< Of a request: the answer that is waited for.
  std::string_view method = {};                   ///< In it, of a request or notification.
  jsonrpc::Landmarks landmarks = {};              ///< In its params.
  const protocol::Revision* stateless = nullptr;  ///< What the message says of itself, if it stands for itself.
  bool answered = false;
  bool wants_list = false;    ///< The server misses headers that only its list of tools can tell.
  bool private_use = false;   ///< A question of the transport's own: nobody else hears the answer.
  json::Payload result = {};  ///< Which is this.
  Cursor cursor = {};
  std::size_t messages = 0;                              ///< That came on its streams so far.
  std::shared_ptr<const jsonrpc::Luggage> luggage = {};  ///< Of the answer.

  /// What servers say in headers for whoever asked, and not for the transport.
  void note_luggage(std::optional<std::string_view> timing) {
    luggage.reset();
    if (!timing) return;
    auto said = std::make_shared<jsonrpc::Luggage>();
    said->emplace_back(protocol::header::server_timing, *timing);
    luggage = std::move(said);
  }
};

}  // namespace fairlead::transport
