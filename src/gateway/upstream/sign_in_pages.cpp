#include "gateway/upstream/sign_in_pages.hpp"

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fmt/format.h>

#include "auth/client/form.hpp"
#include "base/scope_exit.hpp"
#include "crypto/secret.hpp"
#include "http/address.hpp"
#include "http/url.hpp"

namespace fairlead::gateway {
namespace {

constexpr Duration user_timeout = std::chrono::minutes{10};
constexpr std::size_t max_pending = 256;
constexpr std::size_t max_pending_per_principal = 16;
constexpr std::size_t max_verifications = 10;  // Of one link.

std::string html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

// Without scripts. The URL of the page contains a secret, which must not leave in a Referer header.
http::Response html_page(std::uint16_t status, std::string_view body) {
  http::Response response{.status = status, .content_type = "text/html; charset=utf-8"};
  response.headers = {{"Cache-Control", "no-store"},
                      {"Referrer-Policy", "no-referrer"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"}};
  response.body = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Fairlead</title></head><body>{}</body>"
      "</html>\n",
      body);
  return response;
}

http::Response unknown_page() {
  return html_page(404, "<p>This link has expired or was used. Call the tool again to get a new one.</p>");
}

http::Response foreign_answer() {
  return html_page(
      400,
      "<p>This answer does not belong to a sign-in that was started in this browser. Open the link of your "
      "client again.</p>");
}

http::Response key_page(const CallerSignIn& sign_in, std::string_view problem) {
  return html_page(
      problem.empty() ? 200 : 403,
      fmt::format("<p>{}</p><p>The user <b>{}</b> of this gateway gets access to the account at <b>{}</b> that "
                  "you sign in with on the next page. Continue only if you are this user.</p>"
                  "<form method=\"post\"><label>Your key for this gateway <input type=\"password\" name=\"key\" "
                  "autocomplete=\"off\" required></label> <button>Continue</button></form>",
                  problem, html(sign_in.principal), html(sign_in.server)));
}

http::Response refusal_page(const CallerSignIn& sign_in, std::string_view why) {
  return html_page(403,
                   fmt::format("<p>{}</p><p>This link gives the user <b>{}</b> of this gateway access to an account "
                               "at <b>{}</b>. If you are this user, sign out at {} and open the link again.</p>",
                               html(why), html(sign_in.principal), html(sign_in.server), html(sign_in.issuer)));
}

/// Random, and kept by a browser.
bool is_cookie_value(std::string_view text) {
  constexpr std::size_t random_size = 43;
  return text.size() == random_size;
}

std::string cookie_value(const http::Request& request, std::string_view name) {
  auto rest = request.header("Cookie").value_or("");
  while (!rest.empty()) {
    auto one = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
      return std::string(one.substr(name.size() + 1));
  }
  return {};
}

}  // namespace

Result<std::string> SignInPages::callback_url() const {
  if (!options_.url.empty()) return options_.url + std::string(sign_in_callback_path);
  return fail(ErrorKind::invalid,
              "callers cannot sign in, because this gateway has no HTTP listener for the browser to return to; enable "
              "listen.http");
}

// On loopback, only users of this machine reach the pages, and without keys and tokens the gateway serves one of them.
bool SignInPages::is_single_user() const {
  if (options_.principal_of || options_.verify_user) return false;
  const auto url = http::parse_url(options_.url);
  return url && (url->host == "localhost" || http::is_loopback(url->host));
}

std::string SignInPages::cookie_name() const {
  // The prefix keeps other hosts of the domain from setting the cookie. Browsers accept it over https only.
  return options_.url.starts_with("https:") ? "__Host-fairlead-sign-in" : "fairlead-sign-in";
}

// One cookie for all sign-ins of a browser.
std::string SignInPages::cookie_of(const http::Request& request) const {
  auto cookie = cookie_value(request, cookie_name());
  return is_cookie_value(cookie) ? cookie : auth::random_text(32);
}

Task<void> SignInPages::end_all() {
  closed_ = true;
  // A copy: a sign-in that ends removes itself.
  for (const auto& [id, pending] : std::map(pending_)) {
    pending->returned.set(fail(ErrorKind::cancelled, "the gateway is shutting down"));
  }
  while (!pending_.empty()) co_await next_turn;
  if (!verifications_) co_return;
  verifications_->cancel();
  co_await verifications_->join();
}

Result<void> SignInPages::make_room(const std::string& principal) {
  if (closed_) return fail(ErrorKind::cancelled, "the gateway is shutting down");
  const auto is_own = [&](const auto& entry) { return entry.second->sign_in.principal == principal; };
  if (pending_.size() < max_pending &&
      std::ranges::count_if(pending_, is_own) < std::ptrdiff_t{max_pending_per_principal})
    return {};
  return fail(ErrorKind::refused, "too many sign-ins are in progress; finish one of them, or wait ten minutes");
}

Task<Result<std::string>> SignInPages::wait(std::shared_ptr<Pending> pending) {
  auto returned = co_await pending->returned.wait();
  if (!returned) co_return fail(ErrorKind::cancelled, "cancelled");
  // Not inside callback().
  co_await next_turn;
  co_return std::move(*returned);
}

Task<Result<std::string>> SignInPages::wait_for_user(EventLoop loop, CallerSignIn sign_in,
                                                     std::function<void(std::string link)> on_link) {
  if (auto room = make_room(sign_in.principal); !room) co_return std::unexpected(std::move(room.error()));
  const auto id = auth::random_text(32);
  const auto pending = std::make_shared<Pending>(loop, std::move(sign_in));
  pending_.emplace(id, pending);
  const ScopeExit ended([this, &id, &pending] {
    if (pending->verification) pending->verification->end();
    pending_.erase(id);
  });
  // `token`: logs redact parameters of this name.
  on_link(options_.url + std::string(sign_in_start_path) + "?token=" + id);
  const auto until = Deadline::in(user_timeout, loop.timers.clock());
  co_return co_await with_deadline(loop.timers, until, wait(pending));
}

Task<http::Response> SignInPages::handle(http::Request& request) {
  const bool is_form = request.method == "POST" && request.path.ends_with(sign_in_start_path);
  if (request.method != "GET" && !is_form) {
    auto refused = html_page(405, "<p>This address does not support the method.</p>");
    refused.headers.push_back({"Allow", "GET"});
    return refused;
  }
  if (request.path.ends_with(sign_in_start_path)) return start(request);
  if (request.path.ends_with(sign_in_verified_path)) return verified(request);
  if (request.path.ends_with(sign_in_callback_path)) return callback(request);
  return unknown_page();
}

bool SignInPages::is_same_origin(const http::Request& request) const {
  const auto url = http::parse_url(options_.url);
  return url && request.header("Origin") == url->origin();
}

Task<http::Response> SignInPages::start(const http::Request& request) {
  const auto found = pending_.find(parameter_of(request.query, "token"));
  if (found == pending_.end() || !found->second->browser.empty()) return unknown_page();
  const auto& pending = found->second;
  if (is_single_user()) return begin(cookie_of(request), *pending);
  if (options_.verify_user && !pending->sign_in.issuer.empty()) {
    if (request.method != "GET" || ++pending->verifications > max_verifications) return unknown_page();
    return start_verification(cookie_of(request), pending);
  }
  return start_with_key(request, *pending);
}

http::Response SignInPages::start_with_key(const http::Request& request, Pending& pending) const {
  if (!options_.principal_of) {
    return html_page(403,
                     "<p>This gateway cannot verify who you are, because its users have no keys "
                     "(listen.keys_file). Ask its operator.</p>");
  }
  if (request.method != "POST") return key_page(pending.sign_in, "");
  // Another site must not submit the form with the key of its own user.
  if (!is_same_origin(request)) return key_page(pending.sign_in, "Enter the key on this page.");
  const auto principal = options_.principal_of(parameter_of(request.body, "key"));
  if (principal != pending.sign_in.principal) return key_page(pending.sign_in, "This is not the key of this user.");
  return begin(cookie_of(request), pending);
}

// Each visit is an attempt with a state of its own: an earlier visitor of the link, who knows the old one, cannot
// finish it.
Task<http::Response> SignInPages::start_verification(std::string cookie, std::shared_ptr<Pending> pending) {
  if (pending->verification) pending->verification->end();
  const auto attempt =
      std::make_shared<UserVerification>(options_.url + std::string(sign_in_verified_path), std::move(cookie));
  pending->verification = attempt;
  if (!verifications_) verifications_.emplace(pending->loop.executor, pending->loop.log, "sign-in");
  auto done = [attempt](TaskOutcome<Result<std::string>> outcome) {
    attempt->finish(outcome ? std::move(*outcome) : fail(ErrorKind::closed, "the sign-in failed"));
  };
  verifications_->spawn(options_.verify_user(pending->loop, pending->sign_in.issuer, attempt), std::move(done));
  const auto page = co_await attempt->page();
  if (page) co_return redirect(*page, attempt->cookie());
  log(pending->loop.log, LogLevel::warning, "sign-in",
      [&] { return "cannot verify a user at " + pending->sign_in.issuer + ": " + page.error().message; });
  const auto why = "You cannot sign in to this gateway now: " + page.error().message;
  co_return refusal_page(pending->sign_in, why);
}

Task<http::Response> SignInPages::verified(const http::Request& request) {
  const auto state = parameter_of(request.query, "state");
  const auto cookie = cookie_of(request);
  const auto found = std::ranges::find_if(pending_, [&](const auto& entry) {
    const auto& pending = *entry.second;
    return pending.browser.empty() && pending.verification && pending.verification->expects(cookie, state);
  });
  if (found == pending_.end()) return foreign_answer();
  return finish_verification(found->second, std::string(request.query));
}

Task<http::Response> SignInPages::finish_verification(std::shared_ptr<Pending> pending, std::string query) {
  const auto attempt = pending->verification;
  const auto user = co_await attempt->check(query);
  if (!user) co_return refusal_page(pending->sign_in, "You are not signed in to this gateway: " + user.error().message);
  if (*user != pending->sign_in.principal)
    co_return refusal_page(pending->sign_in, "You are signed in as another user.");
  // Meanwhile the link may have been opened again.
  if (pending->verification != attempt || !pending->browser.empty() || pending->returned.is_set()) {
    co_return unknown_page();
  }
  co_return begin(attempt->cookie(), *pending);
}

http::Response SignInPages::begin(std::string cookie, Pending& pending) const {
  pending.browser = std::move(cookie);
  return redirect(pending.sign_in.authorization_url, pending.browser);
}

http::Response SignInPages::redirect(const std::string& url, const std::string& cookie) const {
  const auto name = cookie_name();
  auto response = html_page(303, "");
  response.headers.push_back({"Location", url});
  response.headers.push_back({"Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600{}", name,
                                                        cookie, name.starts_with("__Host") ? "; Secure" : "")});
  return response;
}

http::Response SignInPages::callback(const http::Request& request) {
  const auto state = parameter_of(request.query, "state");
  const auto browser = cookie_of(request);
  const auto is_it = [&](const auto& entry) {
    const auto& pending = *entry.second;
    return !pending.browser.empty() && !pending.returned.is_set() && pending.browser.size() == browser.size() &&
           crypto::equal_in_constant_time(pending.browser, browser) &&
           state_of(pending.sign_in.authorization_url) == state;
  };
  const auto found = std::ranges::find_if(pending_, is_it);
  if (state.empty() || found == pending_.end()) return foreign_answer();
  const auto pending = found->second;
  pending->returned.set(Result<std::string>(pending->sign_in.redirect_uri + "?" + std::string(request.query)));
  return html_page(200,
                   "<p>The gateway has received the answer of the authorization server. Close this window and call the "
                   "tool again.</p>");
}

}  // namespace fairlead::gateway
