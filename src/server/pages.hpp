#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "server/server_state.hpp"

namespace fairlead::server {

/// A cursor that says after which entry to go on, and in which list.
std::string make_cursor(std::string_view list, std::string_view after);
/// Nothing for what is no cursor of this list.
std::optional<std::string> read_cursor(std::string_view list, std::string_view cursor);

template <class Entry>
struct Page {
  std::vector<std::shared_ptr<const Entry>> entries = {};
  std::optional<std::string> next = {};
};

/// The part of a catalogue that `call` asks for and may see.
template <class Entry>
Result<Page<Entry>> page_of(const Catalogue<Entry>& catalogue, Kind kind, const ServerState& server,
                            const session::Call& call) {
  const auto params = json::decode<protocol::PaginatedParams>(call.params);
  if (!params) return refuse(Fault::invalid_params, params.error().message);
  const auto& all = catalogue.entries();
  std::size_t at = 0;
  if (params->cursor) {
    const auto after = read_cursor(call.method, *params->cursor);
    const auto last = after ? catalogue.find(*after) : nullptr;
    if (!last) return refuse(Fault::bad_cursor, "start the list anew: this cursor leads nowhere", *params->cursor);
    at = static_cast<std::size_t>(std::find(all.begin(), all.end(), last) - all.begin()) + 1;
  }
  Page<Entry> page;
  for (; at < all.size(); ++at) {
    if (!server.shows(kind, all[at]->name(), call.context.principal)) continue;
    if (page.entries.size() == server.page_size) {
      page.next = make_cursor(call.method, page.entries.back()->name());
      break;
    }
    page.entries.push_back(all[at]);
  }
  return page;
}

}  // namespace fairlead::server
