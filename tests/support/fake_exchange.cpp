#include "support/fake_exchange.hpp"

#include <functional>
#include <optional>

#include "base/nested_task.hpp"

namespace fairlead::test {
namespace {

Task<void> handle(http::Handler& handler, http::Request& request, std::optional<http::Response>& response) {
  response = co_await handler.handle(request);
}

Task<void> handle_until_left(http::Handler& handler, FakeExchange& exchange, std::optional<http::Response>& response) {
  NestedTask handling(co_await this_task::context);
  const std::function<void()> stop = [&handling] { handling.request_stop(); };
  const std::stop_callback left(exchange.stop_token(), stop);
  try {
    co_await handling.run(handle(handler, exchange.request(), response), stop);
  } catch (...) {
    if (!exchange.stop_token().stop_requested()) throw;
  }
}

}  // namespace

Task<bool> serve(http::Handler& handler, FakeExchange& exchange) {
  std::optional<http::Response> response;
  co_await handle_until_left(handler, exchange, response);
  if (response && response->stream) {
    co_await response->stream->send(exchange);
  } else if (response && !exchange.stop_token().stop_requested()) {
    co_await exchange.respond(std::move(*response));
  }
  response.reset();
  exchange.request().dependencies.reset();
  co_return true;
}

FakeExchange::FakeExchange(EventLoop loop, std::string method, std::string path, Headers headers, std::string body)
    : loop_(loop),
      method_(std::move(method)),
      target_(std::move(path)),
      headers_(std::move(headers)),
      writable_(loop.executor) {
  request_.method = method_;
  request_.target = target_;
  const auto mark = target_.find('?');
  request_.path = std::string_view(target_).substr(0, mark);
  if (mark != std::string::npos) request_.query = std::string_view(target_).substr(mark + 1);
  for (const auto& [name, value] : headers_) request_.headers.push_back({name, value});
  request_.body = std::move(body);
}

Task<Result<void>> FakeExchange::respond(http::Response response) {
  answered_ = ended_ = true;
  head_ = std::move(response);
  co_return Result<void>();
}

Task<Result<void>> FakeExchange::begin(http::Response head) {
  answered_ = streamed_ = true;
  head_ = std::move(head);
  stream_ = std::exchange(head_.body, {});
  co_return Result<void>();
}

Task<Result<void>> FakeExchange::write(std::string_view piece) {
  while (stalled_ && !gone_.stop_requested()) co_await writable_.wait();
  if (gone_.stop_requested()) co_return fail(ErrorKind::closed, "the client has gone");
  stream_ += piece;
  co_return Result<void>();
}

Task<Result<void>> FakeExchange::end() {
  ended_ = true;
  co_return Result<void>();
}

Task<Result<std::unique_ptr<http::WebSocket>>> FakeExchange::upgrade(http::WebSocketOptions options) {
  offered_ = options.subprotocols;
  if (!socket_) co_return fail(ErrorKind::refused, "no handshake");
  co_return std::move(socket_);
}

std::string FakeExchange::header_of(const http::Response& response, std::string_view name) {
  for (const auto& field : response.headers) {
    if (protocol::same_header(field.name, name)) return field.value;
  }
  return {};
}

}  // namespace fairlead::test
