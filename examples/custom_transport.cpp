// A custom transport: two in-memory queues. A transport only has to deliver messages as text.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <deque>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/transport/transport.hpp>

namespace asio = boost::asio;
using namespace fairlead;
using namespace fairlead::transport;

struct Mailbox {
  explicit Mailbox(asio::io_context& loop) : news(loop, asio::steady_timer::time_point::max()) {}
  std::deque<std::string> letters;
  bool closed = false;
  asio::steady_timer news;  // Never expires; cancelled to wake the receiver.
};

struct MailTransport final : Transport {
  Mailbox &in, &out;
  MailTransport(Mailbox& ours, Mailbox& theirs) : in(ours), out(theirs) {}

  Task<Result<Received>> receive() override {
    while (in.letters.empty() && !in.closed) co_await in.news.async_wait(asio::as_tuple(use_task));
    if (in.letters.empty()) co_return fail(ErrorKind::closed, "the queue is closed");
    auto read = jsonrpc::read(std::move(in.letters.front()));
    in.letters.pop_front();
    if (!read) co_return InvalidMessage{std::move(read.error())};
    co_return std::visit([](auto& what) { return Received(std::move(what)); }, *read);
  }
  Task<Result<void>> send(Outgoing outgoing) override {
    if (out.closed) co_return fail(ErrorKind::closed, "the queue is closed");
    out.letters.push_back(jsonrpc::write(outgoing.message));
    out.news.cancel();
    co_return Result<void>();
  }
  void close() noexcept override {
    in.closed = out.closed = true;
    in.news.cancel(), out.news.cancel();
  }
};

Task<bool> exchange_ping(Transport& alice, Transport& bob) {
  Outgoing ping{jsonrpc::Request{.id = 1, .method = "ping"}};
  const auto sent = co_await alice.send(std::move(ping));
  const auto received = co_await bob.receive();
  co_return sent&& received&& std::holds_alternative<jsonrpc::Message>(*received);
}

int main() {
  asio::io_context loop;
  Mailbox there(loop), back(loop);
  MailTransport alice(back, there), bob(there, back);
  auto good = async_start(loop, exchange_ping(alice, bob), asio::use_future);
  return loop.run() > 0 && good.get() ? 0 : 1;
}
