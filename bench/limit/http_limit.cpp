// What the kernel and the wire cost: an epoll loop that finds what it must with memmem, and answers with one send.
//
// It shakes hands, echoes, gives blobs, and sends progress as server-sent events, for one kind of client: `fairlead
// bench`.
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "limit/message.hpp"

namespace {

using limit::Message;

struct Connection {
  std::string input = {}, output = {};
  std::size_t sent = 0;
};

std::string with_head(std::string_view type, std::string_view extra, std::string_view body) {
  std::string text = "HTTP/1.1 200 OK\r\nContent-Type: ";
  text.append(type).append("\r\n").append(extra).append("Content-Length: ");
  text.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
  return text;
}

void append_chunk(std::string& out, std::string_view event) {
  std::array<char, 20> size = {};
  const int length = std::snprintf(size.data(), size.size(), "%zx\r\n", event.size());
  out.append(size.data(), static_cast<std::size_t>(length)).append(event).append("\r\n");
}

// Every event is a chunk, as with servers that do not know how many will come.
std::string progress_stream(const Message& message) {
  std::string text =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: "
      "chunked\r\n\r\n";
  const auto steps = message.number("\"steps\":");
  for (std::size_t step = 1; step <= steps; ++step) {
    append_chunk(text, "event: message\ndata: " + message.progress(step, steps) + "\n\n");
  }
  append_chunk(text, "event: message\ndata: " + message.text_result("done") + "\n\n");
  return text + "0\r\n\r\n";
}

std::string answer(std::string_view head, const Message& message) {
  if (message.has("\"name\":\"echo\"")) return with_head("application/json", "", message.echo());
  if (message.has("\"initialize\"")) {
    return with_head("application/json", "Mcp-Session-Id: 0123456789abcdef0123456789abcdef\r\n", message.greeting());
  }
  if (message.has("\"notifications/")) return "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
  if (head.starts_with("GET ")) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  }
  if (message.has("\"name\":\"blob\"")) return with_head("application/json", "", message.blob());
  if (message.has("\"tools/list\"")) return with_head("application/json", "", message.catalogue());
  return progress_stream(message);
}

// The bytes of the first request, or 0 as long as it is not whole.
std::size_t request_size(std::string_view input, std::size_t& head_size) {
  const auto end = input.find("\r\n\r\n");
  if (end == std::string_view::npos) return 0;
  head_size = end + 4;
  const auto field = input.substr(0, head_size).find("ength: ");  // Of Content-Length, whatever the case.
  if (field == std::string_view::npos) return head_size;
  const auto size = head_size + static_cast<std::size_t>(std::atoll(input.data() + field + 7));
  return input.size() >= size ? size : 0;
}

void serve_requests(Connection& connection) {
  std::string_view rest = connection.input;
  std::size_t head = 0;
  for (auto size = request_size(rest, head); size > 0; size = rest.empty() ? 0 : request_size(rest, head)) {
    connection.output += answer(rest.substr(0, head), Message(rest.substr(head, size - head)));
    rest.remove_prefix(size);
  }
  connection.input.erase(0, connection.input.size() - rest.size());
}

/// False once the peer has gone.
bool flush(int socket, Connection& connection) {
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

bool receive(int socket, Connection& connection) {
  static std::array<char, 65536> buffer;
  const auto size = ::recv(socket, buffer.data(), buffer.size(), 0);
  if (size < 0) return errno == EAGAIN;
  connection.input.append(buffer.data(), static_cast<std::size_t>(size));
  if (size > 0) serve_requests(connection);
  return size > 0;
}

int listen_on(std::uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool ready = ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  if (ready && ::listen(listener, 4096) == 0) return listener;
  std::perror("http_limit: cannot listen");
  std::exit(1);
}

void watch(int poll, int operation, int socket, std::uint32_t events) {
  epoll_event event{.events = events, .data = {.fd = socket}};
  ::epoll_ctl(poll, operation, socket, &event);
}

class Limit {
 public:
  explicit Limit(std::uint16_t port) : listener_(listen_on(port)), poll_(::epoll_create1(0)) {
    watch(poll_, EPOLL_CTL_ADD, listener_, EPOLLIN);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, 256> events;
    while (true) {
      const int count = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) on_event(events[static_cast<std::size_t>(i)]);
    }
  }

 private:
  void on_event(const epoll_event& event) {
    if (event.data.fd == listener_) return accept_all();
    auto& connection = connections_[event.data.fd];
    const bool open =
        ((event.events & ~EPOLLOUT) == 0 || receive(event.data.fd, connection)) && flush(event.data.fd, connection);
    if (!open) {
      ::close(event.data.fd);
      connections_.erase(event.data.fd);
    } else if ((event.events & EPOLLOUT) != 0 || !connection.output.empty()) {
      watch(poll_, EPOLL_CTL_MOD, event.data.fd, connection.output.empty() ? EPOLLIN : EPOLLIN | EPOLLOUT);
    }
  }

  void accept_all() {
    for (int socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK); socket >= 0;
         socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK)) {
      const int on = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
      watch(poll_, EPOLL_CTL_ADD, socket, EPOLLIN);
    }
  }

  int listener_, poll_;
  std::map<int, Connection> connections_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: http_limit <port>\n", stderr), 2;
  Limit(static_cast<std::uint16_t>(std::atoi(argv[1]))).run();
}
