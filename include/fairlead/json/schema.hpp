#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace boost::json {
class value;
}

namespace fairlead::json {

namespace schema {
struct Program;
}

struct SchemaOptions {
  bool assert_formats = false;        ///< Validate `format`; otherwise it is an annotation, as in 2020-12.
  std::size_t max_depth = 128;        ///< Nesting of schema evaluation, including `$ref` recursion.
  std::size_t max_steps = 1'000'000;  ///< Limit of work per validation, about one step per keyword.

  /// Returns the text of a document that a `$ref` or `$schema` refers to. Nothing is fetched from the network.
  std::function<std::optional<std::string>(std::string_view uri)> resolve = {};
};

/// One violation of a schema, worded so that a language model can correct it.
struct Violation {
  std::string path;  ///< As in `items[2].name`; empty for the whole value.
  std::string reason;

  bool operator==(const Violation&) const = default;
};

/// `path: reason`; the whole value is called `value`.
std::string to_string(const Violation& violation);

/// A compiled JSON Schema (2020-12 or draft-07). Immutable and thread-safe; copies share the compiled program.
class Schema {
 public:
  /// At most this many violations are reported for one value.
  static constexpr std::size_t max_violations = 32;

  /// Returns `malformed` if the text is not JSON, and `invalid` with the JSON pointer if it is not a schema.
  static Result<Schema> compile(std::string_view text, const SchemaOptions& options = {});

  std::vector<Violation> validate(const boost::json::value& instance) const;

  /// Text that is not JSON is one violation.
  std::vector<Violation> validate(std::string_view json_text) const;
  std::vector<Violation> validate(const char* json_text) const { return validate(std::string_view(json_text)); }

  /// Validates without building messages.
  bool accepts(const boost::json::value& instance) const;

 private:
  explicit Schema(std::shared_ptr<const schema::Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const schema::Program> program_;
};

}  // namespace fairlead::json
