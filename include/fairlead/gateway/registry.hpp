#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/arguments.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <functional>
#include <map>

namespace fairlead::gateway {

/// Maps the names of middleware in configuration files and on the command line to their factories.
class Registry {
 public:
  /// Reads the arguments and makes the middleware. The registry reports unread and invalid arguments.
  using Factory = std::function<Result<std::unique_ptr<Middleware>>(MiddlewareArguments& arguments, EventLoop loop)>;

  struct Entry {
    std::string usage;    ///< With arguments: `timeout(30s, max_time=5m)`.
    std::string summary;  ///< One sentence for lists and help.
    Factory make;
  };

  /// The built-in middleware.
  static Registry standard();

  /// Replaces an entry of the same name.
  Registry& add(std::string name, Entry entry);

  Result<std::unique_ptr<Middleware>> make(std::string_view name, ArgumentList arguments, EventLoop loop) const;

  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }

 private:
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace fairlead::gateway
