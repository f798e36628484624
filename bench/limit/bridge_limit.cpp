// Lower bound for a bridge from HTTP to stdio: an epoll loop that writes the body of a POST to its child as a line, and
// returns the child's next line to the client that has waited longest. It parses nothing and maps no ids, so it needs
// responses in the order of the requests.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "limit/http.hpp"
#include "limit/message.hpp"

namespace {

using namespace limit;

struct Child {
  int to = -1, from = -1;
};

Child start(char** command) {
  std::array<int, 2> to = {}, from = {};
  if (::pipe(to.data()) != 0 || ::pipe(from.data()) != 0) std::exit(1);
  if (::fork() == 0) {
    ::dup2(to[0], STDIN_FILENO);
    ::dup2(from[1], STDOUT_FILENO);
    for (const int end : {to[0], to[1], from[0], from[1]}) ::close(end);
    ::execvp(command[0], command);
    std::exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  return {.to = to[1], .from = from[0]};
}

class Bridge {
 public:
  Bridge(std::uint16_t port, Child child) : listener_(listen_on(port)), poll_(::epoll_create1(0)), child_(child) {
    watch(poll_, EPOLL_CTL_ADD, listener_, EPOLLIN);
    watch(poll_, EPOLL_CTL_ADD, child_.from, EPOLLIN);
  }

  void run() {
    std::array<epoll_event, 256> events;
    while (!over_) {
      const int count = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) on_event(events[static_cast<std::size_t>(i)].data.fd);
      pass_on();
    }
  }

 private:
  void on_event(int ready) {
    if (ready == listener_) {
      accept_waiting(listener_, [this](int socket) { watch(poll_, EPOLL_CTL_ADD, socket, EPOLLIN); });
    } else if (ready == child_.from) {
      read_child();
    } else if (!read_client(ready, connections_[ready])) {
      ::close(ready);
      connections_.erase(ready);
      // A new client may get the same descriptor and must not get these responses.
      std::ranges::replace(waiting_, ready, -1);
    }
  }

  bool read_client(int socket, Connection& connection) {
    const auto size = ::recv(socket, buffer_.data(), buffer_.size(), 0);
    if (size <= 0) return size < 0 && errno == EAGAIN;
    connection.input.append(buffer_.data(), static_cast<std::size_t>(size));
    std::size_t head = 0;
    while (const auto whole = connection.input.empty() ? 0 : request_size(connection.input, head)) {
      take(socket, connection, std::string_view(connection.input).substr(head, whole - head));
      connection.input.erase(0, whole);
    }
    return flush(socket, connection);
  }

  void take(int socket, Connection& connection, std::string_view body) {
    const Message message(body);
    if (message.has("\"initialize\"")) {
      connection.output +=
          with_head("application/json", "Mcp-Session-Id: 0123456789abcdef\r\n", message.initialize_result());
    } else if (body.empty() || message.has("\"notifications/")) {
      connection.output += "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
    } else {
      lines_.append(body).append("\n");
      waiting_.push_back(socket);
    }
  }

  // One write per iteration of the loop.
  void pass_on() {
    for (std::string_view rest = lines_; !rest.empty();) {
      const auto size = ::write(child_.to, rest.data(), rest.size());
      if (size <= 0) std::exit(1);
      rest.remove_prefix(static_cast<std::size_t>(size));
    }
    lines_.clear();
  }

  void read_child() {
    const auto size = ::read(child_.from, buffer_.data(), buffer_.size());
    over_ = size <= 0;
    if (over_) return;
    child_output_.append(buffer_.data(), static_cast<std::size_t>(size));
    std::size_t begin = 0;
    for (auto end = child_output_.find('\n'); end != std::string::npos; end = child_output_.find('\n', begin)) {
      answer(std::string_view(child_output_).substr(begin, end - begin));
      begin = end + 1;
    }
    child_output_.erase(0, begin);
  }

  void answer(std::string_view line) {
    if (waiting_.empty()) return;
    const int socket = waiting_.front();
    waiting_.pop_front();
    const auto found = connections_.find(socket);
    if (found == connections_.end()) return;
    found->second.output += with_head("application/json", "", line);
    flush(socket, found->second);
  }

  int listener_, poll_;
  Child child_;
  std::map<int, Connection> connections_;
  std::deque<int> waiting_;
  std::string lines_, child_output_;
  std::array<char, 65536> buffer_ = {};
  bool over_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: bridge_limit <port> <command...>\n", stderr), 2;
  Bridge(static_cast<std::uint16_t>(std::atoi(argv[1])), start(argv + 2)).run();
}
