#pragma once

#include <deque>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/server.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/test_loop.hpp"

namespace fairlead::server::test {

using session::Call;
using session::Reply;

inline const protocol::Revision& handshake() {
  return protocol::newest_handshake();
}
inline const protocol::Revision& stateless() {
  return protocol::newest();
}

/// Runs a task on a new event loop.
template <class T>
T run(Task<T> task) {
  return fairlead::test::TestLoop().run(std::move(task));
}

/// Records notifications and requests of the server, and answers requests with `answers`.
class FakePeerChannel final : public session::PeerChannel {
 public:
  struct SentMessage {
    std::string method;
    std::string params;
  };
  std::vector<SentMessage> notifications = {};
  std::vector<SentMessage> requests = {};
  std::deque<Result<std::string>> answers = {};

  Task<Result<Reply>> request(std::string method, json::Payload params) override;
  Task<Result<void>> notify(std::string method, json::Payload params) override;
};

/// Calls a server as a session would.
struct Client {
  explicit Client(Server& offered) : server(offered) { context.id = 1; }

  Server& server;
  FakePeerChannel channel = {};
  session::RequestContext context = {};

  Client& set_revision(const protocol::Revision& revision) {
    context.revision = &revision;
    return *this;
  }
  Client& set_capabilities(const std::string& capabilities);
  Client& set_log_level(protocol::LoggingLevel level);

  Result<Reply> request(std::string method, std::string params = "{}");

  /// The body of the result; fails the test on an error.
  std::string body(std::string method, std::string params = "{}");
  std::string tool(const std::string& name, const std::string& arguments = "{}");
  protocol::ProtocolError error_of(std::string method, std::string params = "{}");
};

std::string text_of(const std::string& result);

}  // namespace fairlead::server::test
