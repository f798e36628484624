#pragma once

#include <fairlead/transport/byte_stream.hpp>
#include <memory>
#include <utility>

namespace fairlead::test {

/// Forwards reads and writes until the Nth one, which fails like a broken connection, as do all later ones.
class FailingStream final : public transport::ByteStream {
 public:
  FailingStream(std::unique_ptr<transport::ByteStream> next, int good) : next_(std::move(next)), good_(good) {}

  Task<Result<std::size_t>> read(std::span<char> buffer) override {
    if (cut()) return failed<std::size_t>();
    return next_->read(buffer);
  }
  Task<Result<void>> write(std::string_view bytes) override {
    if (cut()) return failed<void>();
    return next_->write(bytes);
  }
  void close() noexcept override { next_->close(); }

 private:
  bool cut() {
    if (good_-- > 0) return false;
    next_->close();
    return true;
  }

  template <class T>
  static Task<Result<T>> failed() {
    co_return fail(ErrorKind::closed, "the wire was cut");
  }

  std::unique_ptr<transport::ByteStream> next_;
  int good_;
};

}  // namespace fairlead::test
