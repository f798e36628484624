#include <algorithm>
#include <cctype>
#include <fairlead/auth/credential.hpp>

namespace fairlead::auth {
namespace {

bool is_token_char(char c) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || marks.contains(c);
}

bool same_word(std::string_view left, std::string_view right) {
  return protocol::same_header(left, right);
}

/// Reads the value of one WWW-Authenticate header (RFC 9110, section 11.6.1): a list of challenges, whose parameters
/// are separated by commas like the challenges.
class ChallengeReader {
 public:
  ChallengeReader(std::string_view text, Challenge& into) : rest_(text), challenge_(into) {}

  void read() {
    while (!rest_.empty()) {
      skip_separators();
      const auto word = token();
      if (word.empty()) return;
      const bool had_space = skip_spaces();
      if (!rest_.empty() && rest_.front() == '=' && !is_token68(had_space)) {
        rest_.remove_prefix(1);
        skip_spaces();
        keep(word, value());
      } else {
        begin(word);
      }
    }
  }

 private:
  // After `Scheme `, a token68 may contain '='; a parameter never follows a scheme by '=' directly.
  bool is_token68(bool had_space) const { return had_space && rest_.size() > 1 && rest_[1] == '='; }

  void begin(std::string_view scheme) {
    is_bearer_ = same_word(scheme, "Bearer");
    is_dpop_ = same_word(scheme, "DPoP");
    challenge_.bearer = challenge_.bearer || is_bearer_;
    challenge_.dpop = challenge_.dpop || is_dpop_;
    skip_token68();
  }

  // Credentials like those of Negotiate: no parameters, possibly padded with '='.
  void skip_token68() {
    auto end = rest_.find_first_of(", \t");
    const auto word = rest_.substr(0, end);
    const auto equals = word.find('=');
    const bool padded =
        equals != std::string_view::npos && word.find_first_not_of('=', equals) == std::string_view::npos;
    const bool next_is_quoted = padded && equals + 1 == word.size() && end != std::string_view::npos;
    if (word.find('/') != std::string_view::npos && equals == std::string_view::npos) rest_.remove_prefix(word.size());
    if (padded && !next_is_quoted) rest_.remove_prefix(word.size());
  }

  void keep(std::string_view name, std::string text) {
    if (!is_bearer_ && !is_dpop_) return;
    const auto set = [&](std::string_view wanted, std::string& member) {
      if (same_word(name, wanted) && member.empty()) member = std::move(text);
    };
    set("resource_metadata", challenge_.resource_metadata);
    set("scope", challenge_.scope);
    set("error", challenge_.error);
    set("error_description", challenge_.error_description);
  }

  std::string value() {
    if (rest_.empty() || rest_.front() != '"') {
      const auto end = std::min(rest_.find_first_of(", \t"), rest_.size());
      std::string word(rest_.substr(0, end));
      rest_.remove_prefix(end);
      return word;
    }
    rest_.remove_prefix(1);
    std::string text;
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    if (!rest_.empty()) rest_.remove_prefix(1);
    return text;
  }

  std::string_view token() {
    std::size_t size = 0;
    while (size < rest_.size() && is_token_char(rest_[size])) ++size;
    const auto word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

  bool skip_spaces() {
    const auto size = std::min(rest_.find_first_not_of(" \t"), rest_.size());
    rest_.remove_prefix(size);
    return size > 0;
  }
  void skip_separators() { rest_.remove_prefix(std::min(rest_.find_first_not_of(", \t"), rest_.size())); }

  std::string_view rest_;
  Challenge& challenge_;
  bool is_bearer_ = false;
  bool is_dpop_ = false;
};

}  // namespace

Challenge read_challenge(const http::ClientResponse& response) {
  Challenge challenge{.status = response.status};
  challenge.from_private_address = response.from_private_address;
  for (const auto& header : response.headers) {
    if (same_word(header.name, "WWW-Authenticate")) ChallengeReader(header.value, challenge).read();
  }
  return challenge;
}

}  // namespace fairlead::auth
