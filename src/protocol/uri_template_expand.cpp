#include <fairlead/protocol/uri_template.hpp>

#include "protocol/uri_characters.hpp"
#include "protocol/uri_template_operation.hpp"

namespace fairlead::protocol {
namespace {

using List = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Expands one expression (RFC 6570, section 3.2.1).
class Expansion {
 public:
  Expansion(std::string& out, char operation) : out_(out), operation_(template_operation(operation)) {}

  void add(const detail::TemplateItem& item, const TemplateValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return add_text(item, *text);
    if (const auto* list = std::get_if<List>(&value)) return add_list(item, *list);
    add_pairs(item, std::get<Pairs>(value));
  }

 private:
  void open() {
    const char mark = opened_ ? operation_.separator : operation_.first;
    if (mark != '\0') out_ += mark;
    opened_ = true;
  }

  void escape(std::string_view text) { append_escaped(out_, text, operation_.reserved); }

  void name(std::string_view name, bool empty) {
    out_ += name;
    if (!empty || operation_.equals_when_empty) out_ += '=';
  }

  void add_text(const detail::TemplateItem& item, std::string_view text) {
    open();
    if (operation_.named) name(item.name, text.empty());
    escape(item.prefix == 0 ? text : prefix(text, item.prefix));
  }

  /// A prefix counts an existing escape as one character, so that it is not split.
  std::string_view prefix(std::string_view text, std::size_t count) const {
    if (!operation_.reserved) return first_characters(text, count);
    std::size_t end = 0;
    for (; count > 0 && end < text.size(); --count) {
      end += detail::is_triplet(text, end) ? 3 : first_characters(text.substr(end), 1).size();
    }
    return text.substr(0, end);
  }

  void add_list(const detail::TemplateItem& item, const List& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (item.explode) {
        add_text({.name = item.name}, list[i]);
        continue;
      }
      if (i > 0) {
        out_ += ',';
      } else {
        open();
        if (operation_.named) name(item.name, false);
      }
      escape(list[i]);
    }
  }

  void add_pairs(const detail::TemplateItem& item, const Pairs& pairs) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto& [key, value] = pairs[i];
      if (item.explode || i == 0) {
        open();
      } else {
        out_ += ',';
      }
      if (!item.explode && i == 0 && operation_.named) name(item.name, false);
      escape(key);
      // `;key` for an empty value; without names the `=` stays (section 3.2.1).
      const bool bare = operation_.named && !operation_.equals_when_empty && value.empty();
      if (!item.explode) {
        out_ += ',';
      } else if (!bare) {
        out_ += '=';
      }
      escape(value);
    }
  }

  std::string& out_;
  const TemplateOperation& operation_;
  bool opened_ = false;
};

}  // namespace

std::string UriTemplate::expand(const TemplateVariables& variables) const {
  std::string out;
  for (const auto& part : parts_) {
    out += part.literal;
    Expansion expansion(out, part.operation);
    for (const auto& item : part.items) {
      if (const auto value = variables.find(item.name); value != variables.end()) expansion.add(item, value->second);
    }
  }
  return out;
}

}  // namespace fairlead::protocol
