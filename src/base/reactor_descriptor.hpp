#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/base/task.hpp>
#include <memory>

namespace fairlead {

/// A non-blocking file descriptor that can be waited for on one event loop.
class ReactorDescriptor : NonCopyable {
 public:
  /// `executor` must be that of an `io_context`, or of a strand on one.
  explicit ReactorDescriptor(const boost::asio::any_io_executor& executor);
  ~ReactorDescriptor() { close(); }

  /// Leaves it closed if the reactor cannot register the descriptor.
  void open(Descriptor descriptor);
  bool is_open() const { return native_->is_open(); }
  int get() const { return native_->native_handle(); }
  /// Ends all waits.
  void close() noexcept { Descriptor(release()).reset(); }
  int release() noexcept;
  void cancel();

  /// Calls `then(bool)` later on the loop: true when a read may succeed, false if the wait was ended.
  template <class Then>
  void when_readable(Then then) {
    when(Native::wait_read, std::move(then));
  }
  template <class Then>
  void when_writable(Then then) {
    when(Native::wait_write, std::move(then));
  }

  /// Coroutine versions, to be awaited. Return false if the wait was ended or the coroutine was cancelled.
  auto readable() { return CoroutineWait(native_, Native::wait_read); }
  auto writable() { return CoroutineWait(native_, Native::wait_write); }

 private:
  using Native = boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;

  /// Also true for regular files, which cannot be waited for and never block.
  static bool is_ready(const boost::system::error_code& error) {
    return error != boost::asio::error::operation_aborted;
  }

  template <class Then>
  void when(Native::wait_type what, Then then) {
    native_->async_wait(what, [then = std::move(then)](const auto& error) mutable { then(is_ready(error)); });
  }

  /// A waiting coroutine, in whose frame it is. It may be cancelled even after the descriptor was destroyed.
  class CoroutineWait final : StopHook {
   public:
    CoroutineWait(std::shared_ptr<Native> native, Native::wait_type what) : native_(std::move(native)), what_(what) {}
    /// Before the wait.
    CoroutineWait(CoroutineWait&& other) noexcept : native_(std::move(other.native_)), what_(other.what_) {}

    bool await_ready() const { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> waiting) {
      waiting.promise().context().begin_wait(*this);
      native_->async_wait(what_, Handler(*this, SuspendedTask(waiting)));
    }
    bool await_resume() const { return ready_; }

   private:
    class Handler {
     public:
      Handler(CoroutineWait& wait, SuspendedTask waiting) : wait_(&wait), waiting_(std::move(waiting)) {}

      using cancellation_slot_type = boost::asio::cancellation_slot;
      cancellation_slot_type get_cancellation_slot() const noexcept { return wait_->signal_.slot(); }

      void operator()(const boost::system::error_code& error) {
        wait_->ready_ = is_ready(error);
        std::move(waiting_).resume();
      }

     private:
      CoroutineWait* wait_;
      SuspendedTask waiting_;
    };

    void stop() override { signal_.emit(boost::asio::cancellation_type::terminal); }

    std::shared_ptr<Native> native_;
    Native::wait_type what_;
    boost::asio::cancellation_signal signal_;
    bool ready_ = false;
  };

  std::shared_ptr<Native> native_;  // Shared with the waiting coroutines.
};

}  // namespace fairlead
