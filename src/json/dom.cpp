#include <fairlead/json/dom.hpp>

#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>

#include "base/parse_number.hpp"
#include "json/lexical.hpp"

namespace fairlead::json {
namespace {

// Boost's parser rounds many doubles incorrectly and refuses long exponents, so only its value type is used.
class Builder {
 public:
  explicit Builder(std::string_view valid_text) : in_(valid_text) {}

  boost::json::value build() {
    stack_.reset();
    value();
    return stack_.release();
  }

 private:
  // Recursion depth equals the nesting of the text, which scan() limits.
  void value() {
    switch (in_.kind()) {
      case Kind::null: in_.null(); return stack_.push_null();
      case Kind::boolean: return stack_.push_bool(in_.boolean());
      case Kind::number: return number(in_.number());
      case Kind::string: return stack_.push_string(in_.text(text_));
      case Kind::array: return array();
      case Kind::object: return object();
    }
  }

  void number(std::string_view token) {
    // Minus zero becomes a double, because an integer would lose the sign.
    const auto integer = token != "-0" ? parse_number<std::int64_t>(token) : std::nullopt;
    if (integer) return stack_.push_int64(*integer);
    if (const auto large = parse_number<std::uint64_t>(token)) return stack_.push_uint64(*large);
    stack_.push_double(to_double(token));
  }

  void array() {
    std::size_t count = 0;
    for (in_.open(); in_.more(); ++count) value();
    stack_.push_array(count);
  }

  void object() {
    std::size_t count = 0;
    for (in_.open(); in_.more(); ++count) {
      stack_.push_key(in_.key());
      value();
    }
    stack_.push_object(count);
  }

  Reader in_;
  std::string text_;
  boost::json::value_stack stack_;
};

}  // namespace

boost::json::value parse_dom(std::string_view valid_text) {
  return Builder(valid_text).build();
}

void write_dom(std::string& out, const boost::json::value& value) {
  switch (value.kind()) {
    case boost::json::kind::null: out += "null"; break;
    case boost::json::kind::bool_: out += value.get_bool() ? "true" : "false"; break;
    case boost::json::kind::int64: write_number(out, value.get_int64()); break;
    case boost::json::kind::uint64: write_number(out, value.get_uint64()); break;
    case boost::json::kind::double_: write_number(out, value.get_double()); break;
    case boost::json::kind::string: write_string(out, value.get_string()); break;
    case boost::json::kind::array: write_elements(out, value.get_array()); break;
    case boost::json::kind::object: {
      ObjectWriter object(out);
      for (const auto& [name, member] : value.get_object()) write_dom(object.member(name), member);
    }
  }
}

}  // namespace fairlead::json
