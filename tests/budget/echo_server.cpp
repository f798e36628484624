// usage: echo_server: serves two tools over HTTP at a free port, a plain one and one that waits for a turn of the loop.
#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/server.hpp>
#include <string>

namespace {

using Text = fairlead::Arg<"text", std::string, "Text to return">;

fairlead::Task<std::string> echo_later(Text text) {
  co_await boost::asio::post(fairlead::use_task);
  co_return std::move(text.value);
}

}  // namespace

int main() {
  fairlead::Server server("echo", "1.0");
  server.tool("echo", "Returns the given text", [](Text text) { return std::move(text.value); });
  server.tool("echo_later", "Returns the given text after a turn of the loop", echo_later);
  const char* options[] = {"echo_server", "--http", "127.0.0.1:0"};
  return server.run(3, const_cast<char**>(options));
}
