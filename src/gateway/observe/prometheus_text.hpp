#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gateway/observe/duration_histogram.hpp"

namespace fairlead::gateway {

enum class MetricKind : std::uint8_t { counter, gauge, histogram };

/// Collects samples and writes them in the Prometheus text format (exposition formats, version 0.0.4), which groups all
/// samples of a name.
class PrometheusText {
 public:
  using Labels = std::vector<std::pair<std::string, std::string>>;
  static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";

  /// Adds a sample. Ignores invalid names and duplicates.
  void add(MetricKind kind, std::string_view name, std::string_view help, const Labels& labels, double value);
  void add(std::string_view name, std::string_view help, const Labels& labels, const DurationHistogram& histogram);

  std::string text() const;

 private:
  struct Family {
    MetricKind kind = MetricKind::gauge;
    std::string help = {};
    std::map<std::string, std::string> samples = {};  // By label text.
  };

  Family* family(MetricKind kind, std::string_view name, std::string_view help);

  std::map<std::string, Family, std::less<>> families_;
};

}  // namespace fairlead::gateway
