#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::transport {

/// Which arguments of which tools travel as headers too, as far as their lists have passed by. What was learned stays,
/// however long a list may be kept.
class ToolHeaders {
 public:
  /// Learns from a `ListToolsResult`; a tool whose marks are wrong is taken out of it.
  void learn(json::Payload& result, LogSink& log);

  bool knows(std::string_view tool) const { return params_.contains(tool); }
  /// Whether the arguments of a tool, whose name is in JSON here, are among its headers.
  bool has_marks(std::string_view tool) const;

  /// The headers that go with a call; none for a tool that was never listed.
  Result<std::vector<protocol::Header>> headers(std::string_view tool, std::string_view params) const;

 private:
  std::map<std::string, std::vector<protocol::HeaderParam>, std::less<>> params_;
};

}  // namespace fairlead::transport
