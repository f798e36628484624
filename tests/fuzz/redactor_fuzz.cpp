#include <boost/json.hpp>
#include <cstdint>
#include <cstdlib>
#include <fairlead/base/redactor.hpp>
#include <string>
#include <string_view>

namespace {

// No '[' or ']': only then can the mark and the text around it not form the secret by chance.
constexpr std::string_view secret = "S3/cr\"t\\V";

std::string write_secret(unsigned form) {
  switch (form % 5) {
    case 0: return std::string(secret);
    case 1: return boost::json::serialize(boost::json::string(secret));
    case 2: return boost::json::serialize(boost::json::string(boost::json::serialize(boost::json::string(secret))));
    case 3: return R"(\u0053\u0033\/cr\u0022t\u005cV)";
    default: return "S3%2Fcr%22t%5CV";
  }
}

bool is_json(std::string_view text) {
  boost::system::error_code error;
  boost::json::parse(text, error);
  return !error;
}

// The secret must not appear in decoded JSON strings either.
bool contains_secret(const boost::json::value& value) {
  if (const auto* text = value.if_string()) return text->find(secret) != boost::json::string::npos;
  if (const auto* array = value.if_array()) {
    for (const auto& item : *array)
      if (contains_secret(item)) return true;
  }
  if (const auto* object = value.if_object()) {
    for (const auto& [key, item] : *object)
      if (key.find(secret) != std::string_view::npos || contains_secret(item)) return true;
  }
  return false;
}

void check_secret_is_gone(std::string_view text) {
  fairlead::Redactor redactor;
  redactor.add_secret(secret);
  const auto out = redactor.redact(text);
  if (out.find(secret) != std::string::npos) std::abort();
  boost::system::error_code error;
  const auto value = boost::json::parse(out, error);
  if (!error && contains_secret(value)) std::abort();
}

void check_json_stays_json(std::string_view text) {
  if (is_json(text) && !is_json(fairlead::Redactor{}.redact(text))) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  check_json_stays_json(text);
  check_secret_is_gone(text);
  const auto at = text.empty() ? 0 : data[1] % text.size();
  check_secret_is_gone(std::string(text.substr(0, at)) + write_secret(data[0]) + std::string(text.substr(at)));
  return 0;
}
