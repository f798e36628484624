#pragma once

#include <memory>

#include "base/redact/redacted_span.hpp"

namespace fairlead::redact {

/// A decoded part of a text, with the source range of each byte.
struct DecodedText {
  struct SourceRange {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  std::string bytes = {};
  std::vector<SourceRange> origins = {};

  std::size_t size() const { return bytes.size(); }
  void add(char byte, SourceRange origin);
  void append(const DecodedText& other, std::size_t from, std::size_t to);
  void drop_front(std::size_t count);
};

/// Decodes the escape at `at` and appends the result. Returns its length in `text`.
using ReadEscape = std::size_t (*)(std::string_view text, std::size_t at, std::string& out);
std::size_t read_json_escape(std::string_view text, std::size_t at, std::string& out);
std::size_t read_percent_escape(std::string_view text, std::size_t at, std::string& out);

/// Finds values in a text that is fed in parts, also behind JSON and percent escapes. Buffers at most one part and the
/// length of the longest value per decoding, independent of the length of the text.
class ValueFinder {
 public:
  struct ValueSearch {
    const std::vector<std::string>& values;
    RedactedSpans& found;
    std::size_t longest = 0;  ///< Of the values.
  };

  /// `search` must outlive it. Decodes `json` further levels of JSON strings and, if `percent`, percent-encoding.
  ValueFinder(const ValueSearch& search, int json, bool percent);
  ~ValueFinder();

  void feed(const DecodedText& part, bool last);

 private:
  struct EscapeDecoder;

  void find(const DecodedText& part);
  void pass_on(const DecodedText& part, bool last);
  std::unique_ptr<EscapeDecoder> start(ReadEscape read, char mark, int json, bool percent) const;

  const ValueSearch& search_;
  int json_;
  bool percent_;
  DecodedText tail_;  // May hold the beginning of a value that continues in the next part.
  std::unique_ptr<EscapeDecoder> json_decoder_, percent_decoder_;
};

}  // namespace fairlead::redact
