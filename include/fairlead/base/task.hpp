#pragma once

#include <boost/asio/awaitable.hpp>

namespace fairlead {

/// Return type of coroutines. A task starts when it is awaited or spawned by a `TaskScope`.
template <class T>
using Task = boost::asio::awaitable<T>;

}  // namespace fairlead
