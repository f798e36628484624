#pragma once

#include <fairlead/server/parameters.hpp>
#include <functional>
#include <memory>

namespace fairlead::server {

/// A registered handler, type-erased: either a plain function, which needs no coroutine frame, or a coroutine.
template <class Output>
struct HandlerFunction {
  std::function<Result<Output>(const Input&, Context&)> plain = {};
  std::function<Task<Result<Output>>(Input, Context&)> coroutine = {};
  bool blocking = false;
  bool takes_context = false;
};

namespace detail {

/// Converts a return value with `ResultConverter::convert(value)`, or `ResultConverter::convert()` for void.
template <class ResultConverter, class Return>
Result<typename ResultConverter::Output> convert_result(Return&& given) {
  if constexpr (ResultTraits<std::remove_cvref_t<Return>>::is_result) {
    if (!given) return std::unexpected(std::move(given.error()));
    if constexpr (std::is_void_v<typename ResultTraits<std::remove_cvref_t<Return>>::Value>) {
      return ResultConverter::convert();
    } else {
      return ResultConverter::convert(std::move(*given));
    }
  } else {
    return ResultConverter::convert(std::forward<Return>(given));
  }
}

template <class ResultConverter, class F>
Result<typename ResultConverter::Output> run_plain(F& function, const Input& input, Context& context) {
  using Sig = Signature<F>;
  using Bound = Parameters<typename Sig::Parameters>;
  typename Bound::Values values{};
  if (auto read = Bound::read(input, values); !read) return std::unexpected(std::move(read.error()));
  if constexpr (std::is_void_v<typename Sig::Return>) {
    Bound::call(function, values, context);
    return ResultConverter::convert();
  } else {
    return convert_result<ResultConverter>(Bound::call(function, values, context));
  }
}

template <class ResultConverter, class F>
Task<Result<typename ResultConverter::Output>> run_coroutine(std::shared_ptr<F> function, Input input,
                                                             Context& context) {
  using Sig = Signature<F>;
  using Bound = Parameters<typename Sig::Parameters>;
  typename Bound::Values values{};
  if (auto read = Bound::read(input, values); !read) co_return std::unexpected(std::move(read.error()));
  if constexpr (std::is_void_v<typename TaskTraits<typename Sig::Return>::Value>) {
    co_await Bound::call(*function, values, context);
    co_return ResultConverter::convert();
  } else {
    auto given = co_await Bound::call(*function, values, context);
    co_return convert_result<ResultConverter>(std::move(given));
  }
}

}  // namespace detail

/// Type-erases a handler.
template <class ResultConverter, class F>
HandlerFunction<typename ResultConverter::Output> make_handler(F function) {
  const auto shared = std::make_shared<F>(std::move(function));
  HandlerFunction<typename ResultConverter::Output> handler;
  handler.takes_context = Parameters<typename Signature<F>::Parameters>::takes_context;
  if constexpr (TaskTraits<typename Signature<F>::Return>::is_task) {
    handler.coroutine = [shared](Input input, Context& context) {
      return detail::run_coroutine<ResultConverter>(shared, input, context);
    };
  } else {
    handler.plain = [shared](const Input& input, Context& context) {
      return detail::run_plain<ResultConverter>(*shared, input, context);
    };
  }
  return handler;
}

template <class ResultConverter, class F>
HandlerFunction<typename ResultConverter::Output> make_handler(Blocking<F> marked) {
  static_assert(!TaskTraits<typename Signature<F>::Return>::is_task, "a coroutine does not block: pass it as it is");
  auto handler = make_handler<ResultConverter>(std::move(marked.function));
  handler.blocking = true;
  return handler;
}

/// The type of the function without its `Blocking` wrapper.
template <class F>
struct UnwrapBlocking {
  using Type = F;
};
template <class F>
struct UnwrapBlocking<Blocking<F>> {
  using Type = F;
};
template <class F>
using SignatureOf = Signature<typename UnwrapBlocking<F>::Type>;

}  // namespace fairlead::server
