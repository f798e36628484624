#pragma once

#include <deque>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
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

/// Runs a task on a loop of its own.
template <class T>
T run(Task<T> task) {
  return fairlead::test::TestLoop().run(std::move(task));
}

/// A client's end: keeps what it was told and answers what it was asked by what the test laid out.
class FakeBack final : public session::Backchannel {
 public:
  struct Said {
    std::string method;
    std::string params;
  };
  std::vector<Said> told = {};
  std::vector<Said> asked = {};
  std::deque<Result<std::string>> answers = {};

  Task<Result<Reply>> ask(std::string method, json::Payload params) override;
  Task<Result<void>> tell(std::string method, json::Payload params) override;
};

/// A client with one server, calls as a session would make them.
struct Client {
  explicit Client(Server& offered) : server(offered) { context.id = 1; }

  Server& server;
  FakeBack back = {};
  session::RequestContext context = {};

  Client& speaks(const protocol::Revision& revision) {
    context.revision = &revision;
    return *this;
  }
  Client& can(const std::string& capabilities);
  Client& wants(protocol::LoggingLevel level);

  Result<Reply> ask(std::string method, std::string params = "{}");

  /// The body of an answer that must be a result.
  std::string body(std::string method, std::string params = "{}");
  std::string tool(const std::string& name, const std::string& arguments = "{}");
  protocol::Fault fault(std::string method, std::string params = "{}");
};

std::string text_of(const std::string& result);

}  // namespace fairlead::server::test
