#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/observe/observer.hpp"

namespace fairlead::gateway {

/// One entry of a `Server-Timing` field (W3C Server Timing).
struct Timing {
  std::string name;
  std::optional<double> milliseconds = {};
  std::string description = {};

  bool operator==(const Timing&) const = default;
};

/// What can be read of a field's value; the rest is passed over.
std::vector<Timing> read_server_timing(std::string_view text);
/// As many as a field should hold.
std::string write_server_timing(const std::vector<Timing>& timings);

/// Tells each client in the header of its answer how long each hop took, and what the servers behind said of theirs:
/// `front;dur=12.3, git;dur=11.8;desc="server", git.db;dur=3`. On one loop.
class ServerTiming final : public Observer {
 public:
  void begins(session::Call& call, Sight& sight) override;
  void ended(session::Call& call, const Sight& sight) override;

 private:
  /// A client's call that is under way.
  struct Notes {
    jsonrpc::Luggage returns;  ///< What others have put there.
    std::vector<Timing> hops = {};
    std::map<std::string, std::vector<Timing>, std::less<>> behind = {};  ///< Told by servers, by their names.
  };

  std::shared_ptr<Notes> find(const session::Call& call) const;

  // A call and all that are made on its behalf share what they return, so that it stands for them.
  std::map<const jsonrpc::Luggage*, std::shared_ptr<Notes>> open_;
};

}  // namespace fairlead::gateway
