#pragma once

#include <boost/asio/awaitable.hpp>

namespace fairlead {

/// What a coroutine of ours returns. It starts when somebody awaits it or a `TaskScope` spawns it.
template <class T>
using Task = boost::asio::awaitable<T>;

}  // namespace fairlead
