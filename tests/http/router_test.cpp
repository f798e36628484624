#include <fairlead/http/router.hpp>

#include <gtest/gtest.h>

namespace fairlead::http::router_test {
namespace {

class Named final : public Handler {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  Task<Response> handle(Request&) override { return Response{.body = name_}; }
  std::optional<std::size_t> preferred_worker(const Request&) const override { return name_.size(); }

 private:
  std::string name_;
};

TEST(Router, MatchesTheExactPath) {
  Router router;
  const auto shared = std::make_shared<Named>("one");
  router.add("/a", shared);
  router.add("/b", shared);
  router.add("/a/b", std::make_shared<Named>("three"));
  const auto at = [&](std::string_view path) {
    Request request;
    request.path = path;
    return router.handle(request).take();
  };
  EXPECT_EQ(at("/a").body, "one");
  EXPECT_EQ(at("/b").body, "one");
  EXPECT_EQ(at("/a/b").body, "three");
  for (const auto* path : {"/", "/a/", "/A", "/c", "", "/a%2fb", "//a"}) EXPECT_EQ(at(path).status, 404) << path;
}

TEST(Router, ForwardsPreferredWorker) {
  Router router;
  router.add("/a", std::make_shared<Named>("one"));
  Request request;
  request.path = "/a";
  EXPECT_EQ(router.preferred_worker(request), 3u);
  request.path = "/b";
  EXPECT_EQ(router.preferred_worker(request), std::nullopt);
}

}  // namespace
}  // namespace fairlead::http::router_test
