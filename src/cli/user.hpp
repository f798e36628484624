#pragma once

#include <fairlead/client.hpp>
#include <string>
#include <vector>

namespace fairlead::cli {

/// How the user answers a server's questions: by options, on the terminal, or not at all.
struct UserOptions {
  std::vector<std::string> answers = {};  ///< `field=value` for forms.
  std::vector<std::string> roots = {};
  std::string sampled = {};  ///< What the model says, if there is one.
};

/// Offers everything that the gateway offers to servers, whatever the user can answer: some servers show some tools
/// only to clients that offer enough.
void add_user(client::ClientOptions& options, const UserOptions& user);

/// Offers the same where nobody is there to answer; questions are declined.
void offer_everything(client::ClientOptions& options);

}  // namespace fairlead::cli
