// Lower bound for an HTTP server: an epoll loop that searches requests with memmem and sends each response with one
// call.
//
// Supports initialize, echo, blob and progress over server-sent events, for `fairlead bench` only.
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "limit/http.hpp"
#include "limit/message.hpp"

namespace {

using namespace limit;

void append_chunk(std::string& out, std::string_view event) {
  std::array<char, 20> size = {};
  const int length = std::snprintf(size.data(), size.size(), "%zx\r\n", event.size());
  out.append(size.data(), static_cast<std::size_t>(length)).append(event).append("\r\n");
}

// One chunk per event, like a server that streams.
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
    return with_head("application/json", "Mcp-Session-Id: 0123456789abcdef0123456789abcdef\r\n",
                     message.initialize_result());
  }
  if (message.has("\"server/discover\"")) return with_head("application/json", "", message.method_not_found());
  if (message.has("\"notifications/")) return "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
  if (head.starts_with("GET ")) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  }
  if (message.has("\"name\":\"blob\"")) return with_head("application/json", "", message.blob());
  if (message.has("\"tools/list\"")) return with_head("application/json", "", message.tools_list());
  return progress_stream(message);
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

bool receive(int socket, Connection& connection) {
  static std::array<char, 65536> buffer;
  const auto size = ::recv(socket, buffer.data(), buffer.size(), 0);
  if (size < 0) return errno == EAGAIN;
  connection.input.append(buffer.data(), static_cast<std::size_t>(size));
  if (size > 0) serve_requests(connection);
  return size > 0;
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
    accept_waiting(listener_, [this](int socket) { watch(poll_, EPOLL_CTL_ADD, socket, EPOLLIN); });
  }

  int listener_, poll_;
  std::map<int, Connection> connections_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: http_limit <port>\n", stderr), 2;
  Limit(static_cast<std::uint16_t>(std::atoi(argv[1]))).run();
}
