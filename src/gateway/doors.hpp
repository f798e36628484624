#pragma once

#include <fairlead/http/handler.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace fairlead::gateway {

/// Handlers by the beginning of their paths, which come and go while requests are served. On one loop.
class Doors final : public http::Handler {
 public:
  /// `prefix` is empty for what no other has, or like `/s/git`.
  void open(std::string prefix, std::shared_ptr<http::Handler> handler);

  /// No request finds it any more; those under way go on. The caller closes what is returned.
  std::shared_ptr<http::Handler> shut(std::string_view prefix);

  std::optional<http::Response> answer_now(http::Request& request) override;
  Task<void> serve(http::Exchange& exchange) override;
  std::optional<std::size_t> home(const http::Request& request) const override;
  Task<void> close() override;

 private:
  std::shared_ptr<http::Handler> find(std::string_view path) const;

  std::map<std::string, std::shared_ptr<http::Handler>, std::less<>> doors_;
};

}  // namespace fairlead::gateway
