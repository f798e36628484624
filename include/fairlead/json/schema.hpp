#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
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
  bool assert_formats = false;        ///< `format` refuses values; an annotation only otherwise, as 2020-12 says.
  std::size_t max_depth = 128;        ///< Nesting of schema evaluation, `$ref` recursion included.
  std::size_t max_steps = 1'000'000;  ///< Work for one validation, about one step a keyword looked at.

  /// The text of a document that a `$ref` or `$schema` names. Nothing is ever fetched from the network.
  std::function<std::optional<std::string>(std::string_view uri)> resolve = {};
};

/// One thing wrong with a value, told so that a language model can put it right.
struct Violation {
  std::string path;  ///< As in `items[2].name`; empty for the whole value.
  std::string reason;

  bool operator==(const Violation&) const = default;
};

/// `path: reason`; the whole value is called `value`.
std::string to_string(const Violation& violation);

/// A JSON Schema of 2020-12 or draft-07, compiled once and then used by any number of threads.
///
/// A copy shares the compiled program.
class Schema {
 public:
  /// At most this many violations are reported for one value.
  static constexpr std::size_t max_violations = 32;

  /// Fails with `malformed` for text that is not JSON and with `invalid`, and the place, for what is no schema.
  static Result<Schema> compile(std::string_view text, const SchemaOptions& options = {});

  std::vector<Violation> validate(const boost::json::value& instance) const;

  /// Text that is not JSON is one violation.
  std::vector<Violation> validate(std::string_view json_text) const;
  std::vector<Violation> validate(const char* json_text) const { return validate(std::string_view(json_text)); }

  /// The verdict alone: builds no message.
  bool accepts(const boost::json::value& instance) const;

 private:
  explicit Schema(std::shared_ptr<const schema::Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const schema::Program> program_;
};

}  // namespace fairlead::json
