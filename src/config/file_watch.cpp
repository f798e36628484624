#include "config/file_watch.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <cstring>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <filesystem>
#include <sys/inotify.h>
#include <unistd.h>

#include "config/file_stamp.hpp"

namespace fairlead::config {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t file_change_events = IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE |
                                             IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;

fs::path existing_folder(fs::path folder) {
  std::error_code ignored;
  while (folder.has_relative_path() && !fs::is_directory(folder, ignored)) folder = folder.parent_path();
  return folder;
}

}  // namespace

struct FileWatch::FileWatchState {
  FileWatchState(EventLoop on, std::vector<std::string> watched, Duration pause, int descriptor)
      : loop(std::move(on)), quiet(pause), events(loop.executor, descriptor) {
    std::error_code ignored;
    for (const auto& file : watched) files.push_back(fs::absolute(file, ignored).lexically_normal().string());
    look();
  }

  // Adding a folder again keeps its watch; a new folder of the same name gets a new one.
  void watch(const fs::path& file) {
    const auto folder = existing_folder(file.parent_path());
    ::inotify_add_watch(events.native_handle(), folder.c_str(), file_change_events);
  }

  /// Updates the watches. Returns true if a file changed since the last call.
  bool look() {
    std::error_code ignored;
    for (const auto& file : files) {
      watch(file);
      if (const auto target = fs::weakly_canonical(file, ignored); !ignored && target != file) watch(target);
    }
    std::vector<FileStamp> now;
    for (const auto& file : files) now.push_back(stamp_of(file));
    return std::exchange(stamps, now) != now;
  }

  bool is_ours(const inotify_event& event) const {
    if ((event.mask & IN_Q_OVERFLOW) != 0) return true;
    const fs::path name = event.len != 0 ? event.name : "";
    return std::ranges::any_of(files, [&](const auto& file) { return fs::path(file).filename() == name; });
  }

  /// Reads the pending events. Returns true if one concerns the watched files.
  bool take() {
    alignas(inotify_event) std::array<char, 4096> buffer;
    bool ours = false;
    while (true) {
      const auto size = ::read(events.native_handle(), buffer.data(), buffer.size());
      if (size <= 0) break;
      for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
        const auto& event = *reinterpret_cast<const inotify_event*>(buffer.data() + at);
        ours = is_ours(event) || ours;
        at += sizeof(inotify_event) + event.len;
      }
    }
    return look() || ours;
  }

  Task<Result<void>> readable() {
    constexpr auto as_value = boost::asio::as_tuple(use_task);
    const auto [error] = co_await events.async_wait(boost::asio::posix::stream_descriptor::wait_read, as_value);
    if (error) co_return fail(ErrorKind::closed, "the file watch was closed");
    co_return Result<void>{};
  }

  EventLoop loop;
  Duration quiet;
  boost::asio::posix::stream_descriptor events;
  std::vector<std::string> files = {};
  std::vector<FileStamp> stamps = {};
};

Result<std::unique_ptr<FileWatch>> FileWatch::open(EventLoop loop, std::vector<std::string> files, Duration quiet) {
  const int descriptor = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor < 0) {
    const int number = errno;
    return fail(ErrorKind::refused, std::string("files cannot be watched: ") + std::strerror(number));
  }
  auto state = std::make_unique<FileWatchState>(std::move(loop), std::move(files), quiet, descriptor);
  return std::unique_ptr<FileWatch>(new FileWatch(std::move(state)));
}

FileWatch::FileWatch(std::unique_ptr<FileWatchState> state) : state_(std::move(state)) {}

FileWatch::~FileWatch() = default;

Task<Result<void>> FileWatch::next() {
  do {
    if (auto waited = co_await state_->readable(); !waited) co_return waited;
  } while (!state_->take());
  constexpr int max_extensions = 20;
  const auto& clock = state_->loop.timers.clock();
  const auto last = Deadline::in(state_->quiet * max_extensions, clock);
  auto rest = Deadline::in(state_->quiet, clock);
  while (true) {
    auto waited = co_await with_deadline(state_->loop.timers, std::min(rest, last), state_->readable());
    if (!waited && waited.error().kind == ErrorKind::timeout) co_return Result<void>{};
    if (!waited) co_return waited;
    if (state_->take()) rest = Deadline::in(state_->quiet, clock);
  }
}

void FileWatch::close() noexcept {
  boost::system::error_code ignored;
  state_->events.close(ignored);
}

}  // namespace fairlead::config
