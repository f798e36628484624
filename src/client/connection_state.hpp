#pragma once

#include <fairlead/base/task_scope.hpp>
#include <fairlead/client/connection.hpp>
#include <memory>
#include <vector>

#include "base/promise.hpp"
#include "client/answers.hpp"
#include "client/link.hpp"
#include "client/output_schemas.hpp"
#include "client/result_cache.hpp"
#include "client/subscriptions.hpp"

namespace fairlead::client {

/// All that a connection knows. Shared with the coroutines that serve its links, which end in the scope of
/// `with_server`.
struct ConnectionState : std::enable_shared_from_this<ConnectionState> {
  ConnectionState(Loop on, Endpoint where, ClientOptions chosen, TaskScope& owner);

  // reach.cpp
  /// The link to call through; opens one if there is none or it has ended.
  Task<Result<std::shared_ptr<Link>>> reach();
  /// Nothing new goes through this link; what is under way there goes on.
  void retire(const std::shared_ptr<Link>& link);
  /// Tells a server what the one before it was told.
  Task<Result<void>> settle_in(Link& opened);
  /// The link that a call would go through now; null if it had to be opened first.
  std::shared_ptr<Link> open_link() const;
  void hang_up() noexcept;
  void close() noexcept;

  // rounds.cpp
  /// One request with all the rounds that it takes.
  Task<Result<json::Payload>> request(std::string method, json::Payload params, CallOptions call_options);
  /// Whether a result of this method may be kept, if the server says so.
  bool may_keep(const std::string& method, const CallOptions& call_options) const;
  /// One exchange; once more, on a new link, if the server has turned it away unread.
  Task<Result<session::Reply>> ask(session::Call& call);
  /// `link` is null where there is none yet.
  Task<Result<session::Reply>> ask_twice(session::Call& call, std::shared_ptr<Link> link);
  session::Call make_call(std::string method, json::Payload params, const CallOptions& call_options) const;

  Loop loop;
  Endpoint endpoint;
  ClientOptions options;
  TaskScope& scope;
  Answers answers;
  Subscriptions subscriptions;
  OutputSchemas schemas;
  ResultCache cache;
  ServerDescription server;
  std::optional<protocol::LoggingLevel> log_level;

 private:
  Task<Result<std::shared_ptr<Link>>> open();
  Task<Result<std::shared_ptr<Link>>> open_in(Era era);
  bool may_speak_http_sse() const;

  std::shared_ptr<Link> link_;  // The newest, ready or not.
  std::vector<std::weak_ptr<Link>> retired_;
  Era era_;
  bool http_sse_ = false;  // The server at this URL is known to speak HTTP+SSE.
  bool closed_ = false;
  bool opening_ = false;
  std::vector<std::shared_ptr<Promise<bool>>> waiting_;  // For whoever is opening.
};

}  // namespace fairlead::client
