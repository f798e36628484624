#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/log.hpp>
#include <map>
#include <string>
#include <utility>

#include "gateway/observe/observer.hpp"

namespace fairlead::gateway {

/// Logs a line for each call that a client has made, with the time that was spent at servers and in the chain.
class CallLog final : public Observer {
 public:
  /// `log` outlives it.
  CallLog(LogSink& log, bool json) : log_(log), json_(json) {}

  void begins(session::Call& call, Sight& sight) override;
  void ended(session::Call& call, const Sight& sight) override;

 private:
  /// Which conversation's, and its id there.
  using Key = std::pair<std::uint64_t, std::string>;

  /// A call between the front and its end. Servers that are asked at the same time do not take longer than one.
  struct UnderWay {
    std::size_t asked = 0;  // Servers that have not answered yet,
    TimePoint since = {};   // and since when there is one.
    Duration at_servers = {};
  };

  static Key key_of(const session::Call& call);

  LogSink& log_;
  bool json_;
  std::map<Key, UnderWay> under_way_;
};

}  // namespace fairlead::gateway
