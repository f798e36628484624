#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <cstdlib>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <functional>
#include <string>
#include <vector>

namespace fairlead::test {

/// A server that sends bytes scripted by the test, on the loop of the test.
class ScriptedHttpServer {
 public:
  /// What to write in answer to a request; an empty answer, or one that ends with `hang_up`, closes the connection, one
  /// that ends with `stay_silent` writes nothing more.
  using Script = std::function<std::string(const std::string& request, std::size_t connection)>;
  static constexpr std::string_view disconnect = "<hang up>";
  static constexpr std::string_view no_response = "<stay silent>";

  ScriptedHttpServer(const EventLoop& loop, Script script)
      : script_(std::move(script)),
        acceptor_(loop.executor, {boost::asio::ip::address_v4::loopback(), 0}),
        scope_(loop.executor, loop.log, "scripted server") {
    scope_.spawn(accept());
  }

  std::string url(std::string_view path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port()) + std::string(path);
  }
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  const std::vector<std::string>& requests() const { return requests_; }
  std::size_t connections() const { return connections_; }
  /// Number of connections that the client has closed.
  std::size_t ended() const { return ended_; }

  Task<bool> stop() {
    acceptor_.close();
    scope_.cancel();
    co_await scope_.join();
    co_return true;
  }

 private:
  using Socket = boost::asio::ip::tcp::socket;
  static constexpr auto as_value = boost::asio::as_tuple(use_task);

  Task<void> accept() {
    while (true) {
      auto [error, socket] = co_await acceptor_.async_accept(as_value);
      if (error) co_return;
      scope_.spawn(serve(std::move(socket), connections_++));
    }
  }

  Task<void> serve(Socket socket, std::size_t connection) {
    std::string in;
    while (true) {
      auto buffer = boost::asio::dynamic_buffer(in);
      const auto [error, size] = co_await boost::asio::async_read_until(socket, buffer, "\r\n\r\n", as_value);
      if (error) break;
      const auto whole = size + length_of(in.substr(0, size));
      while (in.size() < whole) {
        std::string piece(4096, 0);
        const auto [broken, got] = co_await socket.async_read_some(boost::asio::buffer(piece), as_value);
        if (broken) co_return;
        in.append(piece, 0, got);
      }
      requests_.push_back(in.substr(0, whole));
      in.erase(0, whole);
      auto answer = script_(requests_.back(), connection);
      const bool closes = answer.empty() || cut(answer, disconnect);
      const bool stays = cut(answer, no_response);
      co_await boost::asio::async_write(socket, boost::asio::buffer(answer), as_value);
      if (closes) co_return;
      if (!stays) continue;
      co_await wait_for_end(socket);
      break;
    }
    ++ended_;
  }

  Task<void> wait_for_end(Socket& socket) {
    std::string piece(100, 0);
    while (true) {
      const auto [error, size] = co_await socket.async_read_some(boost::asio::buffer(piece), as_value);
      if (error) co_return;
    }
  }

  static bool cut(std::string& text, std::string_view end) {
    if (!text.ends_with(end)) return false;
    text.resize(text.size() - end.size());
    return true;
  }

  static std::size_t length_of(const std::string& head) {
    const auto at = head.find("Content-Length: ");
    return at == std::string::npos ? 0 : static_cast<std::size_t>(std::atoll(head.c_str() + at + 16));
  }

  Script script_;
  boost::asio::ip::tcp::acceptor acceptor_;
  TaskScope scope_;
  std::vector<std::string> requests_;
  std::size_t connections_ = 0;
  std::size_t ended_ = 0;
};

}  // namespace fairlead::test
