#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/// The minimum of HTTP that `fairlead bench` accepts.
namespace limit {

struct Connection {
  std::string input = {}, output = {};
  std::size_t sent = 0;
};

inline std::string with_head(std::string_view type, std::string_view extra, std::string_view body) {
  std::string text = "HTTP/1.1 200 OK\r\nContent-Type: ";
  text.append(type).append("\r\n").append(extra).append("Content-Length: ");
  text.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
  return text;
}

// Size of the first request; 0 if it is incomplete.
inline std::size_t request_size(std::string_view input, std::size_t& head_size) {
  const auto end = input.find("\r\n\r\n");
  if (end == std::string_view::npos) return 0;
  head_size = end + 4;
  const auto field = input.substr(0, head_size).find("ength: ");  // Content-Length, in any case.
  if (field == std::string_view::npos) return head_size;
  const auto size = head_size + static_cast<std::size_t>(std::atoll(input.data() + field + 7));
  return input.size() >= size ? size : 0;
}

/// False after the peer has disconnected.
inline bool flush(int socket, Connection& connection) {
  while (connection.sent < connection.output.size()) {
    const auto size = ::send(socket, connection.output.data() + connection.sent,
                             connection.output.size() - connection.sent, MSG_NOSIGNAL);
    if (size < 0) return errno == EAGAIN;
    connection.sent += static_cast<std::size_t>(size);
  }
  connection.output.clear();
  connection.sent = 0;
  return true;
}

inline sockaddr_in at_home(std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

inline void send_at_once(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

inline int connect_to(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const auto address = at_home(port);
  send_at_once(socket);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return socket;
  std::perror("cannot connect");
  std::exit(1);
}

inline int listen_on(std::uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const auto address = at_home(port);
  const bool ready = ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  if (ready && ::listen(listener, 4096) == 0) return listener;
  std::perror("cannot listen");
  std::exit(1);
}

inline void watch(int poll, int operation, int socket, std::uint32_t events) {
  epoll_event event{.events = events, .data = {.fd = socket}};
  ::epoll_ctl(poll, operation, socket, &event);
}

template <class Take>
void accept_waiting(int listener, Take take) {
  for (int socket = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK); socket >= 0;
       socket = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK)) {
    send_at_once(socket);
    take(socket);
  }
}

}  // namespace limit
