// Surrounds a snippet inside a function: a server `app`, and the Guard of docs/middleware.md.
#include <fairlead/gateway.hpp>
#include <fairlead/server.hpp>
#include <iostream>

using namespace fairlead;
using namespace std::chrono_literals;

class Guard final : public Middleware {
 public:
  Task<Result<Reply>> call(Call& call, Service& next) override { return next.call(call); }
};

int main() {
  Server app{"app", "1.0"};
  SNIPPET
}
