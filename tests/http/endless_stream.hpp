#pragma once

#include <algorithm>
#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/http/stream.hpp>
#include <string>
#include <utility>

namespace fairlead::test {

/// A peer that always has data: a beginning, then a repeated piece, up to a limit that stops a broken test.
class EndlessStream final : public http::Stream {
 public:
  static constexpr std::size_t limit = std::size_t{1} * 1024 * 1024;

  EndlessStream(std::string beginning, std::string again)
      : beginning_(std::move(beginning)), again_(std::move(again)) {}

  Result<std::optional<std::size_t>> read_now(std::span<char> buffer) override {
    std::size_t size = 0;
    while (size < buffer.size() && given_ < limit) {
      buffer[size++] =
          given_ < beginning_.size() ? beginning_[given_] : again_[(given_ - beginning_.size()) % again_.size()];
      ++given_;
    }
    return size;
  }
  Result<std::optional<std::size_t>> write_now(std::span<const std::string_view> pieces) override {
    std::size_t size = 0;
    for (const auto piece : pieces) size += piece.size();
    return size;
  }
  Task<Result<void>> readable() override {
    co_await boost::asio::post(co_await this_task::executor, use_task);
    co_return Result<void>();
  }
  Task<Result<void>> writable() override { co_return Result<void>(); }
  void close() noexcept override { given_ = limit; }
  bool secure() const override { return false; }

  /// Number of bytes read.
  std::size_t given() const { return given_; }

 private:
  std::string beginning_, again_;
  std::size_t given_ = 0;
};

}  // namespace fairlead::test
