#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gateway/config/server_reader.hpp"

namespace fairlead::gateway {

/// Reads one server entry in any supported format: ours, those of editors, and `ServerInfo`.
class ServerEntry {
 public:
  ServerEntry(ReadContext& context, const NodeRef& ref, Dialect dialect, ServerConfig& server)
      : context_(context), ref_(ref), dialect_(dialect), server_(server) {}

  void read();

 private:
  void read_member(const Node& child);
  bool read_other_spelling(const Node& child);
  void read_unknown(const Node& child);
  void read_command(const NodeRef& command);
  void read_url(const NodeRef& url);
  void read_milliseconds(const NodeRef& timeout);
  /// Reads a number without a unit, which other programs use for milliseconds or seconds.
  void read_bare_timeout(const NodeRef& timeout);

  void apply_transport();
  void apply_web_transport(const NodeRef& transport, const std::string& name);

  ReadContext& context_;
  const NodeRef& ref_;
  Dialect dialect_;
  ServerConfig& server_;
};

}  // namespace fairlead::gateway
