#pragma once

#include <cstddef>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/headers.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::gateway {

/// Sets of headers for requests to servers. Calls in a chain refer to a set by a name that clients cannot guess, so a
/// client cannot request a set by itself.
class HeaderSets {
 public:
  using Headers = std::vector<protocol::Header>;

  HeaderSets();

  /// Returns the name of the set. Equal headers get the same name, so that a reload keeps their connections.
  std::string add(Headers headers) { return add(std::move(headers), false); }
  /// Call once per add().
  void remove(const std::string& name);
  bool contains(std::string_view name) const { return all_.contains(name); }

  /// Whether one of the sets exists only during a call.
  bool any_is_scoped(const std::vector<std::string>& names) const;

  class ScopedHeaderSet;

  /// The headers of several sets together; later sets override earlier ones.
  Headers find(const std::vector<std::string>& names) const;

  /// The sets that a call requests; unknown names are left out.
  std::vector<std::string> requested_by(const json::Payload& params) const;

 private:
  struct Entry {
    Headers headers;
    std::size_t count = 0;
    bool scoped = false;
  };

  std::string add(Headers headers, bool scoped);

  std::string key_;
  std::map<std::string, Entry, std::less<>> all_;
};

/// Registers headers that came with a client's request, for the lifetime of this object.
class HeaderSets::ScopedHeaderSet {
 public:
  ScopedHeaderSet(std::shared_ptr<HeaderSets> sets, Headers headers)
      : sets_(std::move(sets)), name_(sets_->add(std::move(headers), true)) {}
  ScopedHeaderSet(const ScopedHeaderSet&) = delete;
  ScopedHeaderSet& operator=(const ScopedHeaderSet&) = delete;
  ~ScopedHeaderSet() { sets_->remove(name_); }

  const std::string& name() const { return name_; }

 private:
  std::shared_ptr<HeaderSets> sets_;
  std::string name_;
};

/// Adds a header and replaces one of the same name.
void put_header(HeaderSets::Headers& headers, const protocol::Header& header);

/// Returns params that request exactly these sets.
json::Payload with_requested_headers(const json::Payload& params, const std::vector<std::string>& names);

/// The names of the requested sets as JSON text; empty for none.
std::string_view requested_headers_text(const json::ObjectEdit& params);

/// Whether params may request header sets.
bool requests_headers(const json::Payload& params);

}  // namespace fairlead::gateway
