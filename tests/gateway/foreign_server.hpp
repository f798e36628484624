#pragma once

#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "bridge_rig.hpp"

namespace fairlead::gateway::test {

/// A server that answers as others do: with any bytes and any error.
class ForeignServer final : public session::Service {
 public:
  using Answer = std::function<Result<session::Reply>(session::Call&)>;

  ForeignServer& answers(std::string method, std::string body) {
    return answers(std::move(method), [body = std::move(body)](session::Call& call) -> Result<session::Reply> {
      // As the revision of the session has it, so that our own session writes it as it is.
      return session::Reply{.body = json::Payload::trusted(body), .written_in = call.context.revision};
    });
  }
  ForeignServer& fails(std::string method, std::int64_t code, std::string message, std::string data = {}) {
    Error error{.kind = ErrorKind::refused, .message = std::move(message), .code = code, .data = std::move(data)};
    return answers(std::move(method), [error = std::move(error)](session::Call&) -> Result<session::Reply> {
      return std::unexpected(error);
    });
  }
  ForeignServer& answers(std::string method, Answer answer) {
    answers_.insert_or_assign(std::move(method), std::move(answer));
    return *this;
  }

  Task<Result<session::Reply>> call(session::Call& call) override {
    const auto found = answers_.find(call.method);
    if (found != answers_.end()) co_return found->second(call);
    if (call.method == protocol::Initialize::method) co_return introduction(call);
    if (call.method == protocol::Discover::method) {
      co_return session::Reply{
          .body = json::Payload::trusted(R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})")};
    }
    co_return std::unexpected(protocol::fault_error(protocol::Fault::unknown_method, "", call.method));
  }
  Task<void> notify(session::Notice&) override { co_return; }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    gateway = &*conversation.peer;
    return nullptr;
  }
  const protocol::Implementation* self() const override { return &self_; }

  std::string said = {};                ///< Beside what every `initialize` says: members behind a comma.
  session::Service* gateway = nullptr;  ///< Whom to ask something outside of any call.

 private:
  session::Reply introduction(const session::Call& call) const {
    return {.body = json::Payload::trusted(R"({"protocolVersion":")" + std::string(call.context.revision->name) +
                                           R"(","capabilities":{"tools":{},"resources":{},"prompts":{}},)"
                                           R"("serverInfo":{"name":"foreign","version":"1","vendor":"v"})" +
                                           said + "}")};
  }

  std::map<std::string, Answer> answers_;
  protocol::Implementation self_{.name = "foreign", .version = "1"};
};

}  // namespace fairlead::gateway::test
