#include "gateway/model/json_rewrite.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/scan.hpp>
#include <fairlead/json/writer.hpp>

namespace fairlead::gateway {
namespace {

json::Span span_of(std::string_view whole, std::string_view part) {
  if (part.empty()) return {};
  return {static_cast<std::size_t>(part.data() - whole.data()), part.size()};
}

std::optional<NamedSpan> named_in(std::string_view whole, std::string_view object, std::string_view member) {
  const auto text = json::member_of(object, member);
  std::optional<NamedSpan> named;
  if (!text.starts_with('"')) return named;
  named.emplace().span = span_of(whole, text);
  json::Reader(text).string(named->name);
  return named;
}

}  // namespace

std::string replace_string(std::string_view text, json::Span span, std::string_view value) {
  std::string out(text.substr(0, span.begin));
  out.reserve(text.size() + value.size());
  json::write_string(out, value);
  out += text.substr(span.begin + span.size);
  return out;
}

std::string replace_string(std::string_view object, std::string_view member, std::string_view value) {
  return replace_string(object, span_of(object, json::member_of(object, member)), value);
}

bool has_duplicate_keys(std::string_view object) {
  json::MemberIndex index;
  return json::scan(object, {}, &index).code == json::ScanErrorCode::duplicate_key;
}

std::optional<NamedSpan> string_member(const json::Payload& params, std::string_view member) {
  return named_in(params.text(), params.text(), member);
}

Result<CompletionReference> completion_reference(const json::Payload& params) {
  const auto ref = json::member_of(params.text(), "ref");
  if (!ref.starts_with('{') || has_duplicate_keys(ref)) {
    return refuse(protocol::ProtocolError::invalid_params, "ref: expected an object without duplicate keys");
  }
  const auto type = named_in(ref, ref, "type");
  const bool is_prompt = type && type->name == "ref/prompt";
  if (!is_prompt && !(type && type->name == "ref/resource")) {
    return refuse(protocol::ProtocolError::invalid_params, "ref.type: expected ref/prompt or ref/resource");
  }
  const auto* member = is_prompt ? "name" : "uri";
  auto named = named_in(params.text(), ref, member);
  if (!named)
    return refuse(protocol::ProtocolError::invalid_params, std::string("ref.") + member + ": expected a string");
  return CompletionReference{std::move(*named), is_prompt};
}

}  // namespace fairlead::gateway
