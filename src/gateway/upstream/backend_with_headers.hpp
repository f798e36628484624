#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gateway/model/backend.hpp"
#include "gateway/model/header_sets.hpp"

namespace fairlead::gateway {

/// A backend that adds one set of headers to all its requests.
class BackendWithHeaders final : public Backend {
 public:
  BackendWithHeaders(std::shared_ptr<Backend> backend, std::shared_ptr<HeaderSets> sets, std::string header_set)
      : backend_(std::move(backend)), sets_(std::move(sets)), header_set_(std::move(header_set)) {}

  const std::shared_ptr<Backend>& inner() const { return backend_; }

  const std::string& name() const override { return backend_->name(); }
  Task<Result<client::ServerDescription>> describe() override {
    const session::Call anonymous_call{.method = {}, .params = json::Payload::trusted("{}")};
    co_return co_await describe_for(anonymous_call);
  }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override {
    auto extended = call;
    add_header_set(extended);
    auto described = co_await backend_->describe_for(extended);
    if (described) last_description_ = *described;
    co_return described;
  }
  const client::ServerDescription* last_description() const override {
    return last_description_ ? &*last_description_ : nullptr;
  }
  bool is_connected() const override { return last_description_ && backend_->is_connected(); }
  void expect_revision(const protocol::Revision& revision) override { backend_->expect_revision(revision); }
  bool accepts_headers() const override { return true; }

  Task<Result<session::Reply>> call(session::Call& call) override {
    auto extended = call;
    add_header_set(extended);
    co_return co_await backend_->call(extended);
  }
  Task<void> notify(session::Notification& notice) override { return backend_->notify(notice); }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return backend_->on_session_open(std::move(session));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return backend_->header_params(tool, principal);
  }

 private:
  void add_header_set(session::Call& call) const {
    auto requested = sets_->requested_by(call.params);
    requested.push_back(header_set_);
    call.params = with_requested_headers(call.params, requested);
  }

  std::shared_ptr<Backend> backend_;
  std::shared_ptr<HeaderSets> sets_;
  std::string header_set_;
  std::optional<client::ServerDescription> last_description_ = {};
};

}  // namespace fairlead::gateway
