#include <fairlead/json/codec/decoder.hpp>

#include <algorithm>
#include <fairlead/json/object_edit.hpp>
#include <utility>

#include "json/schema/uri.hpp"

namespace fairlead::json {

bool Decoder::fail(std::string reason) {
  reason_ = std::move(reason);
  return false;
}

bool Decoder::expected(std::string_view what) {
  return fail("expected " + std::string(what) + ", got " + std::string(kind_phrase(in.kind())));
}

bool Decoder::inside(std::string_view member) {
  const bool joined = path_.empty() || path_.front() == '[';
  path_ = std::string(member) + (joined ? "" : ".") + path_;
  return false;
}

bool Decoder::inside(std::size_t element) {
  const bool joined = path_.empty() || path_.front() == '[';
  path_ = "[" + std::to_string(element) + "]" + (joined ? "" : ".") + path_;
  return false;
}

Error Decoder::error() const {
  return {.kind = ErrorKind::malformed, .message = path_.empty() ? reason_ : path_ + ": " + reason_};
}

void SchemaText::annotate(ObjectWriter& object) {
  if (!description.empty()) object.text("description", std::exchange(description, {}));
}

void SchemaText::set_default(std::size_t from, std::string json) {
  if (json.empty()) return;
  std::string edited = ObjectEdit(std::string_view(text).substr(from)).set("default", std::move(json)).text();
  text.resize(from);
  text += edited;
}

bool SchemaText::open(const void* type) {
  const auto outer = std::ranges::find(open_, type, &Open::type);
  if (outer == open_.end()) {
    open_.push_back({type, pointer_});
    return true;
  }
  ObjectWriter reference(text);
  reference.text("$ref", outer->pointer);
  annotate(reference);
  return false;
}

void SchemaText::enter(std::string_view token) {
  pointer_ += "/" + schema::pointer_escaped(token);
}
void SchemaText::leave(std::string_view token) {
  pointer_.resize(pointer_.size() - 1 - schema::pointer_escaped(token).size());
}

}  // namespace fairlead::json
