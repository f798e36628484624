#pragma once

#include <fairlead/transport/session_factory.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/promise.hpp"

namespace fairlead::test {

/// A session opened by a listener, as seen by a test.
struct FakeSession {
  transport::Transport* transport = nullptr;  ///< Null after the session has ended.
  transport::PeerInfo peer;
  std::vector<std::string> received;
  const protocol::Revision* revision = nullptr;
  bool closed = false;
  bool open = false;                                    ///< True between `open` and `end`.
  bool backlogged = false;                              ///< Simulates a client that does not read its responses.
  std::shared_ptr<Promise<bool>> backlog_cleared = {};  ///< Set while `backlog_cleared` waits.

  Task<Result<void>> send(jsonrpc::Message message, std::optional<jsonrpc::Id> related_request = {});
};

/// Answers `initialize`; other requests as the test configures, or not until the test responds.
class FakeSessionFactory final : public transport::SessionFactory {
 public:
  using Replies = std::vector<transport::Outgoing>;
  using Script = std::function<Replies(const jsonrpc::Request&)>;

  void on(std::string method, Script script) { scripts_[std::move(method)] = std::move(script); }
  /// Answers at once.
  void now(std::string method, std::string result) { now_[std::move(method)] = std::move(result); }
  void header_param(protocol::HeaderParam param) { marked_.push_back(std::move(param)); }

  FakeSession& session(std::size_t index = 0) { return *sessions_.at(index); }
  std::size_t sessions() const { return sessions_.size(); }

  std::unique_ptr<transport::ServerSession> open(EventLoop, transport::Transport& transport,
                                                 transport::PeerInfo peer) override;

  /// A request that `now` does not answer has a session, whose transport sends its notifications and response.
  Task<jsonrpc::Message> respond(EventLoop loop, jsonrpc::Request request, transport::PeerInfo peer,
                                 transport::NotificationSink& notifications) override;

  std::vector<protocol::HeaderParam> header_params(std::string_view, std::string_view) override { return marked_; }

 private:
  class FakeServerSession;

  std::optional<jsonrpc::Message> find_now(const jsonrpc::Request& request) const;
  Replies replies(const jsonrpc::Request& request, FakeSession& session);

  std::map<std::string, Script> scripts_;
  std::map<std::string, std::string> now_;
  std::vector<protocol::HeaderParam> marked_;
  std::vector<std::shared_ptr<FakeSession>> sessions_;
};

}  // namespace fairlead::test
