#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <fairlead/json/schema.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "json/schema/dialect.hpp"
#include "json/schema/keywords.hpp"

namespace fairlead::json::schema {

using ResourceId = std::uint32_t;
using Value = boost::json::value;

/// Where a schema stands: the resource that its references start from, and the place to name in a message.
struct Location {
  ResourceId resource = 0;
  std::string place;  ///< `#/properties/a`, after the document's URI if that is not the main one.
};

/// A schema with an identifier of its own, and what can be reached in it by name.
struct Resource {
  std::string uri;
  Dialect dialect;
  const Value* root = nullptr;
  std::unordered_map<std::string, const Value*> anchors = {};
  std::map<std::string, const Value*> dynamic_anchors = {};
};

struct Target {
  const Value* schema = nullptr;
  std::string dynamic_anchor = {};  ///< Set where the reference names one.
};

/// All documents that a schema draws on, and the map from identifiers to the schemas in them.
class Registry {
 public:
  explicit Registry(const SchemaOptions& options) : options_(options) {}

  /// The main document, read as 2020-12 where it does not say.
  Result<const Value*> add_main(std::string_view text);

  /// The schema that a reference at `from` leads to, loading its document if need be.
  Result<Target> resolve(std::string_view reference, const Location& from);

  const Location& location(const Value& schema) const { return locations_.at(&schema); }
  const Resource& resource(ResourceId id) const { return resources_[id]; }
  std::size_t resource_count() const { return resources_.size(); }

 private:
  /// A schema still to be looked through for identifiers.
  struct Unseen {
    const Value* schema;
    Location location;
    bool document_root = false;
  };

  Result<const Value*> add_document(std::string_view text, const std::string& uri, Dialect dialect);
  Result<ResourceId> find_or_load(const std::string& uri, Dialect dialect);
  Result<Target> follow_pointer(ResourceId start, std::string_view pointer);

  Result<void> scan(Unseen start);
  Result<void> identify(Unseen& unseen);
  Result<void> read_dialect(const boost::json::object& schema, const Unseen& unseen, Dialect& dialect);
  Result<void> read_id(const boost::json::object& schema, Unseen& unseen, const Dialect& dialect);
  Result<void> enter_resource(std::string uri, Unseen& unseen, const Dialect& dialect);
  Result<void> read_anchors(const boost::json::object& schema, const Unseen& unseen);
  Result<void> claim_uri(const std::string& uri, ResourceId id, const std::string& place);
  Result<void> claim_anchor(std::string_view name, const Unseen& unseen);
  Result<Dialect> dialect_named(const std::string& uri, int hops = 0);
  Result<Dialect> dialect_of_metaschema(const std::string& uri, int hops);

  const SchemaOptions& options_;
  std::vector<std::unique_ptr<const Value>> documents_;
  std::vector<Resource> resources_;
  std::unordered_map<std::string, ResourceId> by_uri_;
  std::unordered_map<const Value*, Location> locations_;
  std::unordered_map<std::string, Dialect> dialects_;
};

/// An error at a place in the schema.
std::unexpected<Error> fail_at(std::string_view place, std::string_view text);

}  // namespace fairlead::json::schema
