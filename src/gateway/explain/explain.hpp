#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/registry.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/merge/member_list.hpp"

/// What would become of a call, told without making it.
namespace fairlead::gateway {

struct ExplainQuestion {
  std::string server;
  std::string tool;  ///< As the server calls it, or as clients do.
  std::string arguments = "{}";
  std::string caller = {};  ///< Empty for nobody in particular.
};

/// What was found out about a server; a server that was not asked is not there.
struct KnownServer {
  std::string name;
  std::vector<ListItem> tools = {};
  const protocol::Revision* revision = nullptr;
  std::string trouble = {};  ///< Why it did not answer.
};

// What follows is a JSON document too.

struct ExplainedStep {
  std::string step;    ///< `deny("push")`
  std::string at;      ///< `chain.yaml:12`, where it is written somewhere.
  std::string name;    ///< Of the tool, as it comes to the step.
  std::string effect;  ///< `passes`, `refuses`, `answers`, `unknown`; empty behind one that has decided.
  std::string says;
};

/// One of the paths by which clients come.
struct ExplainedWay {
  std::string path;
  std::string name;  ///< What the tool is called there.
  bool allowed = false;
  std::string verdict;
  std::vector<ExplainedStep> steps;
};

struct ExplainedHeader {
  std::string name;
  std::string value;  ///< Masked, if it may be secret.
  std::string from;
};

struct ExplainedSetting {
  std::string name;
  std::string value;
};

struct Explained {
  std::string server;
  std::string tool;  ///< As the server calls it.
  std::string caller;
  std::string clients = {};                  ///< Where they come in, and how.
  std::string address = {};                  ///< The server's command or URL, without secrets.
  std::string transport = {};                ///< `stdio`, `https` and so on.
  std::optional<std::string> revision = {};  ///< That it speaks, where it was asked or told.
  std::optional<std::string> era = {};
  std::vector<ExplainedWay> ways = {};
  std::vector<ExplainedHeader> headers = {};  ///< With which the server is called; none for a process.
  std::vector<ExplainedSetting> settings = {};
  std::vector<std::string> unknown = {};  ///< What could not be found out, and why.

  /// By the path where all servers are.
  bool allowed() const { return ways.front().allowed; }
};

/// An error says what is wrong with the question or the configuration. `known` may lack servers: what depends on them
/// is then said to be unknown.
Result<Explained> explain(const GatewayConfig& config, const ExplainQuestion& question,
                          const std::vector<KnownServer>& known, Registry registry, const Loop& loop);

}  // namespace fairlead::gateway
