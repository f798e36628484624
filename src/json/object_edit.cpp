#include <fairlead/json/object_edit.hpp>

#include <algorithm>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <utility>

namespace fairlead::json {

std::string_view member_of(std::string_view valid_text, std::string_view name) {
  if (valid_text.empty()) return {};
  Reader reader(valid_text);
  if (reader.kind() != Kind::object) return {};
  for (reader.open(); reader.more();) {
    const bool wanted = reader.key() == name;
    const auto value = reader.skip();
    if (wanted) return value;
  }
  return {};
}

ObjectEdit::ObjectEdit(std::string_view valid_text) {
  if (valid_text.empty()) return;
  Reader reader(valid_text);
  if (reader.kind() != Kind::object) return;
  constexpr std::size_t usual = 8;
  members_.reserve(usual);
  reader.open();
  while (reader.more()) {
    std::string name(reader.key());
    members_.push_back({.name = std::move(name), .original = reader.skip(), .replacement = {}});
  }
}

std::string_view ObjectEdit::get(std::string_view name) const {
  const auto found = std::ranges::find(members_, name, &Member::name);
  return found == members_.end() ? std::string_view() : found->json();
}

ObjectEdit& ObjectEdit::set(std::string_view name, std::string json) {
  changed_ = true;
  const auto found = std::ranges::find(members_, name, &Member::name);
  if (found == members_.end()) {
    members_.push_back({.name = std::string(name), .original = {}, .replacement = std::move(json)});
  } else {
    found->replacement = std::move(json);
  }
  return *this;
}

ObjectEdit& ObjectEdit::erase(std::string_view name) {
  const auto gone = std::erase_if(members_, [&](const Member& member) { return member.name == name; });
  changed_ = changed_ || gone != 0;
  return *this;
}

std::string ObjectEdit::text() const {
  std::string out;
  {
    ObjectWriter object(out);
    for (const auto& member : members_) object.raw(member.name, member.json());
  }
  return out;
}

}  // namespace fairlead::json
