#pragma once

#include <fairlead/base/non_copyable.hpp>
#include <fairlead/session/service.hpp>
#include <utility>

namespace fairlead::gateway {

/// The hook of a session in a registry: calls a function when the session ends, then destroys `inner`.
class SessionRegistration final : public session::SessionHook, NonCopyable {
 public:
  explicit SessionRegistration(std::function<void()> unregister, std::unique_ptr<session::SessionHook> inner = {})
      : inner_(std::move(inner)), unregister_(std::move(unregister)) {}
  ~SessionRegistration() override { unregister_(); }

 private:
  std::unique_ptr<session::SessionHook> inner_;
  std::function<void()> unregister_;
};

}  // namespace fairlead::gateway
