#pragma once

#include <fairlead/gateway/middleware.hpp>

#include "gateway/config/config.hpp"
#include "gateway/explain/explain.hpp"

namespace fairlead::gateway {

/// A chain step with its middleware.
struct BuiltStep {
  std::string shown;
  std::string at;
  std::shared_ptr<Middleware> middleware;
};
using BuiltChain = std::vector<BuiltStep>;

Result<BuiltChain> build_chain(const ChainConfig& config, const Registry& registry, const EventLoop& loop);

/// Translates a tool's name from the server's to the client's side of a chain, and back.
std::string client_name_of(const BuiltChain& chain, std::string name);
std::string server_name_of(const BuiltChain& chain, std::string name);

/// Runs a call through `Middleware::explain` of each step.
class ExplainRun {
 public:
  /// `definition` is that of the tool; empty if unknown.
  ExplainRun(std::string server, std::string_view definition, session::Call call);

  void pass(const BuiltChain& chain);
  /// Adds a step that is not a middleware.
  void note(std::string step, const Explanation& explanation);

  std::string name() const;
  /// Changes the tool's name for the following steps.
  void rename(std::string_view name);

  bool decided() const { return decided_; }
  std::string verdict() const;
  bool allowed() const { return !decided_; }
  const session::Call& call() const { return call_; }
  std::vector<ExplainedStep> steps() const { return steps_; }
  const std::vector<ExplainedHeader>& headers() const { return headers_; }

 private:
  void add(std::string step, std::string at, const std::optional<Explanation>& explanation, std::string called);
  void note_headers(const BuiltStep& step, std::size_t known);

  std::string server_;
  std::string definition_;
  session::Call call_;
  std::vector<ExplainedStep> steps_;
  std::vector<ExplainedHeader> headers_;
  std::string decision_;
  std::vector<std::string> doubtful_;
  bool decided_ = false;
};

/// Adds a header or replaces one of the same name.
void put_explained(std::vector<ExplainedHeader>& all, ExplainedHeader header);

}  // namespace fairlead::gateway
