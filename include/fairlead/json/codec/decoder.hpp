#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <vector>

namespace fairlead::json {

/// Writes, reads and describes a type; specialised per kind of type.
///
///     static void write(std::string& out, const T& value);
///     static bool read(Decoder& decoder, T& value);    // false after decoder.fail
///     static void describe(SchemaText& schema);        // appends one JSON Schema
template <class T>
struct Codec;

/// The reader of a decode and, after a failure, the reason and path.
class Decoder {
 public:
  explicit Decoder(std::string_view valid_text) : in(valid_text) {}

  Reader in;

  /// Records the reason and returns false, so that a codec can `return decoder.fail(…)`.
  bool fail(std::string reason);

  /// Fails because of the kind of the value: "expected a string, got null".
  bool expected(std::string_view what);

  /// Prepends a member or element to the path. Called after a failure, from the inside out.
  bool inside(std::string_view member);
  bool inside(std::size_t element);

  Error error() const;

 private:
  std::string path_;
  std::string reason_;
};

/// A JSON Schema being written.
class SchemaText {
 public:
  std::string text;

  /// True for the schema of written values: every member that is not optional is required, and none has a default.
  bool of_output = false;

  /// The description of the next schema.
  std::string_view description;

  /// Adds the pending description to the schema being written.
  void annotate(ObjectWriter& object);

  /// Adds a `default` to the schema that starts at `from` and was just written. Does nothing if `json` is empty.
  void set_default(std::size_t from, std::string json);

  /// Records where a type's schema starts. Returns false if the type is already being described, after writing a
  /// reference to it.
  bool open(const void* type);
  void close() { open_.pop_back(); }

  /// Appends a token to, or removes it from, the JSON pointer of the schema being written.
  void enter(std::string_view token);
  void leave(std::string_view token);

 private:
  struct Open {
    const void* type;
    std::string pointer;
  };
  std::vector<Open> open_;
  std::string pointer_ = "#";
};

}  // namespace fairlead::json
