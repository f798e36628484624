#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <tuple>

namespace fairlead::server {

/// Parameter and return types of a callable. Not available for overloaded or templated call operators.
template <class F>
struct Signature : Signature<decltype(&F::operator())> {};

template <class R, class... A>
struct Signature<R(A...)> {
  using Return = R;
  using Parameters = std::tuple<A...>;
};
template <class R, class... A>
struct Signature<R (*)(A...)> : Signature<R(A...)> {};
template <class R, class... A>
struct Signature<R (*)(A...) noexcept> : Signature<R(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...)> : Signature<R(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) noexcept> : Signature<R(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const noexcept> : Signature<R(A...)> {};

template <class T>
struct TaskTraits {
  static constexpr bool is_task = false;
  using Value = T;
};
template <class T>
struct TaskTraits<Task<T>> {
  static constexpr bool is_task = true;
  using Value = T;
};

template <class T>
struct ResultTraits {
  static constexpr bool is_result = false;
  using Value = T;
};
template <class T>
struct ResultTraits<Result<T>> {
  static constexpr bool is_result = true;
  using Value = T;
};

/// The return type of a handler without `Task` and `Result`.
template <class Return>
using UnwrappedReturn = typename ResultTraits<typename TaskTraits<Return>::Value>::Value;

/// Marks a handler that blocks: it runs on the server's thread pool, not on the event loop.
template <class F>
struct Blocking {
  F function;
};

template <class F>
Blocking<F> blocking(F function) {
  return {std::move(function)};
}

}  // namespace fairlead::server
