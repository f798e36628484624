#pragma once

#include <cstdint>
#include <fairlead/base/non_copyable.hpp>
#include <string>
#include <string_view>

namespace fairlead::json {

/// Appends `text` as a quoted JSON string. Bytes that are not UTF-8 become U+FFFD, so the result is always valid.
void write_string(std::string& out, std::string_view text);

void write_number(std::string& out, std::int64_t number);
void write_number(std::string& out, std::uint64_t number);

/// Appends the shortest form that reads back as the same double; infinities and NaN become null.
void write_number(std::string& out, double number);

/// Writes the members of an object with their commas. The destructor writes the closing brace.
class ObjectWriter : NonCopyable {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  ~ObjectWriter() { out_ += '}'; }

  /// Starts a member; append its value to the returned string.
  std::string& member(std::string_view name);

  /// Starts a member whose name needs no escape.
  std::string& plain_member(std::string_view name);

  ObjectWriter& text(std::string_view name, std::string_view value);
  ObjectWriter& raw(std::string_view name, std::string_view json);

 private:
  void comma();

  std::string& out_;
  bool first_ = true;
};

}  // namespace fairlead::json
