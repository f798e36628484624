#pragma once

#include <fairlead/transport/host.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/promise.hpp"

namespace fairlead::test {

/// What a test sees of a conversation that a listener has opened.
struct Talk {
  transport::Transport* transport = nullptr;  ///< Null once it is over.
  transport::Guest guest;
  std::vector<std::string> heard;
  const protocol::Revision* revision = nullptr;
  bool closed = false;
  bool open = false;                              ///< Not ended yet; for one whose messages are brought.
  bool behind = false;                            ///< The guest does not read its answers.
  std::shared_ptr<Promise<bool>> caught_up = {};  ///< While somebody waits until it does.

  Task<Result<void>> say(jsonrpc::Message message, std::optional<jsonrpc::Id> related_to = {});
};

/// Answers `initialize`; anything else as the test says, or not at all until the test speaks.
class FakeHost final : public transport::Host {
 public:
  using Replies = std::vector<transport::Outgoing>;
  using Script = std::function<Replies(const jsonrpc::Request&)>;

  void on(std::string method, Script script) { scripts_[std::move(method)] = std::move(script); }
  /// Answers at once, without a wait.
  void now(std::string method, std::string result) { now_[std::move(method)] = std::move(result); }
  void header_param(protocol::HeaderParam param) { marked_.push_back(std::move(param)); }

  Talk& talk(std::size_t index = 0) { return *talks_.at(index); }
  std::size_t talks() const { return talks_.size(); }

  std::unique_ptr<transport::Hosted> open(Loop, transport::Transport& transport, transport::Guest guest) override;

  std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request, const transport::Guest&) override {
    return find_now(request);
  }

  std::vector<protocol::HeaderParam> header_params(std::string_view, std::string_view) override { return marked_; }

 private:
  class FakeHosted;

  std::optional<jsonrpc::Message> find_now(const jsonrpc::Request& request) const;
  Replies replies(const jsonrpc::Request& request, Talk& talk);

  std::map<std::string, Script> scripts_;
  std::map<std::string, std::string> now_;
  std::vector<protocol::HeaderParam> marked_;
  std::vector<std::shared_ptr<Talk>> talks_;
};

}  // namespace fairlead::test
