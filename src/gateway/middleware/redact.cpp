#include <fairlead/gateway/redact.hpp>

#include <fairlead/base/redactor.hpp>
#include <fairlead/gateway/transformers.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/change_result.hpp"
#include "gateway/middleware/builtin_middleware.hpp"

namespace fairlead::gateway {
namespace {

class Redact final : public BidirectionalMiddleware {
 public:
  explicit Redact(bool requests) : requests_(requests) {}

  bool hide(const std::string& secret) { return redactor_.add_secret(secret); }
  void hide_values_of(const std::string& key) { redactor_.add_key(key); }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (is_metadata(call.method)) return next.call(call);
    if (requests_) clean(call.params);
    return change_result(next.call(call), [this](Result<Reply>& reply) { clean(reply); });
  }

  std::optional<Explanation> explain(Call&, Service&) const override {
    return Explanation{.summary = requests_ ? "redacts the request and the reply" : "redacts the reply"};
  }

  Task<Result<Reply>> on_server_request(Call& request, Service& client) override {
    clean(request.params);
    return client.call(request);
  }

  bool on_server_notification(session::Notification& notice) override {
    clean(notice.params);
    return true;
  }

 private:
  void clean(Result<Reply>& reply) const {
    if (reply) return clean(reply->body);
    auto& error = reply.error();
    error.message = redactor_.redact(error.message);
    if (error.data.empty()) return;
    auto data = json::Payload::trusted(error.data);
    clean(data);
    error.data = data.text();
  }

  void clean(json::Payload& payload) const {
    if (payload.empty()) return;
    auto text = redactor_.redact(payload.text());
    if (text == payload.text()) return;
    auto read = json::Payload::parse(std::move(text));
    // If redaction broke the JSON, the content is dropped.
    payload = read ? std::move(*read) : json::Payload::trusted("{}");
  }

  Redactor redactor_;
  bool requests_;
};

}  // namespace

Result<std::unique_ptr<Middleware>> redact(RedactOptions options) {
  auto made = std::make_unique<Redact>(options.requests);
  for (const auto& key : options.keys) made->hide_values_of(key);
  for (const auto& secret : options.secrets) {
    if (!made->hide(secret)) {
      return fail(ErrorKind::invalid, fmt::format("a secret is shorter than {} characters, and would match "
                                                  "unrelated text",
                                                  Redactor::shortest_secret));
    }
  }
  return made;
}

Registry::Entry redact_entry() {
  return {.usage = "redact(key=session_id, secret=${TOKEN})",
          .summary = "Redacts secrets in messages of servers, by member name, token pattern and value.",
          .make = [](MiddlewareArguments& arguments, EventLoop) -> Result<std::unique_ptr<Middleware>> {
            RedactOptions options;
            options.keys = arguments.texts("key");
            options.secrets = arguments.texts("secret");
            options.requests = arguments.flag("requests").value_or(false);
            auto made = redact(std::move(options));
            if (!made) arguments.report_error("secret", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway
