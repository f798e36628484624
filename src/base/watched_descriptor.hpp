#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/detail/reactor.hpp>
#include <boost/asio/detail/reactor_op.hpp>
#include <boost/asio/error.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/task.hpp>
#include <memory>
#include <utility>

namespace fairlead {

/// A descriptor that blocks nobody, and can be waited for on one loop.
///
/// What Asio offers for this arms the descriptor by a system call each time. Here a wait that follows a read which has
/// taken everything needs none: the reactor hears of what comes by itself. That is reached below what Asio documents
/// (docs/decisions/0014), and nowhere else but here and where tasks are started (task_scope.cpp).
class WatchedDescriptor {
 public:
  explicit WatchedDescriptor(const boost::asio::any_io_executor& executor);
  WatchedDescriptor(const WatchedDescriptor&) = delete;
  WatchedDescriptor& operator=(const WatchedDescriptor&) = delete;
  ~WatchedDescriptor() { close(); }

  /// Stays closed where the loop has no room for another.
  void open(Descriptor descriptor);
  bool is_open() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  /// Those who wait are told.
  void close() noexcept { Descriptor(release()).reset(); }
  int release() noexcept;
  void cancel();

  /// The last read has left nothing behind, not even an end of the stream: the next wait is for what comes then.
  void note_drained(bool is_drained) { drained_ = is_drained; }
  /// So until somebody waits.
  bool is_drained() const { return drained_; }

  /// `then(bool)` is called on the loop, later: true once it is worth a try, false if the wait was ended.
  template <class Then>
  void when_readable(Then then) {
    start(Reactor::read_op, std::make_unique<Plain<Then>>(std::move(then)));
  }
  template <class Then>
  void when_writable(Then then) {
    start(Reactor::write_op, std::make_unique<Plain<Then>>(std::move(then)));
  }

  /// The same for coroutines. False if the wait was ended, or the coroutine is cancelled.
  Task<bool> readable();
  Task<bool> writable();

 private:
  using Reactor = boost::asio::detail::reactor;
  using Operation = boost::asio::detail::operation;

  /// Over with the first thing that is heard of the descriptor.
  class Wait : public boost::asio::detail::reactor_op {
   public:
    explicit Wait(func_type told) : reactor_op({}, &Wait::end, told) {}
    /// Files cannot be waited for; they never make anybody wait either.
    bool is_ready() const { return ec_ != boost::asio::error::operation_aborted; }

    WatchedDescriptor* home = nullptr;  ///< Until that is closed.

   private:
    // All who wait for the same are told; with the last of them, what was heard is forgotten.
    static status end(reactor_op* base) {
      const auto* self = static_cast<Wait*>(base);
      return self->home->last_reader_ == self ? done_and_exhausted : done;
    }
  };

  template <class Then>
  struct Plain final : Wait {
    explicit Plain(Then next) : Wait(&Plain::tell), then(std::move(next)) {}

    // Without an owner the loop is gone, and nobody is told.
    static void tell(void* owner, Operation* base, const boost::system::error_code&, std::size_t) {
      std::unique_ptr<Plain> self(static_cast<Plain*>(base));
      auto next = std::move(self->then);
      const bool ready = self->is_ready();
      self.reset();
      if (owner != nullptr) next(ready);
    }

    Then then;
  };

  /// A coroutine that waits, which may be cancelled: also when the descriptor is closed and has told it, or is gone.
  struct Coroutine : Wait {
    using Wait::Wait;
    void settle();
    void leave();

    Coroutine* next = nullptr;
  };
  template <class Handler>
  struct Suspended;
  struct Initiation;

  template <class Kind>
  void start(int what, std::unique_ptr<Kind> wait) {
    // Whether the reactor need not be asked to look: it will hear of it.
    const bool listens = what == Reactor::read_op && std::exchange(drained_, false);
    if (what == Reactor::read_op) last_reader_ = wait.get();
    wait->home = this;
    reactor_.start_op(what, descriptor_, data_, wait.release(), false, listens);
  }

  Reactor& reactor_;
  Reactor::per_descriptor_data data_ = {};
  int descriptor_ = -1;
  bool drained_ = false;
  const Wait* last_reader_ = nullptr;
  Coroutine* first_ = nullptr;  // Of those that wait.
};

}  // namespace fairlead
