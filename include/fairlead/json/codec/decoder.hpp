#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::json {

/// How a type is written, read and described; specialised per kind of type.
///
///     static void write(std::string& out, const T& value);
///     static bool read(Decoder& decoder, T& value);    // false after decoder.fail
///     static void describe(SchemaText& schema);        // appends one JSON Schema
template <class T>
struct Codec;

/// Where a decode stands and, after a failure, what went wrong and where.
class Decoder {
 public:
  explicit Decoder(std::string_view valid_text) : in(valid_text) {}

  Reader in;

  /// Records the reason and returns false, so that a codec can `return decoder.fail(…)`.
  bool fail(std::string reason);

  /// The same, for a value of the wrong kind: "expected a string, got null".
  bool expected(std::string_view what);

  /// Called on the way out of a failed member or element: the path grows from its end.
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

  /// Whether it describes what is written: then every member that is no optional is there, and has no default.
  bool of_output = false;

  /// What the next schema should say about itself.
  std::string_view description;

  /// Adds the pending description to the schema that is being written.
  void annotate(ObjectWriter& object);

  /// Adds a `default` to the schema that starts at `from` and has just been written. Nothing if `json` is empty.
  void set_default(std::size_t from, std::string json);

  /// Remembers where a type's schema starts. False if that type is being described further out: then a reference to it
  /// has been written instead.
  bool open(const void* type);
  void close() { open_.pop_back(); }

  /// The place being written, as a JSON pointer; grows and shrinks with the nesting.
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
