#pragma once

#include <utility>

#include "gateway/model/forwarding_service.hpp"

namespace fairlead::gateway {

/// A backend that adds the same headers to all its requests.
class BackendWithHeaders final : public ForwardingBackend {
 public:
  BackendWithHeaders(std::shared_ptr<Backend> backend, std::shared_ptr<const session::AddedHeaders> headers)
      : ForwardingBackend(std::move(backend)), headers_(std::move(headers)) {}

  Task<Result<client::ServerDescription>> describe() override {
    const session::Call anonymous_call{.method = {}};
    co_return co_await describe_for(anonymous_call);
  }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override {
    auto extended = call;
    extended.context.added_headers.push_back(headers_);
    auto described = co_await target()->describe_for(extended);
    if (described) last_description_ = *described;
    co_return described;
  }
  const client::ServerDescription* last_description() const override {
    return last_description_ ? &*last_description_ : nullptr;
  }
  bool is_connected() const override { return last_description_ && target()->is_connected(); }

  Task<Result<session::Reply>> call(session::Call& call) override {
    call.context.added_headers.push_back(headers_);
    return target()->call(call);
  }

 private:
  std::shared_ptr<const session::AddedHeaders> headers_;
  std::optional<client::ServerDescription> last_description_ = {};
};

}  // namespace fairlead::gateway
