// A custom middleware: a server behind a middleware chain, and its client, in one process.
#include <fairlead/client.hpp>
#include <fairlead/gateway.hpp>
#include <fairlead/server.hpp>
#include <iostream>

using namespace fairlead;

/// Rejects calls that drop a table, and prints the outcome of each request.
class Guard final : public Middleware {
 public:
  Task<Result<Reply>> call(Call& call, Service& next) override {
    const std::string method = call.method;
    if (call.params.text().find("drop table") != std::string_view::npos)
      co_return refuse("dropping tables is not allowed");
    auto reply = co_await next.call(call);
    std::cout << method << (reply ? " succeeded\n" : " failed\n");
    co_return reply;
  }
};

int main() {
  Server app{"database", "1.0"};
  app.tool("query", "Run SQL", [](Arg<"sql", std::string> sql) { return "ran " + *sql; });

  const auto guarded = chain()
                           .then(Guard())                                                      // A custom class,
                           .then(gateway::timeout({.idle = std::chrono::seconds{30}}))         // a built-in middleware,
                           .then([](Call& call) { std::cout << call.method << " passed\n"; })  // a function,
                           .then(app);                                                         // and the server.
  auto client = connect(*guarded);
  std::cout << client.call<std::string>("query", {{"sql", "select 1"}}) << '\n';
  try {
    client.call<std::string>("query", {{"sql", "drop table users"}});
  } catch (const client::Failure& failure) {
    std::cout << failure.what() << '\n';
    return 0;
  }
  return 1;
}
