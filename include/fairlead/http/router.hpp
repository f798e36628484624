#pragma once

#include <fairlead/http/handler.hpp>
#include <utility>
#include <vector>

namespace fairlead::http {

/// Selects a handler by exact path; answers 404 for other paths.
class Router final : public Handler {
 public:
  /// One handler may serve several paths. If a path is added twice, the first handler is used.
  void add(std::string path, std::shared_ptr<Handler> handler);

  Task<Response> handle(Request& request) override;
  std::optional<std::size_t> preferred_worker(const Request& request) const override;
  Task<void> close() override;

 private:
  Handler* find(std::string_view path) const;

  // A handful of routes: a linear search is faster than hashing.
  std::vector<std::pair<std::string, std::shared_ptr<Handler>>> routes_;
};

}  // namespace fairlead::http
