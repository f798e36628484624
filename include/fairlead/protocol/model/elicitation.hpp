#pragma once

#include <fairlead/protocol/model/common.hpp>
#include <variant>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

struct StringSchema {
  using Tag = json::Tag<"type", "string">;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<std::int64_t> minLength = {};
  std::optional<std::int64_t> maxLength = {};
  std::optional<std::string> format = {};  ///< email, uri, date or date-time.
  std::optional<std::string> default_ = {};
};

enum class NumberType : std::uint8_t { number, integer };

struct NumberSchema {
  static constexpr bool initialisers_are_defaults = false;
  NumberType type = NumberType::number;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<double> minimum = {};
  std::optional<double> maximum = {};
  std::optional<double> default_ = {};
};

struct BooleanSchema {
  using Tag = json::Tag<"type", "boolean">;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<bool> default_ = {};
};

/// An enum value with a title.
struct TitledChoice {
  std::string const_;
  std::string title;
};

struct UntitledSingleSelectEnumSchema {
  using Tag = json::Tag<"type", "string">;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::vector<std::string> enum_;
  std::optional<std::string> default_ = {};
};

struct TitledSingleSelectEnumSchema {
  using Tag = json::Tag<"type", "string">;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::vector<TitledChoice> oneOf;
  std::optional<std::string> default_ = {};
};

/// Enum titles of the first revision with elicitation: `enumNames` parallel to `enum`.
struct LegacyTitledEnumSchema {
  using Tag = json::Tag<"type", "string">;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::vector<std::string> enum_;
  std::vector<std::string> enumNames;
  std::optional<std::string> default_ = {};
};

struct UntitledItems {
  using Tag = json::Tag<"type", "string">;
  std::vector<std::string> enum_;
};

struct TitledItems {
  std::vector<TitledChoice> anyOf;
};

struct UntitledMultiSelectEnumSchema {
  using Tag = json::Tag<"type", "array">;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<std::int64_t> minItems = {};
  std::optional<std::int64_t> maxItems = {};
  UntitledItems items;
  std::optional<std::vector<std::string>> default_ = {};
};

struct TitledMultiSelectEnumSchema {
  using Tag = json::Tag<"type", "array">;
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::optional<std::int64_t> minItems = {};
  std::optional<std::int64_t> maxItems = {};
  TitledItems items;
  std::optional<std::vector<std::string>> default_ = {};
};

/// The schema of a form field. The order matters: a plain string schema matches every string field.
using PrimitiveSchema =
    std::variant<TitledSingleSelectEnumSchema, LegacyTitledEnumSchema, UntitledSingleSelectEnumSchema, StringSchema,
                 BooleanSchema, TitledMultiSelectEnumSchema, UntitledMultiSelectEnumSchema, NumberSchema, Payload>;

/// The schema is kept as received, so that the form's fields keep their order.
struct ElicitFormParams {
  using Tag = json::Tag<"mode", "form", json::TagRule::may_be_absent>;
  std::string message;
  Payload requestedSchema;
  std::optional<Payload> task = {};
  std::optional<Payload> _meta = {};
};

struct ElicitUrlParams {
  using Tag = json::Tag<"mode", "url">;
  std::string message;
  std::string url;
  std::optional<std::string> elicitationId = {};  ///< Only in the handshake era.
  std::optional<Payload> task = {};
  std::optional<Payload> _meta = {};
};

using ElicitParams = std::variant<ElicitFormParams, ElicitUrlParams>;

enum class ElicitAction : std::uint8_t { accept, decline, cancel };

struct ElicitResult {
  static constexpr bool initialisers_are_defaults = false;
  ElicitAction action = ElicitAction::cancel;
  std::optional<Payload> content = {};
  std::optional<Payload> _meta = {};
};

struct ElicitationCompleteParams {
  std::string elicitationId;
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol

namespace fairlead::json {

template <>
struct Codec<protocol::PrimitiveSchema> : ExternCodec<protocol::PrimitiveSchema> {};
template <>
struct Codec<protocol::ElicitFormParams> : ExternCodec<protocol::ElicitFormParams> {};
template <>
struct Codec<protocol::ElicitUrlParams> : ExternCodec<protocol::ElicitUrlParams> {};
template <>
struct Codec<protocol::ElicitParams> : ExternCodec<protocol::ElicitParams> {};
template <>
struct Codec<protocol::ElicitResult> : ExternCodec<protocol::ElicitResult> {};

}  // namespace fairlead::json
