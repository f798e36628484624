#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.hpp"
#include "config/secret_mask.hpp"

namespace fairlead::config {

/// Writes a configuration as YAML, with the source of each value in a comment.
class Printer {
 public:
  /// Without `defaults`, values that no source has set are left out.
  Printer(const Sources& sources, const SecretMask& mask, bool defaults = true)
      : sources_(sources), mask_(mask), defaults_(defaults) {}

  const std::string& text() const { return out_; }
  const SecretMask& mask() const { return mask_; }

  void value(std::string_view name, std::string_view value);
  void list(std::string_view name, const std::vector<std::string>& values);
  void map(std::string_view name, const std::map<std::string, std::string>& shown);
  /// Items on a line each, with the source of each.
  void items(std::string_view name, const std::vector<std::string>& shown);

  /// As above; each text is YAML.
  void flow_items(std::string_view name, const std::vector<std::string>& shown);

  void enter(std::string_view name);
  void leave();

 private:
  void line(std::string_view name, const std::string& path, std::string_view value);

  const Sources& sources_;
  const SecretMask& mask_;
  bool defaults_;
  std::string out_;
  std::vector<std::string> path_{""};
  struct Heading {
    std::size_t begin = 0, end = 0;  // In `out_`.
  };
  std::vector<Heading> headings_ = {};  // Maps that were entered and not left yet.
};

/// A YAML scalar that any YAML parser reads back as `text`.
std::string yaml_scalar(std::string_view text);

}  // namespace fairlead::config
