#pragma once

#include <fairlead/server/parameters.hpp>
#include <functional>
#include <memory>
#include <utility>

namespace fairlead::server {

/// A registered function, its types erased: a plain one, which costs no coroutine, or a coroutine.
template <class Output>
struct Handler {
  std::function<Result<Output>(const Input&, Context&)> plain = {};
  std::function<Task<Result<Output>>(Input, Context&)> coroutine = {};
  bool blocking = false;
  bool takes_context = false;
};

namespace detail {

/// Turns what a handler gave into `Shape::Output`, which is `Shape::make(value)`, or `Shape::make()` for nothing.
template <class Shape, class Return>
Result<typename Shape::Output> shaped(Return&& given) {
  if constexpr (ResultTraits<std::remove_cvref_t<Return>>::is_result) {
    if (!given) return std::unexpected(std::move(given.error()));
    if constexpr (std::is_void_v<typename ResultTraits<std::remove_cvref_t<Return>>::Value>) {
      return Shape::make();
    } else {
      return Shape::make(std::move(*given));
    }
  } else {
    return Shape::make(std::forward<Return>(given));
  }
}

template <class Shape, class F>
Result<typename Shape::Output> run_plain(F& function, const Input& input, Context& context) {
  using Sig = Signature<F>;
  using Bound = Parameters<typename Sig::Parameters>;
  typename Bound::Values values{};
  if (auto read = Bound::read(input, values); !read) return std::unexpected(std::move(read.error()));
  if constexpr (std::is_void_v<typename Sig::Return>) {
    Bound::call(function, values, context);
    return Shape::make();
  } else {
    return shaped<Shape>(Bound::call(function, values, context));
  }
}

template <class Shape, class F>
Task<Result<typename Shape::Output>> run_coroutine(std::shared_ptr<F> function, Input input, Context& context) {
  using Sig = Signature<F>;
  using Bound = Parameters<typename Sig::Parameters>;
  typename Bound::Values values{};
  if (auto read = Bound::read(input, values); !read) co_return std::unexpected(std::move(read.error()));
  if constexpr (std::is_void_v<typename TaskTraits<typename Sig::Return>::Value>) {
    co_await Bound::call(*function, values, context);
    co_return Shape::make();
  } else {
    auto given = co_await Bound::call(*function, values, context);
    co_return shaped<Shape>(std::move(given));
  }
}

}  // namespace detail

/// `Error`s that carry no fault of the protocol are the handler's own; bad input is `malformed`.
template <class Shape, class F>
Handler<typename Shape::Output> make_handler(F function) {
  const auto shared = std::make_shared<F>(std::move(function));
  Handler<typename Shape::Output> handler;
  handler.takes_context = Parameters<typename Signature<F>::Parameters>::takes_context;
  if constexpr (TaskTraits<typename Signature<F>::Return>::is_task) {
    handler.coroutine = [shared](Input input, Context& context) {
      return detail::run_coroutine<Shape>(shared, input, context);
    };
  } else {
    handler.plain = [shared](const Input& input, Context& context) {
      return detail::run_plain<Shape>(*shared, input, context);
    };
  }
  return handler;
}

template <class Shape, class F>
Handler<typename Shape::Output> make_handler(Blocking<F> marked) {
  static_assert(!TaskTraits<typename Signature<F>::Return>::is_task, "a coroutine does not block: pass it as it is");
  auto handler = make_handler<Shape>(std::move(marked.function));
  handler.blocking = true;
  return handler;
}

/// The function inside, marked or not.
template <class F>
struct Unmarked {
  using Type = F;
};
template <class F>
struct Unmarked<Blocking<F>> {
  using Type = F;
};
template <class F>
using SignatureOf = Signature<typename Unmarked<F>::Type>;

}  // namespace fairlead::server
