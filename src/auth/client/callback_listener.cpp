#include "auth/client/callback_listener.hpp"

#include "auth/client/form.hpp"
#include "http/address.hpp"
#include "http/bind.hpp"
#include "http/url.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration page_drain = std::chrono::seconds{2};

// No scripts, nothing from the request, and nothing that passes the URL with its code on.
http::Response page(std::uint16_t status, std::string_view text) {
  http::Response response{.status = status, .content_type = "text/html; charset=utf-8"};
  response.headers = {{"Cache-Control", "no-store"},
                      {"Referrer-Policy", "no-referrer"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"}};
  response.body =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Fairlead</title></head><body><p>" +
      std::string(text) + "</p></body></html>\n";
  return response;
}

class CallbackHandler final : public http::Handler {
 public:
  explicit CallbackHandler(std::shared_ptr<CallbackInbox> inbox) : inbox_(std::move(inbox)) {}

  Task<http::Response> handle(http::Request& request) override {
    if (request.path != inbox_->address().path) return page(404, "There is nothing here.");
    if (request.method != "GET") {
      auto refused = page(405, "This address only supports GET.");
      refused.headers.push_back({"Allow", "GET"});
      return refused;
    }
    if (!inbox_->accept(request.query)) {
      return page(400, "This answer does not belong to a sign-in that Fairlead waits for. Sign in again.");
    }
    return page(200, "Fairlead has received the answer of the authorization server. You can close this window.");
  }

 private:
  std::shared_ptr<CallbackInbox> inbox_;
};

std::unique_ptr<http::Listener> make_listener(const EventLoop& loop, std::string host, std::uint16_t port,
                                              const std::shared_ptr<CallbackInbox>& inbox) {
  http::ListenOptions options{.host = std::move(host), .port = port};
  options.limits.body_bytes = 0;
  options.limits.connections = 32;
  auto make = [inbox](EventLoop, std::size_t) { return std::make_unique<CallbackHandler>(inbox); };
  return std::make_unique<http::Listener>(loop, std::move(options), std::move(make));
}

}  // namespace

Result<CallbackAddress> CallbackAddress::parse(std::string_view text) {
  const auto url = http::parse_url(text);
  const auto wrong = [&](std::string_view why) {
    return fail(ErrorKind::invalid,
                "the callback URL '" + std::string(text) + "' " + std::string(why) +
                    "; use one such as http://127.0.0.1/callback or http://localhost:3118/callback");
  };
  if (!url || url->scheme != "http" || !url->credentials.empty()) return wrong("is not an http URL");
  if (url->host != "127.0.0.1" && url->host != "localhost" && url->host != "::1") return wrong("is not on loopback");
  if (url->target.contains('?') || text.contains('#')) return wrong("has a query or a fragment");
  auto authority = text.substr(text.find("//") + 2);
  authority = authority.substr(0, authority.find('/'));
  const bool has_port = authority.ends_with(":" + std::to_string(url->port));
  return CallbackAddress{.host = url->host, .port = has_port ? url->port : std::uint16_t{0}, .path = url->target};
}

std::string CallbackAddress::url() const {
  return "http://" + http::in_url(host) + (port == 0 ? "" : ":" + std::to_string(port)) + path;
}

bool CallbackInbox::accept(std::string_view query) {
  const auto answer = Form::parse(query);
  if (!answer || state_.empty() || answer->get("state") != state_ || has_answer()) return false;
  returned_.set(address_.url() + "?" + std::string(query));
  return true;
}

Task<Result<std::string>> CallbackInbox::wait() {
  auto url = co_await returned_.wait();
  if (!url) co_return fail(ErrorKind::cancelled, "the sign-in was cancelled");
  // The handler that set it must return its page first.
  co_await next_turn;
  co_return std::move(*url);
}

Result<std::unique_ptr<CallbackListener>> CallbackListener::open(const EventLoop& loop, CallbackAddress address) {
  // The port that is free on one family may be taken on the other.
  constexpr int attempts = 10;
  auto listener = std::make_unique<CallbackListener>();
  for (int attempt = 1;; ++attempt) {
    const auto bound = listener->bind(loop, address);
    if (bound) return listener;
    if (address.port != 0 || bound.error().cause != http::cause_port_in_use || attempt == attempts) {
      return fail(bound.error().kind, "cannot wait for the browser at " + address.url() + ": " + bound.error().message);
    }
  }
}

Result<void> CallbackListener::bind(const EventLoop& loop, CallbackAddress address) {
  const bool on_ipv6 = address.host == "::1";
  inbox_ = std::make_shared<CallbackInbox>(address);
  first_ = make_listener(loop, on_ipv6 ? "::1" : "127.0.0.1", address.port, inbox_);
  if (auto opened = first_->open(); !opened) return opened;
  address.port = first_->port();
  // `localhost` may mean either family, and a machine may have only one of them.
  second_ = make_listener(loop, on_ipv6 ? "127.0.0.1" : "::1", address.port, inbox_);
  const auto opened = second_->open();
  if (!opened) second_.reset();
  if (!opened && opened.error().cause == http::cause_port_in_use) return std::unexpected(opened.error());
  inbox_->set_port(address.port);
  return {};
}

Task<void> CallbackListener::close() {
  co_await first_->close(page_drain);
  if (second_) co_await second_->close(page_drain);
}

}  // namespace fairlead::auth
