#pragma once

#include <arpa/inet.h>
#include <array>
#include <cstdlib>
#include <fairlead/base/descriptor.hpp>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <utility>

namespace fairlead::test {

/// A parsed response.
struct RawAnswer {
  int status = 0;
  std::string head;
  std::string body;  ///< Body; of a chunked response including the chunk framing.

  bool has(std::string_view line) const { return head.find("\r\n" + std::string(line) + "\r\n") != std::string::npos; }
};

/// A blocking client that sends arbitrary bytes. All waits have a timeout.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port, std::string host = "127.0.0.1")
      : socket_(::socket(host.find(':') == std::string::npos ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)),
        host_("localhost:" + std::to_string(port)) {
    const timeval timeout{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    if (!connect(port, host)) ADD_FAILURE() << "cannot connect to " << host << " port " << port;
  }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto size = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
  }
  /// Sends a complete request; each of `lines` ends with CR LF.
  void send_request(std::string_view method, std::string_view target, std::string_view lines = "",
                    std::string_view body = "") {
    std::string text;
    text.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: ").append(host_).append("\r\n");
    text.append(lines);
    if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    send(text + "\r\n" + std::string(body));
  }

  /// Reads up to and including `end`; later bytes stay buffered.
  std::string until(std::string_view end) {
    std::size_t at = received_.find(end);
    while (at == std::string::npos) {
      const auto seen = received_.size() - std::min(received_.size(), end.size());
      if (!listen()) break;
      at = received_.find(end, seen);
    }
    if (at != std::string::npos) return take(at + end.size());
    ADD_FAILURE() << "the server closed the connection after sending: " << received_.substr(0, 200);
    return take(received_.size());
  }
  std::string until_closed() {
    while (listen()) {
    }
    return take(received_.size());
  }
  RawAnswer answer() {
    RawAnswer answer;
    answer.head = until("\r\n\r\n");
    answer.status = std::atoi(answer.head.c_str() + sizeof("HTTP/1.1"));
    const std::string length = "\r\nContent-Length: ";
    if (const auto at = answer.head.find(length); at != std::string::npos) {
      const auto size = static_cast<std::size_t>(std::atoll(answer.head.c_str() + at + length.size()));
      while (received_.size() < size && listen()) {
      }
      answer.body = take(size);
    } else if (answer.has("Transfer-Encoding: chunked")) {
      answer.body = until("0\r\n\r\n");
    }
    return answer;
  }
  bool closed() {
    while (listen()) {
    }
    return received_.empty();
  }

  void disconnect() { socket_.reset(); }
  void end_output() { ::shutdown(socket_.get(), SHUT_WR); }
  int descriptor() const { return socket_.get(); }
  const std::string& host() const { return host_; }

 private:
  bool connect(std::uint16_t port, const std::string& host) {
    sockaddr_in four = {};
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    if (::inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) {
      return ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&four), sizeof(four)) == 0;
    }
    sockaddr_in6 six = {};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    ::inet_pton(AF_INET6, host.c_str(), &six.sin6_addr);
    return ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&six), sizeof(six)) == 0;
  }
  bool listen() {
    std::array<char, 65536> buffer;
    ssize_t size = 0;
    // A receive with a timeout is not restarted after a signal, such as the SIGCHLD of a server that has ended.
    do {
      size = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    } while (size < 0 && errno == EINTR);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) ADD_FAILURE() << "the server says nothing";
    if (size > 0) received_.append(buffer.data(), static_cast<std::size_t>(size));
    return size > 0;
  }
  std::string take(std::size_t size) {
    auto taken = received_.substr(0, size);
    received_.erase(0, size);
    return taken;
  }

  Descriptor socket_;
  std::string host_;
  std::string received_;
};

}  // namespace fairlead::test
