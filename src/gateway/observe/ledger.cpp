#include "gateway/observe/ledger.hpp"

#include <algorithm>
#include <chrono>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/revision.hpp>
#include <numeric>
#include <utility>

namespace fairlead::gateway {
namespace {

constexpr std::string_view other_name = "other";

bool is_known_method(std::string_view method) {
  return std::ranges::any_of(protocol::revisions(),
                             [&](const auto& revision) { return revision.client_requests.contains(method); });
}

Ledger::Key key_of_series(const Sight& sight) {
  const bool known = is_known_method(sight.method);
  Ledger::Key key{.hop = sight.hop, .server = sight.server, .method = known ? sight.method : std::string(other_name)};
  if (sight.method == protocol::CallTool::method) key.tool = sight.listed ? sight.about : other_name;
  return key;
}

// What a tool says of its failure is the caller's; here it is enough which one.
std::string error_words(const Sight& sight) {
  if (!sight.outcome.message.empty()) return sight.outcome.message;
  return sight.method + (sight.listed ? " '" + sight.about + "'" : std::string()) + ": the tool has failed";
}

double nth_of(std::vector<float>& values, std::size_t percent) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * percent / 100);
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace

void Histogram::add(double seconds) {
  ++counts[static_cast<std::size_t>(std::ranges::lower_bound(bounds, seconds) - bounds.begin())];
  sum += seconds;
}

std::uint64_t Histogram::count() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

void Ledger::begins(session::Call&, Sight& sight) {
  if (sight.method == protocol::Listen::method) {
    if (sight.hop == Hop::front) ++listening_;
    return;
  }
  ++under_way_[static_cast<std::size_t>(sight.hop)];
}

void Ledger::ended(session::Call&, const Sight& sight) {
  if (sight.method == protocol::Listen::method) {
    if (sight.hop == Hop::front) --listening_;
    return;
  }
  --under_way_[static_cast<std::size_t>(sight.hop)];
  auto& series = series_of(sight);
  series.took.add(std::chrono::duration<double>(sight.ended - sight.begun).count());
  if (sight.outcome.failed()) ++series.errors[sight.outcome.plane()];
  if (sight.hop == Hop::server) count_server(sight);
}

// Calls of one kind often come one after the other.
Ledger::Series& Ledger::series_of(const Sight& sight) {
  auto& last = last_[static_cast<std::size_t>(sight.hop)];
  if (last.series && last.server == sight.server && last.method == sight.method && last.about == sight.about &&
      last.listed == sight.listed) {
    return *last.series;
  }
  auto key = key_of_series(sight);
  if (series_.size() >= most_series && !series_.contains(key)) {
    key.method = other_name;
    key.tool = other_name;
  }
  auto& series = series_[std::move(key)];
  constexpr std::size_t longest_kept = 256;
  if (sight.about.size() <= longest_kept) last = {sight.server, sight.method, sight.about, sight.listed, &series};
  return series;
}

void Ledger::count_server(const Sight& sight) {
  auto& server = servers_[sight.server];
  ++server.totals.calls;
  if (sight.outcome.failed() && sight.outcome.plane() != Plane::caller) {
    ++server.totals.errors;
    server.totals.last_error = error_words(sight);
  }
  const auto took = std::chrono::duration<float, std::milli>(sight.ended - sight.begun).count();
  if (server.last.size() < recent) return server.last.push_back(took);
  server.last[server.next] = took;
  server.next = (server.next + 1) % recent;
}

ServerFigures Ledger::figures(std::string_view server) const {
  const auto found = servers_.find(server);
  if (found == servers_.end()) return {};
  auto figures = found->second.totals;
  auto last = found->second.last;
  figures.p50_ms = nth_of(last, 50);
  figures.p99_ms = nth_of(last, 99);
  return figures;
}

}  // namespace fairlead::gateway
