#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/connect.hpp>
#include <fmt/format.h>

#include "http/address.hpp"
#include "http/client_state.hpp"
#include "http/socket_stream.hpp"

namespace fairlead::http {
namespace {

/// The address of a server that is not routed on the Internet; empty for a public one. A proxy resolves names itself.
std::string private_address(const Url& url, bool by_proxy, const Stream& stream) {
  if (is_ip_address(url.host) && !is_public_address(url.host)) return url.host;
  const auto* socket = by_proxy ? nullptr : dynamic_cast<const SocketStream*>(&stream);
  const auto address = socket ? socket->peer_address() : std::string();
  return is_public_address(address) ? std::string() : address;
}

std::unexpected<Error> refuse_private(const Url& url, const std::string& address) {
  return fail(ErrorKind::refused,
              fmt::format("{} has the address {}, which is not public; no request was sent", url.redacted(), address));
}

}  // namespace

Task<Result<std::unique_ptr<ClientConnection>>> ClientState::dial(const Url& url) {
  const auto proxy = proxies.choose(url);
  if (!proxy) co_return std::unexpected(proxy.error());
  const auto& first = *proxy ? **proxy : url;
  auto stream = co_await connect_plain(loop, first.host, first.port);
  if (!stream) co_return std::unexpected(std::move(stream.error()));
  const auto address = private_address(url, proxy->has_value(), **stream);
  if (options.public_only && !address.empty()) co_return refuse_private(url, address);
  if (*proxy && url.secure()) stream = co_await tunnel(std::move(*stream), url, **proxy);
  if (stream && url.secure()) stream = co_await secure(std::move(*stream), url);
  if (!stream) co_return std::unexpected(std::move(stream.error()));
  co_return std::make_unique<ClientConnection>(std::move(*stream), url.origin(), !address.empty());
}

Task<Result<std::unique_ptr<Stream>>> ClientState::tunnel(std::unique_ptr<Stream> stream, const Url& url,
                                                          const Url& proxy) {
  const auto host = url.host.find(':') == std::string::npos ? url.host : "[" + url.host + "]";
  auto head = fmt::format("CONNECT {0}:{1} HTTP/1.1\r\nHost: {0}:{1}\r\n", host, url.port);
  if (!proxy.credentials.empty()) {
    head += fmt::format("Proxy-Authorization: {}\r\n", basic_authorization(proxy.credentials));
  }
  head += "\r\n";
  ClientConnection connection(std::move(stream));
  auto answer = co_await connection.exchange(head, std::string_view(), true);
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  const auto status = connection.response().status;
  if (status < 200 || status >= 300) {
    co_return std::unexpected(Error{.kind = ErrorKind::refused,
                                    .message = fmt::format("the proxy {} answered {}; check its address, your "
                                                           "credentials there, and no_proxy",
                                                           proxy.origin(), status),
                                    .code = status});
  }
  std::string leftover;
  auto through = connection.release(leftover);
  if (!leftover.empty()) co_return fail(ErrorKind::malformed, "the proxy sent data before the tunnel was used");
  co_return through;
}

Task<Result<std::unique_ptr<Stream>>> ClientState::secure(std::unique_ptr<Stream> stream, const Url& url) {
  if (!tls) tls = TlsClient::load(options.tls);
  if (!*tls) co_return std::unexpected(tls->error());
  co_return co_await start_tls(std::move(stream), **tls, url.host);
}

std::unique_ptr<ClientConnection> ClientState::take_idle(const Url& url, const ClientRequest& request) {
  const auto found = request.prepared ? idle.find(request.prepared->origin) : idle.find(url.origin());
  while (found != idle.end() && !found->second.empty()) {
    auto kept = std::move(found->second.back());
    found->second.pop_back();
    if (!kept.until.passed(loop.timers.clock()) && kept.connection->is_idle()) return std::move(kept.connection);
  }
  return nullptr;
}

void ClientState::keep(std::unique_ptr<ClientConnection> connection) {
  if (!connection->reusable()) return;
  auto wait = options.idle_timeout;
  if (const auto hint = connection->keep_alive_hint()) wait = std::min(wait, *hint);
  auto& kept = idle[connection->origin()];
  if (wait <= Duration::zero() || options.max_idle_connections == 0) return;
  if (kept.size() >= options.max_idle_connections) kept.erase(kept.begin());
  kept.push_back({std::move(connection), Deadline::in(wait, loop.timers.clock())});
}

}  // namespace fairlead::http
