#include <fairlead/gateway/auth.hpp>

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "gateway/merge/splice.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/glob.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

// Codes of the HTTP statuses that say the same.
constexpr std::int64_t unauthorized = 401, forbidden = 403;

// The key that a request brings; it is taken away.
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

class Authenticate final : public TwoWayMiddleware {
 public:
  Authenticate(auth::Keyring keyring, std::vector<std::string> who)
      : keyring_(std::move(keyring)), who_(std::move(who)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    const auto key = take_key(call);
    if (call.method == protocol::Ping::method) return next.call(call);
    auto& principal = call.context.principal;
    if (principal.empty() && !key.empty()) principal = keyring_.principal_of(key).value_or("");
    if (principal.empty() && key.empty()) principal = known(call.context.conversation);
    if (principal.empty()) return at_once(refuse(why_not(key), unauthorized));
    if (!may_call(principal)) return at_once(refuse(principal + " may not call here", forbidden));
    if (call.method == protocol::Initialize::method && attended_.contains(call.context.conversation)) {
      attended_[call.context.conversation] = principal;
    }
    return next.call(call);
  }

  Task<void> notify(session::Notice& notice, Service& next) override {
    return is_known(notice) ? next.notify(notice) : nothing();
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    using enum Explanation::Effect;
    const auto& principal = call.context.principal;
    if (principal.empty()) return Explanation{refuses, "lets in only who is known, and nobody is known to call"};
    if (!may_call(principal)) return Explanation{refuses, principal + " may not call here"};
    return Explanation{.says = "lets in " + principal};
  }

  // Who has not said who he is hears nothing.
  bool tell_back(session::Notice& notice) override { return is_known(notice); }

  std::unique_ptr<session::Attendance> attend(session::Conversation conversation, Service& next) override {
    struct Known final : session::Attendance {
      Known(Authenticate& by, std::uint64_t conversation_key) : all(by), key(conversation_key) {}
      Known(const Known&) = delete;
      Known& operator=(const Known&) = delete;
      ~Known() override { all.attended_.erase(key); }
      Authenticate& all;
      std::uint64_t key;
      std::unique_ptr<Attendance> rest;
    };
    auto attendance = std::make_unique<Known>(*this, conversation.key);
    attended_.emplace(conversation.key, conversation.principal);
    attendance->rest = next.attend(std::move(conversation));
    return attendance;
  }

 private:
  static Task<void> nothing() { co_return; }

  static std::string why_not(const std::string& key) {
    if (!key.empty()) return "the key that came with this request is not known here";
    return fmt::format("say who you are: by the listener's key, or by _meta[\"{}\"]", authorization_meta);
  }

  std::string known(std::uint64_t conversation) const {
    const auto found = attended_.find(conversation);
    return found == attended_.end() ? std::string() : found->second;
  }
  bool may_call(std::string_view principal) const { return who_.empty() || any_matches(who_, principal); }
  bool is_known(const session::Notice& notice) const {
    const auto principal = notice.principal.empty() ? known(notice.conversation) : notice.principal;
    return !principal.empty() && may_call(principal);
  }

  auth::Keyring keyring_;
  std::vector<std::string> who_;
  std::map<std::uint64_t, std::string> attended_;  // Conversations, and as whom they are known.
};

}  // namespace

Result<std::unique_ptr<Middleware>> authenticate(AuthOptions options) {
  auto keyring = auth::Keyring::make(std::move(options.keys));
  if (!keyring) return std::unexpected(std::move(keyring.error()));
  return std::make_unique<Authenticate>(std::move(*keyring), std::move(options.who));
}

Registry::Entry auth_entry() {
  return {.usage = "auth(keys_file=keys.txt, who=ann)",
          .summary = "Lets in who is known, by the listener or by a key in the request.",
          .make = [](Arguments& arguments, Loop) -> Result<std::unique_ptr<Middleware>> {
            AuthOptions options;
            options.who = arguments.texts("who");
            const auto file = arguments.text("keys_file");
            auto keys = file ? auth::read_keys(*file) : Result<std::vector<auth::Key>>();
            if (!keys) arguments.wrong("keys_file", keys.error().message);
            if (keys) options.keys = std::move(*keys);
            auto made = authenticate(std::move(options));
            if (!made) arguments.wrong("keys_file", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway
