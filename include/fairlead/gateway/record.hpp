#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <functional>

namespace fairlead::gateway {

struct RecordOptions {
  std::string path;
  bool force = false;                  ///< Overwrite an existing file.
  std::string hop = "front";           ///< Name of this point of the chain in the file. A replay uses the first one.
  std::vector<std::string> keys = {};  ///< Additional member names whose values are secret.
  /// Values to redact anywhere; values of less than four characters are ignored.
  std::vector<std::string> secrets = {};
};

/// Records all messages in both directions to a file that only its owner may read: one JSON object per line, with
/// secrets redacted. A full disk ends the recording, not the session.
Result<std::unique_ptr<Middleware>> record(RecordOptions options, EventLoop loop);

/// Makes recording middleware for several points of a gateway that share one file. The argument names the point.
using RecorderFactory = std::function<std::unique_ptr<Middleware>(std::string hop)>;
Result<RecorderFactory> recorder_factory(const RecordOptions& options, EventLoop loop);

struct ReplayOptions {
  std::string path;
  bool lenient = false;                  ///< Answer recorded requests in any order and any number of times.
  double speed = 0;                      ///< 1 replays in real time, 2 twice as fast, 0 without delays.
  std::vector<std::string> ignore = {};  ///< Member names whose values are not compared.
};

/// Answers like the recorded server: results, errors, requests to the client and notifications. Unless lenient, a
/// session must repeat a recorded session; other requests are refused with the line of the file.
Result<std::unique_ptr<Middleware>> replay(ReplayOptions options, EventLoop loop);

}  // namespace fairlead::gateway
