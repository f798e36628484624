#include "gateway/observe/prometheus_text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "base/ascii.hpp"

namespace fairlead::gateway {
namespace {

std::string_view kind_word(MetricKind kind) {
  switch (kind) {
    case MetricKind::counter: return "counter";
    case MetricKind::gauge: return "gauge";
    case MetricKind::histogram: break;
  }
  return "histogram";
}

bool is_metric_name(std::string_view name, std::string_view besides) {
  const auto fits = [&](char c) { return ascii::is_alphanumeric(c) || besides.find(c) != besides.npos; };
  return !name.empty() && !ascii::is_digit(name.front()) && std::ranges::all_of(name, fits);
}

std::string escaped_for_metrics(std::string_view text, bool in_quotes) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '\\' || (in_quotes && c == '"')) out += '\\';
    out += c;
  }
  return out;
}

std::string shown_number(double value) {
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

// Returns `a="1",b="2"`; nothing if a label name is invalid.
std::optional<std::string> shown_labels(const PrometheusText::Labels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    if (!is_metric_name(name, "_")) return std::nullopt;
    if (!out.empty()) out += ',';
    out += fmt::format("{}=\"{}\"", name, escaped_for_metrics(value, true));
  }
  return out;
}

std::string sample_line(std::string_view name, std::string_view labels, double value) {
  const auto braces = labels.empty() ? "" : fmt::format("{{{}}}", labels);
  return fmt::format("{}{} {}\n", name, braces, shown_number(value));
}

}  // namespace

PrometheusText::Family* PrometheusText::family(MetricKind kind, std::string_view name, std::string_view help) {
  if (!is_metric_name(name, "_:")) return nullptr;
  auto found = families_.find(name);
  if (found == families_.end()) {
    found = families_.emplace(std::string(name), Family{.kind = kind, .help = std::string(help)}).first;
  }
  return found->second.kind == kind ? &found->second : nullptr;
}

void PrometheusText::add(MetricKind kind, std::string_view name, std::string_view help, const Labels& labels,
                         double value) {
  const auto shown = shown_labels(labels);
  auto* into = shown ? family(kind, name, help) : nullptr;
  if (into) into->samples.emplace(*shown, sample_line(name, *shown, value));
}

void PrometheusText::add(std::string_view name, std::string_view help, const Labels& labels,
                         const DurationHistogram& histogram) {
  const auto shown = shown_labels(labels);
  auto* into = shown ? family(MetricKind::histogram, name, help) : nullptr;
  if (!into) return;
  const std::string comma = shown->empty() ? "" : ",";
  const auto bucket = std::string(name) + "_bucket";
  std::string lines;
  double below = 0;
  for (std::size_t at = 0; at < histogram.counts().size(); ++at) {
    below += static_cast<double>(histogram.counts()[at]);
    const bool last = at == DurationBuckets::bounds.size();
    const auto bound = last ? "+Inf" : shown_number(DurationBuckets::bounds[at]);
    lines += sample_line(bucket, fmt::format("{}{}le=\"{}\"", *shown, comma, bound), below);
  }
  lines += sample_line(std::string(name) + "_sum", *shown, histogram.sum());
  lines += sample_line(std::string(name) + "_count", *shown, below);
  into->samples.emplace(*shown, std::move(lines));
}

std::string PrometheusText::text() const {
  std::string out;
  for (const auto& [name, family] : families_) {
    out += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped_for_metrics(family.help, false), name,
                       kind_word(family.kind));
    for (const auto& [labels, lines] : family.samples) out += lines;
  }
  return out;
}

}  // namespace fairlead::gateway
