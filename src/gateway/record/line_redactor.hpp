#pragma once

#include <fairlead/base/redactor.hpp>

#include "gateway/record/record_line.hpp"

namespace fairlead::gateway {

/// Writes lines as JSON with secrets redacted: values of secret names, tokens known by their pattern, and the
/// configured secrets.
class LineRedactor {
 public:
  void add_key(const std::string& key) { redactor_.add_key(key); }
  /// Ignores values of less than four characters, which would match unrelated text.
  void add_secrets(const std::vector<std::string>& secrets);

  /// Returns one line without a line break. `Line` has `params`, `result` and `error` like a `RecordLine`.
  template <class Line>
  std::string to_line(Line line, bool is_metadata) const {
    auto text = clean(single_line(json::encode(line)), is_metadata);
    if (!json::scan(text)) return text;
    // If redaction broke the JSON, the content is dropped.
    const auto nothing = json::Payload::trusted("{}");
    if (line.params) line.params = nothing;
    if (line.result) line.result = nothing;
    if (line.error) line.error = RecordedError{.kind = line.error->kind, .code = line.error->code};
    return clean(single_line(json::encode(line)), is_metadata);
  }

  /// Redacts any text.
  std::string text(std::string_view text) const { return redactor_.redact(text); }

 private:
  std::string clean(std::string text, bool is_metadata) const;

  Redactor redactor_;
  std::vector<std::string> secrets_;  // Escaped as in JSON.
};

}  // namespace fairlead::gateway
