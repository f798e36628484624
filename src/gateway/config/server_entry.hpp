#pragma once

#include "gateway/config/server_reader.hpp"

namespace fairlead::gateway {

/// Reads one server entry in any supported format: ours, those of editors, and `ServerInfo`.
class ServerEntry {
 public:
  ServerEntry(config::ReadContext& context, const config::NodeRef& ref, Dialect dialect, ServerConfig& server)
      : context_(context), ref_(ref), dialect_(dialect), server_(server) {}

  void read();

 private:
  void read_member(const config::Node& child);
  bool read_other_spelling(const config::Node& child);
  void read_unknown(const config::Node& child);
  void read_command(const config::NodeRef& command);
  void read_url(const config::NodeRef& url);
  void read_milliseconds(const config::NodeRef& timeout);
  /// Reads a number without a unit, which other programs use for milliseconds or seconds.
  void read_bare_timeout(const config::NodeRef& timeout);

  void apply_transport();
  void apply_web_transport(const config::NodeRef& transport, const std::string& name);

  config::ReadContext& context_;
  const config::NodeRef& ref_;
  Dialect dialect_;
  ServerConfig& server_;
};

}  // namespace fairlead::gateway
