#include <fmt/format.h>

#include "base/uri.hpp"
#include "json/schema/parse.hpp"
#include "json/schema/registry.hpp"
#include "json/schema/uri.hpp"

namespace fairlead::json::schema {

namespace {

/// Maximum length of the chain from a metaschema to a standard dialect.
constexpr int max_metaschema_hops = 8;

/// The member if it is present; an error if it is not a string.
Result<const boost::json::string*> string_member(const boost::json::object& schema, std::string_view name,
                                                 const std::string& pointer) {
  const auto* member = schema.if_contains(name);
  if (member == nullptr) return nullptr;
  if (!member->is_string()) return fail_at(fmt::format("{}/{}", pointer, name), "must be a string");
  return &member->get_string();
}

template <class Visit>
void each_schema(const Value& value, SubschemaKind subschemas, std::string_view pointer, Visit visit) {
  const bool one = subschemas == SubschemaKind::one || subschemas == SubschemaKind::one_or_list;
  const bool list = subschemas == SubschemaKind::list || subschemas == SubschemaKind::one_or_list;
  if (one && !value.is_array()) visit(value, std::string(pointer));
  if (list && value.is_array()) {
    std::size_t index = 0;
    for (const auto& item : value.get_array()) visit(item, fmt::format("{}/{}", pointer, index++));
  }
  if (subschemas != SubschemaKind::map || !value.is_object()) return;
  for (const auto& member : value.get_object()) {
    visit(member.value(), fmt::format("{}/{}", pointer, pointer_escaped(member.key())));
  }
}

}  // namespace

Result<void> Registry::scan(PendingSchema start) {
  std::vector<PendingSchema> queue;
  queue.push_back(std::move(start));
  while (!queue.empty()) {
    auto pending = std::move(queue.back());
    queue.pop_back();
    if (locations_.contains(pending.schema)) continue;
    if (const auto done = identify(pending); !done) return done;
    locations_.emplace(pending.schema, pending.location);
    const auto* object = pending.schema->if_object();
    if (object == nullptr) continue;
    const auto& dialect = resources_[pending.location.resource].dialect;
    for (const auto& member : *object) {
      const auto* keyword = find_keyword(member.key(), dialect);
      if (keyword == nullptr || keyword->subschemas == SubschemaKind::none) continue;
      const auto pointer = fmt::format("{}/{}", pending.location.pointer, std::string_view(member.key()));
      each_schema(member.value(), keyword->subschemas, pointer, [&](const Value& inner, std::string inner_pointer) {
        queue.push_back({&inner, {pending.location.resource, std::move(inner_pointer)}});
      });
    }
  }
  return {};
}

Result<void> Registry::identify(PendingSchema& pending) {
  const auto* schema = pending.schema->if_object();
  if (schema == nullptr) return {};
  auto dialect = resources_[pending.location.resource].dialect;
  if (const auto done = read_dialect(*schema, pending, dialect); !done) return done;
  if (pending.document_root) resources_[pending.location.resource].dialect = dialect;
  const bool hidden = dialect.draft == Draft::draft7 && schema->contains("$ref");
  if (hidden) return {};
  if (const auto done = read_id(*schema, pending, dialect); !done) return done;
  return dialect.draft == Draft::draft7 ? Result<void>{} : read_anchors(*schema, pending);
}

/// `$schema` counts at the root of a resource only.
Result<void> Registry::read_dialect(const boost::json::object& schema, const PendingSchema& pending, Dialect& dialect) {
  if (!pending.document_root && !schema.contains("$id")) return {};
  const auto name = string_member(schema, "$schema", pending.location.pointer);
  if (!name) return std::unexpected(name.error());
  if (*name == nullptr) return {};
  const auto named = dialect_named(std::string(**name));
  if (!named) return fail_at(pending.location.pointer + "/$schema", named.error().message);
  dialect = *named;
  return {};
}

Result<void> Registry::read_id(const boost::json::object& schema, PendingSchema& pending, const Dialect& dialect) {
  const auto id = string_member(schema, "$id", pending.location.pointer);
  if (!id) return std::unexpected(id.error());
  if (*id == nullptr) return {};
  const auto split = split_reference(**id);
  if (!split.fragment.empty() && dialect.draft != Draft::draft7) {
    return fail_at(pending.location.pointer + "/$id", "must not have a fragment; use $anchor instead");
  }
  if (!split.document.empty()) {
    auto uri = resolve_uri(resources_[pending.location.resource].uri, split.document);
    if (const auto done = enter_resource(std::move(uri), pending, dialect); !done) return done;
  }
  return split.fragment.empty() ? Result<void>{} : claim_anchor(split.fragment, pending);
}

Result<void> Registry::enter_resource(std::string uri, PendingSchema& pending, const Dialect& dialect) {
  auto id = pending.location.resource;
  if (resources_[id].uri == uri) return {};
  if (pending.document_root) {
    resources_[id].uri = uri;
  } else {
    id = static_cast<ResourceId>(resources_.size());
    resources_.push_back({.uri = uri, .dialect = dialect, .root = pending.schema});
    pending.location.resource = id;
  }
  return claim_uri(uri, id, pending.location.pointer);
}

Result<void> Registry::read_anchors(const boost::json::object& schema, const PendingSchema& pending) {
  const auto plain = string_member(schema, "$anchor", pending.location.pointer);
  if (!plain) return std::unexpected(plain.error());
  if (*plain != nullptr) {
    if (const auto done = claim_anchor(**plain, pending); !done) return done;
  }
  const auto dynamic = string_member(schema, "$dynamicAnchor", pending.location.pointer);
  if (!dynamic) return std::unexpected(dynamic.error());
  if (*dynamic == nullptr) return {};
  resources_[pending.location.resource].dynamic_anchors.emplace(**dynamic, pending.schema);
  return claim_anchor(**dynamic, pending);
}

Result<void> Registry::claim_uri(const std::string& uri, ResourceId id, const std::string& pointer) {
  const auto [at, fresh] = by_uri_.emplace(uri, id);
  if (fresh || at->second == id) return {};
  return fail_at(pointer + "/$id", fmt::format("another schema has the identifier \"{}\" already", uri));
}

Result<void> Registry::claim_anchor(std::string_view name, const PendingSchema& pending) {
  auto& anchors = resources_[pending.location.resource].anchors;
  const auto [at, fresh] = anchors.emplace(name, pending.schema);
  if (fresh || at->second == pending.schema) return {};
  return fail_at(pending.location.pointer, fmt::format("the anchor \"{}\" is already used", name));
}

Result<Dialect> Registry::dialect_named(const std::string& uri, int hops) {
  Dialect dialect;
  if (find_standard_dialect(uri, dialect)) return dialect;
  if (is_unsupported_draft(uri)) {
    return fail(ErrorKind::invalid, fmt::format("the dialect {} is not supported; {}", uri, supported_dialects));
  }
  if (const auto known = dialects_.find(uri); known != dialects_.end()) return known->second;
  const auto found = dialect_of_metaschema(uri, hops);
  if (found) dialects_.emplace(uri, *found);
  return found;
}

Result<Dialect> Registry::dialect_of_metaschema(const std::string& uri, int hops) {
  auto text =
      options_.resolve && hops < max_metaschema_hops ? options_.resolve(split_reference(uri).document) : std::nullopt;
  if (!text) {
    return fail(ErrorKind::invalid, fmt::format("the dialect {} is not known; {}, and a metaschema of your own can be "
                                                "supplied through SchemaOptions::resolve",
                                                uri, supported_dialects));
  }
  const auto metaschema = parse_json(*text, 256);
  if (!metaschema) return fail(ErrorKind::malformed, fmt::format("{} is {}", uri, metaschema.error().message));
  const auto* object = metaschema->if_object();
  const auto* written_in = object == nullptr ? nullptr : object->if_contains("$schema");
  if (written_in == nullptr || !written_in->is_string()) return with_vocabularies({}, *metaschema, uri);
  const auto base = dialect_named(std::string(written_in->get_string()), hops + 1);
  return base ? with_vocabularies(*base, *metaschema, uri) : base;
}

}  // namespace fairlead::json::schema
