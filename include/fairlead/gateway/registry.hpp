#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/arguments.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// Middleware by the name that configuration and the pipe form call it by.
class Registry {
 public:
  /// Reads its arguments; what it leaves unread, and what `Arguments` found wrong with them, is complained of for it.
  using Factory = std::function<Result<std::unique_ptr<Middleware>>(Arguments& arguments, Loop loop)>;

  struct Entry {
    std::string usage;    ///< With arguments, as in `timeout(30s, cap=5m)`.
    std::string summary;  ///< One sentence for lists and help.
    Factory make;
  };

  /// What comes with Fairlead.
  static Registry standard();

  /// One of the same name is replaced.
  Registry& add(std::string name, Entry entry);

  Result<std::unique_ptr<Middleware>> make(std::string_view name, ArgumentList arguments, Loop loop) const;

  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }

 private:
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace fairlead::gateway
