#include "base/reactor_descriptor.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace fairlead {
namespace asio = boost::asio;

void ReactorDescriptor::CoroutineWait::link() {
  next = std::exchange(descriptor->first_, this);
}

void ReactorDescriptor::CoroutineWait::unlink() {
  if (descriptor == nullptr) return;
  auto* link_to = &descriptor->first_;
  while (*link_to != this) link_to = &(*link_to)->next;
  *link_to = next;
  descriptor = nullptr;
}

template <class Handler>
struct ReactorDescriptor::SuspendedCoroutine final : CoroutineWait {
  explicit SuspendedCoroutine(Handler resumed)
      : CoroutineWait(&SuspendedCoroutine::complete), handler(std::move(resumed)) {}

  static void complete(void* owner, Operation* base, const boost::system::error_code&, std::size_t) {
    std::unique_ptr<SuspendedCoroutine> self(static_cast<SuspendedCoroutine*>(base));
    self->unlink();
    auto slot = asio::get_associated_cancellation_slot(self->handler);
    if (slot.is_connected()) slot.clear();
    auto resumed = std::move(self->handler);
    const bool ready = self->is_ready();
    self.reset();
    // Without an owner the loop is being destroyed: do not resume. With one, this runs on the waiter's loop.
    if (owner != nullptr) std::move(resumed)(ready);
  }

  Handler handler;
};

struct ReactorDescriptor::ReactorWait {
  ReactorDescriptor* watched;
  int what;

  template <class Handler>
  void operator()(Handler handler) {
    auto wait = std::make_unique<SuspendedCoroutine<Handler>>(std::move(handler));
    wait->descriptor = watched;
    wait->link();
    wait->cancellation_key_ = wait.get();
    if (auto slot = asio::get_associated_cancellation_slot(wait->handler); slot.is_connected()) {
      slot.assign([waiting = wait.get(), what = what](auto) {
        if (auto* descriptor = waiting->descriptor)
          descriptor->reactor_.cancel_ops_by_key(descriptor->descriptor_, descriptor->data_, what, waiting);
      });
    }
    watched->start(what, std::move(wait));
  }

  Task<bool> begin() {
    return asio::async_initiate<const asio::use_awaitable_t<>, void(bool)>(*this, asio::use_awaitable);
  }
};

ReactorDescriptor::ReactorDescriptor(const asio::any_io_executor& executor)
    : reactor_(asio::use_service<Reactor>(asio::query(executor, asio::execution::context))) {
  reactor_.init_task();
}

void ReactorDescriptor::open(Descriptor descriptor) {
  drained_ = false;
  if (reactor_.register_descriptor(descriptor.get(), data_) == 0) {
    descriptor_ = descriptor.release();
  } else {
    reactor_.cleanup_descriptor_data(data_);
  }
}

int ReactorDescriptor::release() noexcept {
  if (!is_open()) return -1;
  for (; first_ != nullptr; first_ = first_->next) first_->descriptor = nullptr;
  reactor_.deregister_descriptor(descriptor_, data_, false);
  reactor_.cleanup_descriptor_data(data_);
  return std::exchange(descriptor_, -1);
}

void ReactorDescriptor::cancel() {
  reactor_.cancel_ops(descriptor_, data_);
}

Task<bool> ReactorDescriptor::readable() {
  return ReactorWait(this, Reactor::read_op).begin();
}

Task<bool> ReactorDescriptor::writable() {
  return ReactorWait(this, Reactor::write_op).begin();
}

}  // namespace fairlead
