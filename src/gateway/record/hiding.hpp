#pragma once

#include <fairlead/base/redactor.hpp>
#include <string>
#include <vector>

#include "gateway/record/line.hpp"

namespace fairlead::gateway {

/// Makes text of lines that leave the gateway, with secrets hidden: names that tell of one, tokens known by their
/// shape, and the values it was told about.
class Hiding {
 public:
  void add_key(const std::string& key) { redactor_.add_key(key); }
  /// Values of less than four characters would blacken innocent text, and are not looked for.
  void add_secrets(const std::vector<std::string>& secrets);

  /// As one line, without its end. `Line` has `params`, `result` and `error` like a `RecordLine`.
  template <class Line>
  std::string written(Line line, bool is_metadata) const {
    auto text = clean(in_one_line(json::encode(line)), is_metadata);
    if (!json::scan(text)) return text;
    // Of a text that would no longer be one, nothing is shown.
    const auto nothing = json::Payload::trusted("{}");
    if (line.params) line.params = nothing;
    if (line.result) line.result = nothing;
    if (line.error) line.error = RecordedError{.kind = line.error->kind, .code = line.error->code};
    return clean(in_one_line(json::encode(line)), is_metadata);
  }

  /// Any text.
  std::string text(std::string_view text) const { return redactor_.redact(text); }

 private:
  std::string clean(std::string text, bool is_metadata) const;

  Redactor redactor_;
  std::vector<std::string> secrets_;  // As they stand in JSON.
};

}  // namespace fairlead::gateway
