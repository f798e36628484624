#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::gateway {

struct Histogram;

enum class MetricKind : std::uint8_t { counter, gauge, histogram };

/// Figures in the text format that Prometheus reads (exposition formats, version 0.0.4).
///
/// Collects first: all samples of a name stand together there, whoever they come from.
class Exposition {
 public:
  using Labels = std::vector<std::pair<std::string, std::string>>;
  static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";

  /// One more sample. What the format has no name for, and what would be there twice, is left out.
  void add(MetricKind kind, std::string_view name, std::string_view help, const Labels& labels, double value);
  void add(std::string_view name, std::string_view help, const Labels& labels, const Histogram& histogram);

  std::string text() const;

 private:
  struct Family {
    MetricKind kind = MetricKind::gauge;
    std::string help = {};
    std::map<std::string, std::string> samples = {};  // By their labels.
  };

  Family* family(MetricKind kind, std::string_view name, std::string_view help);

  std::map<std::string, Family, std::less<>> families_;
};

}  // namespace fairlead::gateway
