#pragma once

#include <string>
#include <vector>

namespace fairlead::client {

/// A Python server. `body` runs for each message `m` and can call `result(…)`, `error(code, …)`, `initialized(…)`,
/// `discovered(…)` and `sys.exit()`.
inline std::vector<std::string> scripted_server(const std::string& body) {
  std::string script = R"(
import json, sys, os, time
def send(message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
def result(value): send({"id": m["id"], "result": value})
def error(code, message, data=None): send({"id": m["id"], "error": {"code": code, "message": message, **({"data": data} if data else {})}})
def initialized(version=None): result({"protocolVersion": version or m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "script", "version": "1"}})
def discovered(versions): result({"supportedVersions": versions, "capabilities": {"tools": {}}, "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "script", "version": "2"}}})
for line in sys.stdin:
    m = json.loads(line)
    method = m.get("method")
)";
  for (std::size_t at = 0; at < body.size();) {
    const auto end = std::min(body.find('\n', at), body.size());
    script += "    " + body.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return {"python3", "-c", script};
}

}  // namespace fairlead::client
