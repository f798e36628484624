#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::gateway {

struct RecordOptions {
  std::string path;
  bool force = false;                     ///< Overwrite a file that is there.
  std::string hop = "front";              ///< What this place in the chain is called in the file; what is replayed.
  std::vector<std::string> keys = {};     ///< Names whose values are secret, besides those that everybody knows.
  std::vector<std::string> secrets = {};  ///< Values to hide wherever they stand; those of less than four characters
                                          ///< would blacken innocent text, and are not looked for.
};

/// Writes all that passes it, in both directions, to a file that only its owner may read: one JSON object a line, with
/// secrets hidden. A disk that is full ends the recording and nothing else.
Result<std::unique_ptr<Middleware>> record(RecordOptions options, Loop loop);

/// The same at several places, all in one file: makes the middleware of the place that it is given the name of.
using RecordPlaces = std::function<std::unique_ptr<Middleware>(std::string hop)>;
Result<RecordPlaces> record_places(const RecordOptions& options, Loop loop);

struct ReplayOptions {
  std::string path;
  bool lenient = false;                  ///< Whatever was asked is answered, in any order and as often as it is asked.
  double speed = 0;                      ///< 1 takes the time that it took, 2 half of it, and 0 none.
  std::vector<std::string> ignore = {};  ///< Names of members whose values do not matter.
};

/// Answers in the server's place as a recorded one did: results and errors, questions and notices at their places.
///
/// A conversation has to go as one of those that were recorded, unless it is lenient; what does not is refused, and the
/// error names the line of the file.
Result<std::unique_ptr<Middleware>> replay(ReplayOptions options, Loop loop);

}  // namespace fairlead::gateway
