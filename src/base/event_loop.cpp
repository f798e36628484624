#include <fairlead/base/event_loop.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace fairlead {

EventLoop::EventLoop(const boost::asio::any_io_executor& on, TimerWheel& wheel, LogSink& sink)
    : shared_(std::make_shared<const boost::asio::any_io_executor>(on)), executor(*shared_), timers(wheel), log(sink) {}

}  // namespace fairlead
