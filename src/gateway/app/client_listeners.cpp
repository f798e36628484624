#include "gateway/app/client_listeners.hpp"

#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/transport/stdio.hpp>
#include <utility>

#include "gateway/app/listen_options.hpp"

namespace fairlead::gateway {
namespace {

// Limits the memory for one message, like the limit of HTTP requests.
constexpr std::size_t max_client_message_bytes = std::size_t{64} * 1024 * 1024;

// with_deadline needs a task that returns a Result.
Task<Result<bool>> join_scope(TaskScope& scope) {
  co_await scope.join();
  co_return true;
}

}  // namespace

ClientListeners::ClientListeners(EventLoop loop, Gateway& gateway)
    : loop_(loop), gateway_(gateway), clients_(loop.executor, loop.log, "fairlead") {}

Result<void> ClientListeners::open(const GatewayConfig& config) {
  const auto& listen = config.listen;
  if (listen.http) {
    auto options = listen_options(listen);
    if (!options) return std::unexpected(std::move(options.error()));
    if (listen.oauth.enabled()) {
      auto check = listen_oauth(config, loop_.log);
      if (!check) return std::unexpected(std::move(check.error()));
      oauth_ = std::make_shared<ReplaceableCheck>(std::move(*check));
      options->access_checks.push_back(oauth_);
    }
    const auto make = [this](EventLoop, std::size_t) { return std::make_unique<SharedHandler>(gateway_.router()); };
    auto listener = std::make_unique<http::Listener>(loop_, std::move(*options), make);
    if (auto opened = listener->open(); !opened) return opened;
    http_ = std::move(listener);
  }
  if (!listen.unix_socket.empty()) {
    const transport::FramedOptions framing{.max_message = max_client_message_bytes, .name = "socket"};
    auto opened = transport::SocketListener::on_unix(loop_, listen.unix_socket, framing);
    if (!opened) return std::unexpected(std::move(opened.error()));
    socket_ = std::move(*opened);
  }
  return {};
}

Result<void> ClientListeners::reload_oauth(const GatewayConfig& config) {
  if (!oauth_ || !config.listen.oauth.enabled()) return {};
  auto check = listen_oauth(config, loop_.log);
  if (!check) return std::unexpected(std::move(check.error()));
  oauth_->replace(std::move(*check));
  return {};
}

void ClientListeners::serve_stdio(std::function<void()> on_end) {
  auto framing = transport::stdio_options();
  framing.max_message = max_client_message_bytes;
  clients_.spawn(serve_client(transport::stdio_transport(loop_, std::move(framing)), "stdio", std::move(on_end)));
}

Task<void> ClientListeners::accept_all() {
  while (auto accepted = co_await socket_->accept())
    clients_.spawn(serve_client(std::move(*accepted), "socket", nullptr));
}

Task<void> ClientListeners::serve_client(std::shared_ptr<transport::Transport> transport, std::string name,
                                         std::function<void()> on_end) {
  const auto session = gateway_.session_factory().open(loop_, *transport, {.name = std::move(name)});
  const LiveSet<transport::ServerSession>::Entry present(sessions_, *session);
  co_await session->run();
  if (on_end) on_end();
}

Task<void> ClientListeners::close(Duration timeout) {
  if (socket_) socket_->close();
  sessions_.for_each([](transport::ServerSession& each) { each.shutdown_gracefully(); });
  if (http_) co_await http_->close(timeout);
  const auto until = Deadline::in(timeout, loop_.timers.clock());
  co_await with_deadline(loop_.timers, until, join_scope(clients_));
  co_await clients_.join();
}

}  // namespace fairlead::gateway
