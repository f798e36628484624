#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstdio>
#include <fairlead/auth/sign_in.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/start_task.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

#include "auth/client/callback_listener.hpp"
#include "auth/client/form.hpp"
#include "auth/client/open_browser.hpp"
#include "http/url.hpp"

namespace fairlead::auth {
namespace {

namespace asio = boost::asio;

// The URL comes from the metadata of a server: it is printed on a terminal and passed to a program.
Result<void> check_page(const std::string& url) {
  const auto parsed = http::parse_url(url);
  const bool is_web = parsed && (parsed->scheme == "https" || parsed->scheme == "http");
  const bool is_plain = std::ranges::all_of(url, [](char c) { return c > ' ' && c <= '~'; });
  if (is_web && is_plain) return {};
  return fail(ErrorKind::refused, "the authorization server named a page that is not an http or https URL");
}

std::string printable(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

std::string state_of(const std::string& url) {
  const auto query = Form::parse(std::string_view(url).substr(std::min(url.find('?'), url.size() - 1) + 1));
  return query ? std::string(query->get("state")) : std::string();
}

/// Reads lines from the terminal until one is the address that the browser was sent to.
Task<void> read_pasted(EventLoop loop, std::shared_ptr<CallbackInbox> inbox,
                       std::function<void(std::string_view)> print) {
  // A descriptor of its own: a non-blocking stdin would stay so for the shell.
  Descriptor terminal(::open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  // A read in the background would stop the process.
  if (!terminal || ::tcgetpgrp(terminal.get()) != ::getpgrp()) co_return;
  asio::posix::stream_descriptor input(loop.executor, terminal.release());
  const auto redirect_uri = inbox->address().url();
  std::string text;
  std::array<char, 4096> piece{};
  while (!inbox->has_answer()) {
    const auto [failed, size] = co_await input.async_read_some(asio::buffer(piece), asio::as_tuple(use_task));
    if (failed) co_return;
    text.append(piece.data(), size);
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      auto line = text.substr(0, end);
      text.erase(0, end + 1);
      std::erase_if(line, [](char c) { return c <= ' '; });
      if (line.empty()) continue;
      const bool is_ours = line.starts_with(redirect_uri + "?");
      if (is_ours && inbox->accept(std::string_view(line).substr(redirect_uri.size() + 1))) co_return;
      print("This is not the address of this sign-in. It starts with " + redirect_uri + "?");
    }
  }
}

class BrowserSignIn final : public SignIn {
 public:
  explicit BrowserSignIn(BrowserOptions options) : options_(std::move(options)) {
    if (!options_.print)
      options_.print = [](std::string_view line) { std::fprintf(stderr, "%s\n", std::string(line).c_str()); };
  }

  Task<Result<std::string>> prepare(EventLoop loop, std::string preferred) override { return bind(loop, preferred); }
  Task<Result<std::string>> show(EventLoop loop, SignInRequest request) override;

 private:
  struct Waiting {
    std::unique_ptr<CallbackListener> listener;
    std::chrono::steady_clock::time_point since;
  };

  Result<std::string> bind(const EventLoop& loop, const std::string& preferred);
  std::unique_ptr<CallbackListener> take(const std::string& redirect_uri);
  void announce(const SignInRequest& request) const;

  BrowserOptions options_;
  std::vector<Waiting> waiting_;  // Bound, but not shown yet.
};

Result<std::string> BrowserSignIn::bind(const EventLoop& loop, const std::string& preferred) {
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(waiting_, [&](const Waiting& each) { return now - each.since > options_.timeout; });
  auto address = CallbackAddress::parse(options_.callback_url);
  if (!address) return std::unexpected(std::move(address.error()));
  // Of a sign-in that failed before its page was shown.
  if (address->port != 0) take(address->url());
  Result<std::unique_ptr<CallbackListener>> listener;
  const auto earlier = CallbackAddress::parse(preferred);
  const bool same_place = earlier && earlier->host == address->host && earlier->path == address->path;
  // The registration is valid for its port only, as servers may compare redirect URIs exactly.
  if (address->port == 0 && same_place && earlier->port != 0) listener = CallbackListener::open(loop, *earlier);
  if (!listener || !*listener) listener = CallbackListener::open(loop, std::move(*address));
  if (!listener) return std::unexpected(std::move(listener.error()));
  auto redirect_uri = (*listener)->inbox()->address().url();
  waiting_.push_back({std::move(*listener), now});
  return redirect_uri;
}

std::unique_ptr<CallbackListener> BrowserSignIn::take(const std::string& redirect_uri) {
  const auto found = std::ranges::find_if(
      waiting_, [&](const Waiting& each) { return each.listener->inbox()->address().url() == redirect_uri; });
  if (found == waiting_.end()) return nullptr;
  auto listener = std::move(found->listener);
  waiting_.erase(found);
  return listener;
}

void BrowserSignIn::announce(const SignInRequest& request) const {
  const auto server = http::parse_url(request.server);
  const auto name = server ? printable(server->redacted()) : std::string("the server");
  const bool opened = options_.open_browser && open_browser(request.url);
  options_.print("Sign in to " + name +
                 (opened ? " in your browser. If no page has opened, open:" : ": open this page:"));
  options_.print("  " + request.url);
  if (!request.user_code.empty()) options_.print("Enter the code: " + printable(request.user_code));
  if (request.user_code.empty() && options_.paste_from_terminal) {
    options_.print("If the browser runs on another machine, paste the address of the page that it cannot open here:");
  }
}

Task<Result<std::string>> BrowserSignIn::show(EventLoop loop, SignInRequest request) {
  if (auto checked = check_page(request.url); !checked) co_return std::unexpected(std::move(checked.error()));
  if (!request.user_code.empty()) {
    announce(request);
    co_return std::string();
  }
  const auto listener = take(request.redirect_uri);
  if (!listener) co_return fail(ErrorKind::invalid, "nothing listens at the redirect URI " + request.redirect_uri);
  const auto inbox = listener->inbox();
  inbox->expect(state_of(request.url));
  announce(request);
  StopSource stop;
  if (options_.paste_from_terminal) {
    start(loop.executor, read_pasted(loop, inbox, options_.print), [](const TaskOutcome<void>&) {}, &stop);
  }
  const auto deadline = Deadline::in(options_.timeout, loop.timers.clock());
  auto returned = co_await with_deadline(loop.timers, deadline, inbox->wait());
  stop.request_stop();
  if (!returned && returned.error().kind == ErrorKind::timeout) {
    co_return fail(ErrorKind::timeout, "the sign-in was not finished in time; sign in again");
  }
  if (returned) co_await listener->close();
  co_return returned;
}

}  // namespace

std::shared_ptr<SignIn> browser_sign_in(BrowserOptions options) {
  return std::make_shared<BrowserSignIn>(std::move(options));
}

}  // namespace fairlead::auth
