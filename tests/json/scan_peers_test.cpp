#include <boost/json.hpp>
#include <fairlead/json/scan.hpp>
#include <gtest/gtest.h>
#include <random>
#include <simdjson.h>

#include "json/exact_text.hpp"

namespace fairlead::json::scan_peers_test {
namespace {

/// Makes JSON texts, and texts that nearly are, from a seed.
class Texts {
 public:
  explicit Texts(unsigned seed) : random_(seed) {}

  std::string valid() {
    std::string text;
    value(text, 0);
    return text;
  }

  /// Replaces, removes or inserts a few bytes, or swaps them for tokens of JSON.
  std::string broken() {
    std::string text = valid();
    for (std::size_t edits = 1 + below(2); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0: text.erase(at, 1 + below(3)); break;
        case 1: text.insert(at, piece()); break;
        case 2: text.replace(at, 1, piece()); break;
        default: text[at] = static_cast<char>(below(256));
      }
    }
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  template <std::size_t N>
  const char* one_of(const char* const (&choices)[N]) {
    return choices[below(N)];
  }

  const char* piece() {
    return one_of({"\"",      "\\",      "{",    "}",    "[",
                   "]",       ",",       ":",    "1",    "-",
                   ".",       "e",       "0",    " ",    "\n",
                   "\t",      "true",    "null", "\\u",  "\\u00",
                   "\\ud83d", "\\ude00", "\xC3", "\xA9", "\xED\xA0\x80",
                   "\x01",    "\x7F",    "\\n",  "//",   "\x0C",
                   "\x1A"});
  }

  void space(std::string& out) {
    if (below(4) == 0) out += one_of({" ", "\n", "\r\n", "\t", "   "});
  }

  void string(std::string& out) {
    out += '"';
    for (std::size_t n = below(6); n > 0; --n) {
      out += one_of(
          {"a", "key", "é", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u0041", "\\ud83d\\ude00", " ", "{", "]", ",", ":"});
    }
    if (below(8) == 0) out.append(below(80), 'x');
    out += '"';
  }

  void value(std::string& out, int depth) {
    space(out);
    switch (below(depth > 5 ? 4 : 7)) {
      case 0: string(out); break;
      case 1: out += one_of({"true", "false", "null"}); break;
      case 2:
      case 3: out += one_of({"0", "-1", "12", "3.25", "1e5", "-0.5E-3", "1E+2", "9223372036854775807", "-0"}); break;
      case 4: array(out, depth); break;
      default: object(out, depth);
    }
    space(out);
  }

  void array(std::string& out, int depth) {
    out += '[';
    for (std::size_t n = below(5), i = 0; i < n; ++i) {
      if (i != 0) out += ',';
      value(out, depth + 1);
    }
    space(out);
    out += ']';
  }

  void object(std::string& out, int depth) {
    out += '{';
    for (std::size_t n = below(5), i = 0; i < n; ++i) {
      if (i != 0) out += ',';
      space(out);
      string(out);
      space(out);
      out += ':';
      value(out, depth + 1);
    }
    space(out);
    out += '}';
  }

  std::mt19937 random_;
};

boost::system::error_code boost_verdict(std::string_view text) {
  boost::system::error_code error;
  boost::json::parse_options options;
  options.max_depth = 128;
  (void)boost::json::parse(text, error, {}, options);
  return error;
}

simdjson::error_code simdjson_verdict(std::string_view text) {
  static simdjson::dom::parser parser;
  return parser.parse(text.data(), text.size()).error();
}

bool accepts(std::string_view text) {
  return !scan(ExactText(text).view(), {.max_depth = 128});
}

TEST(ScanAndPeers, AcceptGeneratedTexts) {
  Texts texts(1);
  for (int i = 0; i < 5'000; ++i) {
    const auto text = texts.valid();
    ASSERT_TRUE(accepts(text)) << text;
    ASSERT_FALSE(boost_verdict(text)) << text;
    ASSERT_EQ(simdjson_verdict(text), simdjson::SUCCESS) << text;
  }
}

TEST(ScanAndPeers, AgreeOnMutatedTexts) {
  Texts texts(2);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto text = texts.broken();
    const bool accepted = accepts(text);
    refused += accepted ? 0 : 1;
    // Both convert numbers and refuse some valid ones that are out of range.
    const auto boost = boost_verdict(text);
    if (boost != boost::json::error::exponent_overflow) {
      ASSERT_EQ(accepted, !boost) << text;
    }
    const auto verdict = simdjson_verdict(text);
    const bool by_size = verdict == simdjson::NUMBER_ERROR;
    if (!accepted || !by_size) {
      ASSERT_EQ(accepted, verdict == simdjson::SUCCESS) << text;
    }
  }
  EXPECT_GT(refused, 5'000);
}

TEST(ScanAndPeers, AgreeOnEveryTextOfUpToFourCharacters) {
  constexpr std::string_view alphabet = "[]{},:\"\\1-.e0 tn\xC3";
  const std::size_t n = alphabet.size();
  for (std::size_t code = 0; code < n * n * n * n; ++code) {
    std::string text;
    for (std::size_t rest = code; rest != 0; rest /= n) text += alphabet[rest % n];
    ASSERT_EQ(accepts(text), !boost_verdict(text)) << text;
  }
}

}  // namespace
}  // namespace fairlead::json::scan_peers_test
