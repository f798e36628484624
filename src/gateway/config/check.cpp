#include "gateway/config/check.hpp"

#include <fmt/format.h>
#include <map>
#include <utility>

#include "gateway/config/ends.hpp"
#include "gateway/config/fields.hpp"

namespace fairlead::gateway {
namespace {

class Check {
 public:
  Check(const GatewayConfig& config, const Sources& sources, Problems& problems)
      : config_(config), sources_(sources), problems_(problems) {}

  void run() {
    for (const auto& server : config_.servers) check_server(server);
    check_prefixes();
    check_listen(config_.listen);
    if (config_.merge.separator.size() >= config_.merge.budget) {
      wrong("merge.budget", "leaves no room for a name; 64 is what most clients take");
    }
    // The seal of what a caller comes back with is good for no longer.
    const auto patience = config_.parking.patience;
    if (patience <= Duration{} || patience > std::chrono::minutes{10}) {
      wrong("parking.patience", "must be more than nothing, and 10m at most");
    }
    if (config_.question_timeout <= Duration{}) wrong("question_timeout", "must be more than 0; the default is 5m");
    if (config_.spawn_concurrency == 0) wrong("spawn_concurrency", "must be 1 at least, or no server ever starts");
  }

 private:
  // What could not be read is told already, and is no reason to complain that it is missing.
  void wrong(const std::string& slot, std::string_view message) {
    if (problems_.is_spoilt(slot)) return;
    const auto* from = sources_.nearest(slot);
    const bool exact = from && sources_.find(slot) == from && !from->path.empty();
    problems_.add(from ? *from : Source{}, exact ? from->path : slot, message);
  }

  void check_server(const ServerConfig& server) {
    const auto slot = below("servers", server.name);
    const bool nowhere = server.command.empty() && server.url.empty();
    if (nowhere) return wrong(slot, "says nowhere where the server is; give it a command or a url");
    const auto kind = server.url.empty() ? For::command : For::url;
    for (const auto& field : fields<ServerConfig>()) check_use(slot, field, kind);
    if (!server.url.empty()) check_url(server, slot);
    check_pair(below(slot, "cert"), server.cert, below(slot, "key"), server.key);
    if (server.max_in_flight == 0) wrong(below(slot, "max_in_flight"), "must be 1 at least, or no call ever passes");
  }

  // Only what somebody has written can be out of place.
  void check_use(const std::string& slot, const Field<ServerConfig>& field, For kind) {
    const auto path = below(slot, field.name);
    if (field.servers == For::all || field.servers == kind) return;
    if (!sources_.find(path)) return;
    wrong(path, kind == For::url ? "is for servers with a command; this one has a url"
                                 : "is for servers with a url; this one has a command");
  }

  void check_url(const ServerConfig& server, const std::string& slot) {
    if (const auto right = check_server_url(server.url, server.url); !right) {
      wrong(below(slot, "url"), right.error().message);
    }
  }

  void check_prefixes() {
    std::map<std::string, std::string> owners;
    for (const auto& server : config_.servers) {
      if (server.prefix.empty()) continue;
      const auto [owner, added] = owners.emplace(server.prefix, server.name);
      if (added) continue;
      wrong(below(below("servers", server.name), "prefix"),
            fmt::format("{} is the prefix of {} already; give each its own", value_in_quotes(server.prefix),
                        owner->second));
    }
  }

  void check_pair(const std::string& cert_slot, const std::string& cert, const std::string& key_slot,
                  const std::string& key) {
    if (cert.empty() == key.empty() || problems_.is_spoilt(cert_slot) || problems_.is_spoilt(key_slot)) return;
    wrong(cert.empty() ? key_slot : cert_slot, together);
  }

  void check_listen(const ListenConfig& listen) {
    if (!listen.http && !listen.stdio && listen.unix_socket.empty()) {
      wrong("listen", "lets nobody in; turn on http, stdio or unix");
    }
    check_pair("listen.tls.cert", listen.tls.cert, "listen.tls.key", listen.tls.key);
    if (listen.tls.cert.empty() && !listen.tls.client_ca.empty() && !problems_.is_spoilt("listen.tls.cert")) {
      wrong("listen.tls.client_ca", "needs a cert and a key besides");
    }
    check_paths(listen.paths);
  }

  void check_paths(const transport::HttpPaths& paths) {
    const std::pair<const char*, const std::string&> all[] = {{"mcp", paths.mcp},
                                                              {"sse", paths.sse},
                                                              {"messages", paths.messages},
                                                              {"rpc", paths.rpc},
                                                              {"rpc_stream", paths.rpc_stream},
                                                              {"ws", paths.ws},
                                                              {"health", paths.health},
                                                              {"ready", paths.ready}};
    std::map<std::string, std::string> owners;
    for (const auto& [name, path] : all) {
      if (path.empty()) continue;
      const auto [owner, added] = owners.emplace(path, name);
      if (!added) wrong(below("listen.paths", name), fmt::format("is the path of {} already", owner->second));
    }
    const auto owner = owners.find(config_.metrics);
    if (owner != owners.end()) wrong("metrics", fmt::format("is the path of {} already", owner->second));
  }

  static constexpr std::string_view together = "goes together with its other half; give both a cert and a key";

  const GatewayConfig& config_;
  const Sources& sources_;
  Problems& problems_;
};

}  // namespace

void check(const GatewayConfig& config, const Sources& sources, Problems& problems) {
  Check(config, sources, problems).run();
}

}  // namespace fairlead::gateway
