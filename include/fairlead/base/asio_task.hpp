#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <fairlead/base/start_task.hpp>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace fairlead {

/// Completion token with which a task awaits an operation of Asio: `co_await timer.async_wait(use_task)`. The task
/// resumes on its own executor. An error code is thrown as `boost::system::system_error`; `asio::as_tuple(use_task)`
/// returns it. Stopping the task cancels the operation.
struct UseTask {};
inline constexpr UseTask use_task;

namespace detail {

template <class Signature>
class AsioResults;

/// What an operation completed with, as the value of `co_await`.
template <class... Args>
class AsioResults<void(Args...)> {
 public:
  void set(Args... args) { values_.emplace(std::move(args)...); }
  bool is_set() const { return values_.has_value(); }

  auto take() {
    return std::apply([](auto&... values) { return unwrap(std::move(values)...); }, *values_);
  }

 private:
  template <class... Values>
  static auto unwrap(boost::system::error_code error, Values&&... values) {
    if (error) throw boost::system::system_error(error);
    return pack(std::move(values)...);
  }
  template <class... Values>
  static auto unwrap(std::exception_ptr failure, Values&&... values) {
    if (failure) std::rethrow_exception(std::move(failure));
    return pack(std::move(values)...);
  }
  template <class... Values>
  static auto unwrap(Values&&... values) {
    return pack(std::move(values)...);
  }

  static void pack() {}
  template <class Value>
  static Value pack(Value&& value) {
    return std::move(value);
  }
  template <class... Values>
  static std::tuple<std::decay_t<Values>...> pack(Values&&... values) {
    return {std::move(values)...};
  }

  std::optional<std::tuple<std::decay_t<Args>...>> values_;
};

template <class Signature, class Initiation, class... Args>
class AsioAwaiter final : public StopHook {
 public:
  AsioAwaiter(Initiation&& initiation, std::tuple<Args...>&& args) : initiation_(initiation), args_(args) {}

  bool await_ready() const noexcept { return false; }
  /// False if the operation completed inside its initiation.
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> waiting) {
    auto& context = waiting.promise().context();
    const bool was_stopped = context.stop_requested();
    initiate(SuspendedTask(waiting));
    initiating_ = false;
    if (results_.is_set()) return false;
    // A stop during the initiation came too early for the operation to see.
    if (!was_stopped && context.stop_requested()) {
      stop();
    } else {
      context.begin_wait(*this);
    }
    return true;
  }
  auto await_resume() { return results_.take(); }

  void stop() override { signal_.emit(boost::asio::cancellation_type::terminal); }

 private:
  class Handler {
   public:
    Handler(AsioAwaiter& awaiter, SuspendedTask waiting) : awaiter_(&awaiter), waiting_(std::move(waiting)) {}

    using executor_type = boost::asio::any_io_executor;
    const executor_type& get_executor() const noexcept { return waiting_.executor(); }
    using cancellation_slot_type = boost::asio::cancellation_slot;
    cancellation_slot_type get_cancellation_slot() const noexcept { return awaiter_->signal_.slot(); }

    template <class... Values>
    void operator()(Values&&... values) {
      awaiter_->results_.set(std::forward<Values>(values)...);
      if (awaiter_->initiating_) return waiting_.release();
      std::move(waiting_).resume();
    }

   private:
    AsioAwaiter* awaiter_;
    SuspendedTask waiting_;
  };

  void initiate(SuspendedTask waiting) {
    const auto call = [&](auto&... args) {
      std::move(initiation_)(Handler(*this, std::move(waiting)), std::move(args)...);
    };
    std::apply(call, args_);
  }

  Initiation& initiation_;
  std::tuple<Args...>& args_;
  AsioResults<Signature> results_;
  boost::asio::cancellation_signal signal_;
  bool initiating_ = true;
};

/// An operation that starts when it is awaited.
template <class Signature, class Initiation, class... Args>
class [[nodiscard]] AsioOperation {
 public:
  template <class InitiationArg, class... ArgArgs>
  explicit AsioOperation(std::in_place_t, InitiationArg&& initiation, ArgArgs&&... args)
      : initiation_(std::forward<InitiationArg>(initiation)), args_(std::forward<ArgArgs>(args)...) {}

  auto operator co_await() && {
    return AsioAwaiter<Signature, Initiation, Args...>(std::move(initiation_), std::move(args_));
  }

 private:
  Initiation initiation_;
  std::tuple<Args...> args_;
};

template <class T>
struct StartedSignature {
  using Type = void(std::exception_ptr, T);
};
template <>
struct StartedSignature<void> {
  using Type = void(std::exception_ptr);
};

/// Calls the completion handler of async_start() on the handler's executor.
template <class T, class Handler>
class StartedCompletion {
 public:
  StartedCompletion(const boost::asio::any_io_executor& executor, Handler handler)
      : work_(boost::asio::get_associated_executor(handler, executor)), handler_(std::move(handler)) {}

  void operator()(TaskOutcome<T> outcome) && {
    auto slot = boost::asio::get_associated_cancellation_slot(handler_);
    if (slot.is_connected()) slot.clear();
    const auto executor = work_.get_executor();
    boost::asio::dispatch(executor, [work = std::move(work_), handler = std::move(handler_),
                                     outcome = std::move(outcome)]() mutable { finish(handler, std::move(outcome)); });
  }

 private:
  static void finish(Handler& handler, TaskOutcome<T> outcome) {
    auto failure = outcome ? std::exception_ptr() : std::move(outcome.error());
    if constexpr (std::is_void_v<T>) {
      std::move(handler)(std::move(failure));
    } else {
      std::move(handler)(std::move(failure), outcome ? std::move(*outcome) : T());
    }
  }

  using Executor = boost::asio::associated_executor_t<Handler, boost::asio::any_io_executor>;
  boost::asio::executor_work_guard<Executor> work_;
  Handler handler_;
};

template <class T>
struct StartInitiation {
  template <class Handler>
  void operator()(Handler handler, boost::asio::any_io_executor executor, Task<T> task) const {
    auto stop = std::make_shared<StopSource>();
    auto slot = boost::asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) slot.assign([stop](boost::asio::cancellation_type) { stop->request_stop(); });
    StartedCompletion<T, Handler> done(executor, std::move(handler));
    auto work = boost::asio::make_work_guard(executor);
    auto begin = [executor, work = std::move(work), stop, task = std::move(task), done = std::move(done)]() mutable {
      auto* source = stop.get();
      auto at_end = [work = std::move(work), stop = std::move(stop),
                     done = std::move(done)](TaskOutcome<T> outcome) mutable { std::move(done)(std::move(outcome)); };
      start(std::move(executor), std::move(task), std::move(at_end), source);
    };
    boost::asio::post(executor, std::move(begin));
  }
};

}  // namespace detail

/// Runs a task as an operation of Asio with the signature `void(std::exception_ptr, T)`, with any completion token. For
/// a coroutine of Asio: `co_await async_start(executor, task(), asio::use_awaitable)`. The task starts with a turn of
/// the executor, which must run one function at a time; the cancellation slot of the token stops it.
template <class T, class Token>
auto async_start(const boost::asio::any_io_executor& executor, Task<T> task, Token&& token) {
  using Signature = typename detail::StartedSignature<T>::Type;
  return boost::asio::async_initiate<Token, Signature>(detail::StartInitiation<T>(), token, executor, std::move(task));
}
template <class Context, class T, class Token>
  requires requires(Context& context) { context.get_executor(); }
auto async_start(Context& context, Task<T> task, Token&& token) {
  return async_start(boost::asio::any_io_executor(context.get_executor()), std::move(task), std::forward<Token>(token));
}

}  // namespace fairlead

template <class Signature>
class boost::asio::async_result<fairlead::UseTask, Signature> {
 public:
  template <class Initiation, class... Args>
  static auto initiate(Initiation&& initiation, fairlead::UseTask, Args&&... args) {
    return fairlead::detail::AsioOperation<Signature, std::decay_t<Initiation>, std::decay_t<Args>...>(
        std::in_place, std::forward<Initiation>(initiation), std::forward<Args>(args)...);
  }
};
