#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fairlead::json {

/// Appends `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, so the result is always
/// valid.
void write_string(std::string& out, std::string_view text);

void write_number(std::string& out, std::int64_t number);
void write_number(std::string& out, std::uint64_t number);

/// The shortest form that reads back as the same double; infinities and NaN, which JSON lacks, become null.
void write_number(std::string& out, double number);

/// Writes an object's members one after another, with the commas; the brace closes with the scope.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;
  ~ObjectWriter() { out_ += '}'; }

  /// Starts a member; the caller appends its value to what is returned.
  std::string& member(std::string_view name);

  /// The same for a name that needs no escape.
  std::string& plain_member(std::string_view name);

  ObjectWriter& text(std::string_view name, std::string_view value);
  ObjectWriter& raw(std::string_view name, std::string_view json);

 private:
  void comma();

  std::string& out_;
  bool first_ = true;
};

}  // namespace fairlead::json
