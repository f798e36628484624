#include <fairlead/gateway/auth.hpp>

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/model/json_rewrite.hpp"
#include "gateway/model/session_registration.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

// The corresponding HTTP statuses.
constexpr std::int64_t unauthorized = 401, forbidden = 403;

// Removes the key from a request and returns it.
std::string take_key(Call& call) {
  const auto text = json::member_of(json::member_of(call.params.text(), "_meta"), authorization_meta);
  if (text.empty()) return {};
  json::ObjectEdit params(call.params.text());
  json::ObjectEdit meta(params.get("_meta"));
  auto key = text.starts_with('"') ? json::decode<std::string>(text).value_or("") : std::string();
  meta.erase(authorization_meta);
  meta.empty() ? params.erase("_meta") : params.set("_meta", meta.text());
  call.params = json::Payload::trusted(params.text());
  constexpr std::string_view scheme = "Bearer ";
  return key.starts_with(scheme) ? key.substr(scheme.size()) : key;
}

class Authenticate final : public BidirectionalMiddleware {
 public:
  Authenticate(auth::ApiKeyCheck keys, std::vector<std::string> callers)
      : keys_(std::move(keys)), callers_(std::move(callers)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    const auto key = take_key(call);
    if (call.method == protocol::Ping::method) return next.call(call);
    auto& principal = call.context.principal;
    if (principal.empty() && !key.empty()) {
      call.context.identity = keys_.identity_of(key);
      if (call.context.identity) principal = call.context.identity->principal;
    }
    if (principal.empty() && key.empty()) principal = principal_of(call.context.session_key);
    if (principal.empty()) return refuse(refusal_text(key), unauthorized);
    if (!may_call(principal)) return refuse(principal + " may not call here", forbidden);
    if (call.method == protocol::Initialize::method && sessions_.contains(call.context.session_key)) {
      sessions_[call.context.session_key] = principal;
    }
    return next.call(call);
  }

  Task<void> notify(session::Notification& notice, Service& next) override {
    return is_known(notice) ? next.notify(notice) : Task<void>();
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    using enum Explanation::Effect;
    const auto& principal = call.context.principal;
    if (principal.empty()) return Explanation{refuses, "requires an authenticated caller"};
    if (!may_call(principal)) return Explanation{refuses, principal + " may not call here"};
    return Explanation{.summary = "accepts " + principal};
  }

  // Unauthenticated sessions get no notifications.
  bool on_server_notification(session::Notification& notice) override { return is_known(notice); }

  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session, Service& next) override {
    const auto key = session.key;
    sessions_.emplace(key, session.principal);
    auto rest = next.on_session_open(std::move(session));
    return std::make_unique<SessionRegistration>([this, key] { sessions_.erase(key); }, std::move(rest));
  }

 private:
  static std::string refusal_text(const std::string& key) {
    if (!key.empty()) return "the key of this request is unknown";
    return fmt::format("authentication required: send a key to the listener, or in _meta[\"{}\"]", authorization_meta);
  }

  std::string principal_of(std::uint64_t session) const {
    const auto found = sessions_.find(session);
    return found == sessions_.end() ? std::string() : found->second;
  }
  bool may_call(std::string_view principal) const { return callers_.empty() || any_matches(callers_, principal); }
  bool is_known(const session::Notification& notice) const {
    const auto principal = notice.principal.empty() ? principal_of(notice.session_key) : notice.principal;
    return !principal.empty() && may_call(principal);
  }

  auth::ApiKeyCheck keys_;
  std::vector<std::string> callers_;
  std::map<std::uint64_t, std::string> sessions_;  // Principal by session.
};

}  // namespace

Result<std::unique_ptr<Middleware>> authenticate(AuthOptions options) {
  auto keys = auth::ApiKeyCheck::make(std::move(options.keys));
  if (!keys) return std::unexpected(std::move(keys.error()));
  return std::make_unique<Authenticate>(std::move(*keys), std::move(options.callers));
}

Registry::Entry auth_entry() {
  return {.usage = "auth(keys_file=keys.txt, caller=ann)",
          .summary = "Requires authentication, by the listener or by a key in the request.",
          .make = [](MiddlewareArguments& arguments, EventLoop) -> Result<std::unique_ptr<Middleware>> {
            AuthOptions options;
            options.callers = arguments.texts("caller");
            const auto file = arguments.text("keys_file");
            auto keys = file ? auth::read_api_keys(*file) : Result<std::vector<auth::ApiKey>>();
            if (!keys) arguments.report_error("keys_file", keys.error().message);
            if (keys) options.keys = std::move(*keys);
            auto made = authenticate(std::move(options));
            if (!made) arguments.report_error("keys_file", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway
