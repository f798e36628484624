#pragma once

#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/server.hpp>
#include <string>

namespace fairlead::test {

/// Tools that return, send a server request, wait until cancelled, and fail.
inline void add_sample_tools(Server& app) {
  app.tool("echo", "Says it again", [](Arg<"text", std::string> text) { return *text; });
  app.tool("ask", "Names the first root", [](Context& context) -> Task<std::string> {
    const auto roots = co_await context.roots();
    co_return roots.empty() ? std::string("none") : roots[0].uri;
  });
  app.tool("wait", "Waits for its cancellation", [](Context&) -> Task<std::string> {
    boost::asio::steady_timer never(co_await this_task::executor, boost::asio::steady_timer::time_point::max());
    co_await never.async_wait(use_task);
    co_return "woken";
  });
  app.tool("fail", "Fails", []() -> std::string { throw std::runtime_error("the disk is full"); });
}

}  // namespace fairlead::test
