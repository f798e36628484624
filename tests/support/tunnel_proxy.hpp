#pragma once

#include <array>
#include <fairlead/base/descriptor.hpp>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace fairlead::test {

/// A CONNECT proxy that opens every tunnel to one local port, one at a time.
class TunnelProxy {
 public:
  explicit TunnelProxy(std::uint16_t target)
      : target_(target), listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    auto here = loopback(0);
    ::bind(listening_.get(), reinterpret_cast<const sockaddr*>(&here), sizeof(here));
    ::listen(listening_.get(), 8);
    socklen_t size = sizeof(here);
    ::getsockname(listening_.get(), reinterpret_cast<sockaddr*>(&here), &size);
    port_ = ntohs(here.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  TunnelProxy(const TunnelProxy&) = delete;
  TunnelProxy& operator=(const TunnelProxy&) = delete;
  ~TunnelProxy() {
    ::shutdown(listening_.get(), SHUT_RDWR);
    thread_.join();
  }

  std::uint16_t port() const { return port_; }

  /// All bytes received from clients, to the proxy and through it.
  std::string received() {
    const std::lock_guard lock(mutex_);
    return received_;
  }

 private:
  static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }

  void run() {
    while (true) {
      const Descriptor client(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (client.get() < 0) return;
      std::string head;
      while (head.find("\r\n\r\n") == std::string::npos) {
        char byte = 0;
        if (::recv(client.get(), &byte, 1, 0) <= 0) break;
        head += byte;
      }
      note(head);
      if (head.starts_with("CONNECT ")) relay(client.get());
    }
  }

  void relay(int client) {
    const Descriptor server(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto there = loopback(target_);
    if (::connect(server.get(), reinterpret_cast<const sockaddr*>(&there), sizeof(there)) != 0) return;
    constexpr std::string_view established = "HTTP/1.1 200 Connection Established\r\n\r\n";
    ::send(client, established.data(), established.size(), MSG_NOSIGNAL);
    std::array<pollfd, 3> ends{pollfd{client, POLLIN, 0}, pollfd{server.get(), POLLIN, 0},
                               pollfd{listening_.get(), 0, 0}};
    while (::poll(ends.data(), ends.size(), -1) > 0 && (ends[2].revents & (POLLHUP | POLLERR | POLLNVAL)) == 0) {
      if (ends[0].revents != 0 && !pass(client, server.get(), true)) return;
      if (ends[1].revents != 0 && !pass(server.get(), client, false)) return;
    }
  }

  bool pass(int from, int to, bool is_client) {
    std::array<char, 65536> buffer;
    const auto size = ::recv(from, buffer.data(), buffer.size(), 0);
    if (size <= 0) return false;
    if (is_client) note({buffer.data(), static_cast<std::size_t>(size)});
    return ::send(to, buffer.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) == size;
  }

  void note(std::string_view line) {
    const std::lock_guard lock(mutex_);
    received_ += line;
  }

  std::uint16_t target_;
  Descriptor listening_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::string received_;
  std::thread thread_;
};

}  // namespace fairlead::test
