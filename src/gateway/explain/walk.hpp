#pragma once

#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/explain/explain.hpp"
#include "gateway/upstream/header_sets.hpp"

namespace fairlead::gateway {

/// A step of a chain, with the middleware that stands for it.
struct MadeStep {
  std::string shown;
  std::string at;
  std::shared_ptr<Middleware> middleware;
};
using MadeChain = std::vector<MadeStep>;

Result<MadeChain> made_chain(const ChainConfig& config, const Registry& registry, const Loop& loop);

/// What a tool behind a chain is called in front of it, and the other way round.
std::string outside_of(const MadeChain& chain, std::string name);
std::string inside_of(const MadeChain& chain, std::string name);

/// A call on its way, of which each step says what it would do.
class ExplainWalk {
 public:
  /// `definition` is the tool's, empty where it is not known.
  ExplainWalk(std::string server, std::string_view definition, session::Call call, std::shared_ptr<HeaderSets> sets);

  void pass(const MadeChain& chain);
  /// Something that is no middleware.
  void note(std::string step, const Explanation& said);

  std::string name() const;
  /// From here on the tool has another name.
  void respell(std::string_view name);

  bool decided() const { return decided_; }
  std::string verdict() const;
  bool allowed() const { return !decided_; }
  const session::Call& call() const { return call_; }
  std::vector<ExplainedStep> steps() const { return steps_; }
  const std::vector<ExplainedHeader>& headers() const { return headers_; }

 private:
  void add(std::string step, std::string at, const std::optional<Explanation>& said, std::string called);
  void note_headers(const MadeStep& step, const std::vector<std::string>& before);

  std::string server_;
  std::string definition_;
  session::Call call_;
  std::shared_ptr<HeaderSets> sets_;
  std::vector<ExplainedStep> steps_;
  std::vector<ExplainedHeader> headers_;
  std::string decision_;
  std::vector<std::string> doubtful_;
  bool decided_ = false;
};

/// Puts a header in, in the place of one of the same name.
void put_explained(std::vector<ExplainedHeader>& all, ExplainedHeader header);

}  // namespace fairlead::gateway
