// Surrounds a snippet inside a middleware that counts in `refused_`.
#include <cstdint>
#include <fairlead/gateway.hpp>

using namespace fairlead;

class Guard final : public Middleware {
 public:
  Task<Result<Reply>> call(Call& call, Service& next) override {
    ++refused_;
    return next.call(call);
  }
  SNIPPET

 private:
  std::uint64_t refused_ = 0;
};
