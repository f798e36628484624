#include "gateway/middleware/run_process.hpp"

#include <fairlead/base/with_deadline.hpp>
#include <fcntl.h>
#include <utility>

#include "base/scope_exit.hpp"
#include "transport/child_process.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::size_t max_output_bytes = 1024 * 1024;

void add_output(std::string& all, std::string_view bytes) {
  all += bytes.substr(0, max_output_bytes - std::min(all.size(), max_output_bytes));
}

Task<Result<transport::ExitStatus>> read_until_exit(std::shared_ptr<transport::ChildProcess> process,
                                                    std::shared_ptr<ProcessOutput> into) {
  std::string buffer(16 * 1024, '\0');
  while (true) {
    const auto size = co_await process->pipes().read(buffer);
    if (!size || *size == 0) break;
    add_output(into->out, std::string_view(buffer).substr(0, *size));
  }
  co_return co_await process->wait();
}

}  // namespace

Task<Result<ProcessOutput>> run_process(EventLoop loop, std::vector<std::string> command, Duration limit) {
  const auto output = std::make_shared<ProcessOutput>();
  transport::ChildOptions options{.command = std::move(command)};
  options.on_stderr = [output](std::string_view line) {
    add_output(output->errors, line);
    add_output(output->errors, "\n");
  };
  auto spawned = transport::spawn(options);
  if (!spawned) co_return std::unexpected(std::move(spawned.error()));
  // Its stdin is empty.
  spawned->input = Descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const auto process = std::make_shared<transport::ChildProcess>(loop, options, std::move(*spawned));
  process->watch();
  const ScopeExit kill([&process] { process->kill(); });
  const auto deadline = Deadline::in(limit, loop.timers.clock());
  auto status = co_await with_deadline(loop.timers, deadline, read_until_exit(process, output));
  if (!status) co_return std::unexpected(std::move(status.error()));
  output->status = *status;
  co_return std::move(*output);
}

}  // namespace fairlead::gateway
