#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/config/config.hpp"
#include "gateway/config/mask.hpp"
#include "gateway/config/problems.hpp"

namespace fairlead::gateway {

/// Writes a configuration as YAML, and behind each value where it comes from.
class Showing {
 public:
  /// Without `defaults`, only what somebody has set is shown.
  Showing(const Sources& sources, const Mask& mask, bool defaults = true)
      : sources_(sources), mask_(mask), defaults_(defaults) {}

  const std::string& text() const { return out_; }
  const Mask& mask() const { return mask_; }

  void value(std::string_view name, std::string_view value);
  void list(std::string_view name, const std::vector<std::string>& values);
  void map(std::string_view name, const std::map<std::string, std::string>& shown);
  void chain(std::string_view name, const ChainConfig& chain);

  void enter(std::string_view name);
  void leave();

 private:
  void line(std::string_view name, const std::string& path, std::string_view value);

  const Sources& sources_;
  const Mask& mask_;
  bool defaults_;
  std::string out_;
  std::vector<std::string> path_{""};
  struct Heading {
    std::size_t begin = 0, end = 0;  // In `out_`.
  };
  std::vector<Heading> headings_ = {};  // Of what was entered and not left.
};

/// A step of a chain as it may be shown: `timeout("30s")`.
std::string shown_step(const MiddlewareConfig& step, const Mask& mask);

/// A scalar that any YAML parser, and ours, reads back as this text.
std::string yaml_scalar(std::string_view text);

}  // namespace fairlead::gateway
