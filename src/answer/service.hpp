#pragma once

#include <fairlead/server.hpp>
#include <string_view>

#include "answer/asking.hpp"

namespace fairlead::answer {

constexpr std::string_view server_name = "openai-responses-mcp";

/// The server of seed 000: its tools, its name, and its words for what is wrong. Serve it in the dialect `answer`.
class AnswerService final : public session::Service {
 public:
  /// `log` outlives it.
  AnswerService(Setup setup, LogSink& log);

  Task<Result<session::Reply>> call(session::Call& call) override;
  std::optional<Result<session::Reply>> answer_now(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override { return server_.notify(notice); }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    return server_.attend(conversation);
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return server_.header_params(tool, principal);
  }
  const protocol::Implementation* self() const override { return server_.self(); }

 private:
  Asking asking_;
  Server server_;
};

}  // namespace fairlead::answer
