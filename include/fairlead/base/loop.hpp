#pragma once

#include <boost/asio/any_io_executor.hpp>

namespace fairlead {

class LogSink;
class TimerWheel;

/// What a thing needs in order to live on somebody's event loop: where it runs, its timers, and where it may complain.
///
/// A handle: both references outlive whatever holds it.
struct Loop {
  boost::asio::any_io_executor executor;
  TimerWheel& timers;
  LogSink& log;
};

}  // namespace fairlead
