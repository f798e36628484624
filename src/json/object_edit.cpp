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

namespace {

// The range of a member including its name and one comma, after or before it.
Span whole_member(std::string_view text, Span value) {
  const auto name_end = text.rfind('"', value.begin - 1);
  auto begin = text.rfind('"', name_end - 1);
  auto end = text.find_first_of(",}", value.begin + value.size);
  if (text[end] == ',') return {begin, end + 1 - begin};
  const auto before = text.find_last_not_of(" \t\r\n", begin - 1);
  if (text[before] == ',') begin = before;
  return {begin, end - begin};
}

}  // namespace

void erase_member(Payload& object, Span value) {
  object.erase(whole_member(object.text(), value));
}

std::string with_member(std::string_view valid_text, std::string_view name, std::string_view json) {
  if (valid_text.empty() || valid_text.front() != '{') valid_text = "{}";
  constexpr std::size_t punctuation = 8;
  std::string out;
  out.reserve(valid_text.size() + name.size() + json.size() + punctuation);
  out.append(valid_text, 0, valid_text.rfind('}'));
  if (!Reader(valid_text.substr(1)).at_end()) out += ',';
  ((out += '"') += name) += "\":";
  return (out += json) += '}';
}

namespace {

bool is_part_of(std::string_view text, std::string_view part) {
  const std::less_equal<const char*> not_after;
  return not_after(text.data(), part.data()) && not_after(part.data() + part.size(), text.data() + text.size());
}

}  // namespace

ObjectEdit::ObjectEdit(std::string_view valid_text) {
  if (valid_text.empty()) return;
  Reader reader(valid_text);
  if (reader.kind() != Kind::object) return;
  constexpr std::size_t usual = 8;
  members_.reserve(usual);
  reader.open();
  while (reader.more()) {
    const auto name = reader.key();
    auto& member = members_.emplace_back();
    member.position = members_.size();
    if (is_part_of(valid_text, name)) {
      member.spelled = name;
    } else {
      member.own_name = name;
    }
    member.original = reader.skip();
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
    auto& member = members_.emplace_back();
    member.own_name = name;
    member.replacement = std::move(json);
  } else {
    found->replacement = std::move(json);
  }
  return *this;
}

ObjectEdit& ObjectEdit::erase(std::string_view name) {
  const auto gone = std::erase_if(members_, [&](const Member& member) { return member.name() == name; });
  changed_ = changed_ || gone != 0;
  return *this;
}

std::string ObjectEdit::text() const {
  constexpr std::size_t punctuation = 4;
  std::size_t size = 2;
  for (const auto& member : members_) size += member.name().size() + member.json().size() + punctuation;
  std::string out;
  out.reserve(size);
  {
    ObjectWriter object(out);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const auto& member = members_[i];
      if (!member.own_name.empty()) {
        object.raw(member.own_name, member.json());
      } else if (!member.replacement.empty()) {
        object.plain_member(member.spelled) += member.replacement;
      } else {
        // Copies adjacent unchanged members together with the text between them.
        while (goes_on(i + 1)) ++i;
        const auto& last = members_[i].original;
        object.plain_member(member.spelled).append(member.original.data(), last.data() + last.size());
      }
    }
  }
  return out;
}

bool ObjectEdit::goes_on(std::size_t index) const {
  if (index >= members_.size()) return false;
  const auto& member = members_[index];
  return member.own_name.empty() && member.replacement.empty() && member.position == members_[index - 1].position + 1;
}

}  // namespace fairlead::json
