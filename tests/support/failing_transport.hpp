#pragma once

#include <fairlead/transport/transport.hpp>
#include <memory>
#include <utility>

namespace fairlead::test {

/// Forwards messages until the Nth one, which fails like a broken connection, as do all later ones.
class FailingTransport final : public transport::Transport {
 public:
  FailingTransport(std::unique_ptr<transport::Transport> next, int good) : next_(std::move(next)), good_(good) {}

  Task<Result<transport::Received>> receive() override {
    if (cut()) return failed<transport::Received>();
    return next_->receive();
  }
  Task<Result<void>> send(transport::Outgoing outgoing) override {
    if (cut()) return failed<void>();
    return next_->send(std::move(outgoing));
  }
  void close() noexcept override { next_->close(); }

  bool was_cut() const { return good_ < 0; }

 private:
  bool cut() {
    if (--good_ >= 0) return false;
    good_ = -1;
    next_->close();
    return true;
  }

  template <class T>
  static Task<Result<T>> failed() {
    co_return fail(ErrorKind::closed, "the wire was cut");
  }

  std::unique_ptr<transport::Transport> next_;
  int good_;
};

}  // namespace fairlead::test
