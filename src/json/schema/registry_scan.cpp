#include <fmt/format.h>

#include "json/schema/parse.hpp"
#include "json/schema/registry.hpp"
#include "json/schema/uri.hpp"

namespace fairlead::json::schema {

namespace {

/// How far a metaschema may be from one of the two standard dialects.
constexpr int max_metaschema_hops = 8;

/// The member, if it is there; an error if it is no string.
Result<const boost::json::string*> string_member(const boost::json::object& schema, std::string_view name,
                                                 const std::string& place) {
  const auto* member = schema.if_contains(name);
  if (member == nullptr) return nullptr;
  if (!member->is_string()) return fail_at(fmt::format("{}/{}", place, name), "must be a string");
  return &member->get_string();
}

template <class Visit>
void each_schema(const Value& value, Shape shape, std::string_view place, Visit visit) {
  const bool one = shape == Shape::one || shape == Shape::one_or_list;
  const bool list = shape == Shape::list || shape == Shape::one_or_list;
  if (one && !value.is_array()) visit(value, std::string(place));
  if (list && value.is_array()) {
    std::size_t index = 0;
    for (const auto& item : value.get_array()) visit(item, fmt::format("{}/{}", place, index++));
  }
  if (shape != Shape::map || !value.is_object()) return;
  for (const auto& member : value.get_object()) {
    visit(member.value(), fmt::format("{}/{}", place, pointer_escaped(member.key())));
  }
}

}  // namespace

Result<void> Registry::scan(Unseen start) {
  std::vector<Unseen> pending;
  pending.push_back(std::move(start));
  while (!pending.empty()) {
    auto unseen = std::move(pending.back());
    pending.pop_back();
    if (locations_.contains(unseen.schema)) continue;
    if (const auto done = identify(unseen); !done) return done;
    locations_.emplace(unseen.schema, unseen.location);
    const auto* object = unseen.schema->if_object();
    if (object == nullptr) continue;
    const auto& dialect = resources_[unseen.location.resource].dialect;
    for (const auto& member : *object) {
      const auto* keyword = find_keyword(member.key(), dialect);
      if (keyword == nullptr || keyword->shape == Shape::none) continue;
      const auto place = fmt::format("{}/{}", unseen.location.place, std::string_view(member.key()));
      each_schema(member.value(), keyword->shape, place, [&](const Value& inner, std::string inner_place) {
        pending.push_back({&inner, {unseen.location.resource, std::move(inner_place)}});
      });
    }
  }
  return {};
}

Result<void> Registry::identify(Unseen& unseen) {
  const auto* schema = unseen.schema->if_object();
  if (schema == nullptr) return {};
  auto dialect = resources_[unseen.location.resource].dialect;
  if (const auto done = read_dialect(*schema, unseen, dialect); !done) return done;
  if (unseen.document_root) resources_[unseen.location.resource].dialect = dialect;
  const bool hidden = dialect.draft == Draft::draft7 && schema->contains("$ref");
  if (hidden) return {};
  if (const auto done = read_id(*schema, unseen, dialect); !done) return done;
  return dialect.draft == Draft::draft7 ? Result<void>{} : read_anchors(*schema, unseen);
}

/// `$schema` counts at the root of a resource only.
Result<void> Registry::read_dialect(const boost::json::object& schema, const Unseen& unseen, Dialect& dialect) {
  if (!unseen.document_root && !schema.contains("$id")) return {};
  const auto name = string_member(schema, "$schema", unseen.location.place);
  if (!name) return std::unexpected(name.error());
  if (*name == nullptr) return {};
  const auto named = dialect_named(std::string(**name));
  if (!named) return fail_at(unseen.location.place + "/$schema", named.error().message);
  dialect = *named;
  return {};
}

Result<void> Registry::read_id(const boost::json::object& schema, Unseen& unseen, const Dialect& dialect) {
  const auto id = string_member(schema, "$id", unseen.location.place);
  if (!id) return std::unexpected(id.error());
  if (*id == nullptr) return {};
  const auto split = split_reference(**id);
  if (!split.fragment.empty() && dialect.draft != Draft::draft7) {
    return fail_at(unseen.location.place + "/$id", "must not have a fragment; name a place with $anchor");
  }
  if (!split.document.empty()) {
    auto uri = resolve_uri(resources_[unseen.location.resource].uri, split.document);
    if (const auto done = enter_resource(std::move(uri), unseen, dialect); !done) return done;
  }
  return split.fragment.empty() ? Result<void>{} : claim_anchor(split.fragment, unseen);
}

Result<void> Registry::enter_resource(std::string uri, Unseen& unseen, const Dialect& dialect) {
  auto id = unseen.location.resource;
  if (resources_[id].uri == uri) return {};
  if (unseen.document_root) {
    resources_[id].uri = uri;
  } else {
    id = static_cast<ResourceId>(resources_.size());
    resources_.push_back({.uri = uri, .dialect = dialect, .root = unseen.schema});
    unseen.location.resource = id;
  }
  return claim_uri(uri, id, unseen.location.place);
}

Result<void> Registry::read_anchors(const boost::json::object& schema, const Unseen& unseen) {
  const auto plain = string_member(schema, "$anchor", unseen.location.place);
  if (!plain) return std::unexpected(plain.error());
  if (*plain != nullptr) {
    if (const auto done = claim_anchor(**plain, unseen); !done) return done;
  }
  const auto dynamic = string_member(schema, "$dynamicAnchor", unseen.location.place);
  if (!dynamic) return std::unexpected(dynamic.error());
  if (*dynamic == nullptr) return {};
  resources_[unseen.location.resource].dynamic_anchors.emplace(**dynamic, unseen.schema);
  return claim_anchor(**dynamic, unseen);
}

Result<void> Registry::claim_uri(const std::string& uri, ResourceId id, const std::string& place) {
  const auto [at, fresh] = by_uri_.emplace(uri, id);
  if (fresh || at->second == id) return {};
  return fail_at(place + "/$id", fmt::format("another schema has the identifier \"{}\" already", uri));
}

Result<void> Registry::claim_anchor(std::string_view name, const Unseen& unseen) {
  auto& anchors = resources_[unseen.location.resource].anchors;
  const auto [at, fresh] = anchors.emplace(name, unseen.schema);
  if (fresh || at->second == unseen.schema) return {};
  return fail_at(unseen.location.place, fmt::format("the anchor \"{}\" is taken already", name));
}

Result<Dialect> Registry::dialect_named(const std::string& uri, int hops) {
  Dialect dialect;
  if (standard_dialect(uri, dialect)) return dialect;
  if (is_foreign_draft(uri)) {
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
