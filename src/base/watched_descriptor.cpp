#include "base/watched_descriptor.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace fairlead {
namespace asio = boost::asio;

void WatchedDescriptor::Coroutine::settle() {
  next = std::exchange(home->first_, this);
}

void WatchedDescriptor::Coroutine::leave() {
  if (home == nullptr) return;
  auto* place = &home->first_;
  while (*place != this) place = &(*place)->next;
  *place = next;
  home = nullptr;
}

template <class Handler>
struct WatchedDescriptor::Suspended final : Coroutine {
  explicit Suspended(Handler resumed) : Coroutine(&Suspended::tell), handler(std::move(resumed)) {}

  static void tell(void* owner, Operation* base, const boost::system::error_code&, std::size_t) {
    std::unique_ptr<Suspended> self(static_cast<Suspended*>(base));
    self->leave();
    auto slot = asio::get_associated_cancellation_slot(self->handler);
    if (slot.is_connected()) slot.clear();
    auto resumed = std::move(self->handler);
    const bool ready = self->is_ready();
    self.reset();
    // Without an owner the loop is gone, and nobody is told. With one this is the loop of whoever waits.
    if (owner != nullptr) std::move(resumed)(ready);
  }

  Handler handler;
};

struct WatchedDescriptor::Initiation {
  WatchedDescriptor* watched;
  int what;

  template <class Handler>
  void operator()(Handler handler) {
    auto wait = std::make_unique<Suspended<Handler>>(std::move(handler));
    wait->home = watched;
    wait->settle();
    wait->cancellation_key_ = wait.get();
    if (auto slot = asio::get_associated_cancellation_slot(wait->handler); slot.is_connected()) {
      slot.assign([waiting = wait.get(), what = what](auto) {
        if (auto* home = waiting->home) home->reactor_.cancel_ops_by_key(home->descriptor_, home->data_, what, waiting);
      });
    }
    watched->start(what, std::move(wait));
  }

  Task<bool> begin() {
    return asio::async_initiate<const asio::use_awaitable_t<>, void(bool)>(*this, asio::use_awaitable);
  }
};

WatchedDescriptor::WatchedDescriptor(const asio::any_io_executor& executor)
    : reactor_(asio::use_service<Reactor>(asio::query(executor, asio::execution::context))) {
  reactor_.init_task();
}

void WatchedDescriptor::open(Descriptor descriptor) {
  drained_ = false;
  if (reactor_.register_descriptor(descriptor.get(), data_) == 0) {
    descriptor_ = descriptor.release();
  } else {
    reactor_.cleanup_descriptor_data(data_);
  }
}

int WatchedDescriptor::release() noexcept {
  if (!is_open()) return -1;
  for (; first_ != nullptr; first_ = first_->next) first_->home = nullptr;
  reactor_.deregister_descriptor(descriptor_, data_, false);
  reactor_.cleanup_descriptor_data(data_);
  return std::exchange(descriptor_, -1);
}

void WatchedDescriptor::cancel() {
  reactor_.cancel_ops(descriptor_, data_);
}

Task<bool> WatchedDescriptor::readable() {
  return Initiation(this, Reactor::read_op).begin();
}

Task<bool> WatchedDescriptor::writable() {
  return Initiation(this, Reactor::write_op).begin();
}

}  // namespace fairlead
