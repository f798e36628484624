#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gateway/config/server_reader.hpp"

namespace fairlead::gateway {

/// One entry for a server, in any of the spellings that are about: ours, those of editors, and `ServerInfo`.
class ServerEntry {
 public:
  ServerEntry(Reading& reading, const Place& place, Dialect dialect, ServerConfig& server)
      : reading_(reading), place_(place), dialect_(dialect), server_(server) {}

  void read();

 private:
  void read_member(const Node& child);
  bool read_other_spelling(const Node& child);
  void read_unknown(const Node& child);
  void read_command(const Place& command);
  void read_url(const Place& url);
  void read_milliseconds(const Place& timeout);
  /// A number without a unit, of which other programs mean milliseconds or seconds.
  void read_bare_timeout(const Place& timeout);

  void apply_transport();
  void apply_web_transport(const Place& transport, const std::string& name);

  Reading& reading_;
  const Place& place_;
  Dialect dialect_;
  ServerConfig& server_;
};

}  // namespace fairlead::gateway
