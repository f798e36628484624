#pragma once

#include <fairlead/client/endpoint.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/transport/http_client.hpp>

#include "cli/server_options.hpp"
#include "gateway/config/config.hpp"
#include "load/open_connection.hpp"

namespace fairlead::cli {

/// A server that `fairlead bench` measures: the target of the load driver, and the endpoint for a client.
struct BenchServer {
  load::LoadTarget target;
  client::Endpoint endpoint;
  transport::HttpClientOptions http = {};
  std::string display_name;                      ///< The command or the URL, without secrets.
  std::vector<std::string> secrets = {};         ///< Redacted in errors and logs.
  const protocol::Revision* revision = nullptr;  ///< From the configuration; null if not configured.
};

// The errors are for the user.

Result<BenchServer> bench_server_from_url(const std::string& url, const UrlOptions& at);
Result<BenchServer> bench_server_from_command(const std::vector<std::string>& command);
Result<BenchServer> bench_server_from_config(const gateway::ServerConfig& server);

/// `word` is a URL or the name of a server in the configuration files `files`.
Result<BenchServer> bench_server_from_argument(const std::string& word, const UrlOptions& at,
                                               const std::vector<std::string>& files);

}  // namespace fairlead::cli
