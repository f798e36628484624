#pragma once

#include <boost/asio/any_io_executor.hpp>

namespace fairlead {

class LogSink;
class TimerWheel;

/// Handle of an event loop: its executor, its timers and a log. Both references must outlive every copy.
struct EventLoop {
  boost::asio::any_io_executor executor;
  TimerWheel& timers;
  LogSink& log;
};

}  // namespace fairlead
