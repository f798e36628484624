#pragma once

#include <fairlead/server.hpp>
#include <string_view>

#include "answer/answer_engine.hpp"

namespace fairlead::answer {

constexpr std::string_view server_name = "openai-responses-mcp";

/// The server of `fairlead answer`, compatible with openai-responses-mcp (seed document 000): its tools, name and error
/// texts. Serve it in the dialect `answer`.
class AnswerService final : public session::Service {
 public:
  /// `log` outlives the service.
  AnswerService(AnswerOptions options, LogSink& log);

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notification) override { return server_.notify(notification); }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return server_.on_session_open(session);
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return server_.header_params(tool, principal);
  }
  const protocol::Implementation* server_info() const override { return server_.server_info(); }

 private:
  AnswerEngine engine_;
  Server server_;
};

}  // namespace fairlead::answer
