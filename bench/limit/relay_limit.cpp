// Lower bound for a proxy between two HTTP endpoints: an epoll loop with one server connection per client that copies
// bytes without parsing them.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "limit/http.hpp"

namespace {

using namespace limit;

class Relay {
 public:
  Relay(std::uint16_t port, std::uint16_t server)
      : listener_(listen_on(port)), poll_(::epoll_create1(0)), server_(server) {
    watch(poll_, EPOLL_CTL_ADD, listener_, EPOLLIN);
  }

  void run() {
    std::array<epoll_event, 256> events;
    while (true) {
      const int count = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) on_event(events[static_cast<std::size_t>(i)].data.fd);
    }
  }

 private:
  void on_event(int ready) {
    if (ready == listener_) return accept_waiting(listener_, [this](int socket) { join(socket, connect_to(server_)); });
    const int other = other_end(ready);
    if (other < 0) return;
    const auto size = ::recv(ready, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0 || ::send(other, buffer_.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) != size)
      part(ready, other);
  }

  void join(int client, int server) {
    for (const auto& [one, other] : {std::pair(client, server), std::pair(server, client)}) {
      if (others_.size() <= static_cast<std::size_t>(one)) others_.resize(static_cast<std::size_t>(one) + 1, -1);
      others_[static_cast<std::size_t>(one)] = other;
      watch(poll_, EPOLL_CTL_ADD, one, EPOLLIN);
    }
  }

  void part(int one, int other) {
    for (const int end : {one, other}) {
      ::close(end);
      others_[static_cast<std::size_t>(end)] = -1;
    }
  }

  int other_end(int socket) const { return others_[static_cast<std::size_t>(socket)]; }

  int listener_, poll_;
  std::uint16_t server_;
  std::vector<int> others_;  // By descriptor.
  std::array<char, 65536> buffer_ = {};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: relay_limit <port> <port of the server>\n", stderr), 2;
  Relay(static_cast<std::uint16_t>(std::atoi(argv[1])), static_cast<std::uint16_t>(std::atoi(argv[2]))).run();
}
