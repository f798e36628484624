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

/// A non-blocking file descriptor that can be waited for on one event loop.
///
/// Asio's own waits try the descriptor with a system call each time. Here, a wait after a read that drained the
/// descriptor needs none, because the reactor is edge-triggered. The only user of internals of Asio
/// (docs/decisions/0014).
class ReactorDescriptor {
 public:
  explicit ReactorDescriptor(const boost::asio::any_io_executor& executor);
  ReactorDescriptor(const ReactorDescriptor&) = delete;
  ReactorDescriptor& operator=(const ReactorDescriptor&) = delete;
  ~ReactorDescriptor() { close(); }

  /// Leaves it closed if the reactor cannot register the descriptor.
  void open(Descriptor descriptor);
  bool is_open() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  /// Ends all waits.
  void close() noexcept { Descriptor(release()).reset(); }
  int release() noexcept;
  void cancel();

  /// Set after a read that left nothing behind, not even an end of stream: the next wait then waits for a new event.
  void set_drained(bool is_drained) { drained_ = is_drained; }
  /// True until the next wait.
  bool is_drained() const { return drained_; }

  /// Calls `then(bool)` later on the loop: true when a read may succeed, false if the wait was ended.
  template <class Then>
  void when_readable(Then then) {
    start(Reactor::read_op, std::make_unique<CallbackWait<Then>>(std::move(then)));
  }
  template <class Then>
  void when_writable(Then then) {
    start(Reactor::write_op, std::make_unique<CallbackWait<Then>>(std::move(then)));
  }

  /// Coroutine versions, to be awaited. Return false if the wait was ended or the coroutine was cancelled.
  auto readable() { return CoroutineWait(*this, Reactor::read_op); }
  auto writable() { return CoroutineWait(*this, Reactor::write_op); }

 private:
  using Reactor = boost::asio::detail::reactor;
  using Operation = boost::asio::detail::operation;

  /// A wait that completes with the first event of the descriptor.
  class Wait : public boost::asio::detail::reactor_op {
   public:
    explicit Wait(func_type on_complete) : reactor_op({}, &Wait::end, on_complete) {}
    /// Also true for regular files, which cannot be waited for and never block.
    bool is_ready() const { return ec_ != boost::asio::error::operation_aborted; }

    ReactorDescriptor* descriptor = nullptr;  ///< Null once that is closed.

   private:
    // Completes all waits of the same kind; the last one resets the event.
    static status end(reactor_op* base) {
      const auto* self = static_cast<Wait*>(base);
      return self->descriptor->last_reader_ == self ? done_and_exhausted : done;
    }
  };

  template <class Then>
  struct CallbackWait final : Wait {
    explicit CallbackWait(Then next) : Wait(&CallbackWait::complete), then(std::move(next)) {}

    // Without an owner the loop is being destroyed: do not call back.
    static void complete(void* owner, Operation* base, const boost::system::error_code&, std::size_t) {
      std::unique_ptr<CallbackWait> self(static_cast<CallbackWait*>(base));
      auto next = std::move(self->then);
      const bool ready = self->is_ready();
      self.reset();
      if (owner != nullptr) next(ready);
    }

    Then then;
  };

  /// A waiting coroutine, in whose frame it is. It may be cancelled even after the descriptor was closed or destroyed.
  class CoroutineWait final : Wait, StopHook {
   public:
    CoroutineWait(ReactorDescriptor& of, int what) : Wait(&CoroutineWait::complete), what_(what) { descriptor = &of; }

    bool await_ready() const { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> waiting) {
      waiting_ = SuspendedTask(waiting);
      waiting.promise().context().begin_wait(*this);
      begin();
    }
    bool await_resume() const { return is_ready(); }

   private:
    friend class ReactorDescriptor;
    static void complete(void* owner, Operation* base, const boost::system::error_code&, std::size_t);
    void begin();
    void unlink();
    void stop() override;

    int what_;
    CoroutineWait* next_ = nullptr;
    SuspendedTask waiting_;
  };

  void start(int what, std::unique_ptr<Wait> wait) { start(what, *wait.release()); }
  /// The wait ends by its complete function, which destroys it.
  void start(int what, Wait& wait) {
    // The reactor need not try the descriptor now: an event will follow.
    const bool edge_is_pending = what == Reactor::read_op && std::exchange(drained_, false);
    if (what == Reactor::read_op) last_reader_ = &wait;
    wait.descriptor = this;
    reactor_.start_op(what, descriptor_, data_, &wait, false, edge_is_pending);
  }

  Reactor& reactor_;
  Reactor::per_descriptor_data data_ = {};
  int descriptor_ = -1;
  bool drained_ = false;
  const Wait* last_reader_ = nullptr;
  CoroutineWait* first_ = nullptr;  // List of the waiting coroutines.
};

}  // namespace fairlead
