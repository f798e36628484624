#pragma once

#include <fairlead/http/handler.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::http {

/// Chooses the handler by the path, which must match exactly; other paths do not exist (404).
class Router final : public Handler {
 public:
  /// One handler may serve several paths. The first that is added for a path has it.
  void add(std::string path, std::shared_ptr<Handler> handler);

  std::optional<Response> answer_now(Request& request) override;
  Task<void> serve(Exchange& exchange) override;
  std::optional<std::size_t> home(const Request& request) const override;
  Task<void> close() override;

 private:
  Handler* find(std::string_view path) const;

  // Few: looking through them costs less than a hash.
  std::vector<std::pair<std::string, std::shared_ptr<Handler>>> routes_;
};

}  // namespace fairlead::http
