#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>

namespace fairlead::gateway {

struct PinOptions {
  std::string file = {};   ///< What was approved, by `fairlead pin approve`.
  bool allow_new = false;  ///< Tools and prompts that were never looked at pass, other than those that have changed.
  Duration look_again = std::chrono::seconds{1};  ///< How often the file is looked at while somebody is there.
};

/// Holds back tools and prompts that are not as they were approved: what a server says of them may be meant for the
/// model. A server of which nothing was approved passes as it is. Stands last, where names are the server's own.
std::unique_ptr<Middleware> pin(PinOptions options, Loop loop);

}  // namespace fairlead::gateway
