#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/redact/hidden_span.hpp"

namespace fairlead::redact {

/// A part of a text after decoding, and where in the text each of its bytes was written.
struct Decoded {
  struct Origin {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  std::string bytes = {};
  std::vector<Origin> origins = {};

  std::size_t size() const { return bytes.size(); }
  void add(char byte, Origin origin);
  void append(const Decoded& other, std::size_t from, std::size_t to);
  void drop_front(std::size_t count);
};

/// Reads one escape at `at`, and appends what it stands for. Returns its length in `text`.
using ReadEscape = std::size_t (*)(std::string_view text, std::size_t at, std::string& out);
std::size_t read_json_escape(std::string_view text, std::size_t at, std::string& out);
std::size_t read_percent_escape(std::string_view text, std::size_t at, std::string& out);

/// Finds values in a text that is fed in parts, and in what that text says when its escapes are decoded. It keeps no
/// more than a part and the length of a value for each way of decoding, however long the text is.
class ValueStream {
 public:
  struct Search {
    const std::vector<std::string>& values;
    HiddenSpans& found;
    std::size_t longest = 0;  ///< Of the values.
  };

  /// `search` outlives it. `json` is how many levels of JSON strings are decoded behind it, and `percent` whether
  /// percent-encoding is.
  ValueStream(const Search& search, int json, bool percent);
  ~ValueStream();

  void feed(const Decoded& part, bool last);

 private:
  struct Decoder;

  void find(const Decoded& part);
  void pass_on(const Decoded& part, bool last);
  std::unique_ptr<Decoder> start(ReadEscape read, char mark, int json, bool percent) const;

  const Search& search_;
  int json_;
  bool percent_;
  Decoded tail_;  // In which a value may begin that goes on in the next part.
  std::unique_ptr<Decoder> json_decoder_, percent_decoder_;
};

}  // namespace fairlead::redact
