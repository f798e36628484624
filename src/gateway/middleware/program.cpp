#include "gateway/middleware/program.hpp"

#include <fairlead/base/with_deadline.hpp>
#include <fcntl.h>
#include <memory>
#include <utility>

#include "transport/child_process.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::size_t most_output = 1024 * 1024;

void add_output(std::string& all, std::string_view bytes) {
  all += bytes.substr(0, most_output - std::min(all.size(), most_output));
}

Task<Result<transport::ExitStatus>> read_to_the_end(std::shared_ptr<transport::ChildProcess> process,
                                                    std::shared_ptr<ProgramOutput> into) {
  std::string buffer(16 * 1024, '\0');
  while (true) {
    const auto size = co_await process->pipes().read(buffer);
    if (!size || *size == 0) break;
    add_output(into->out, std::string_view(buffer).substr(0, *size));
  }
  co_return co_await process->wait();
}

/// Whatever happens, the process does not outlive its run.
struct Killing {
  explicit Killing(std::shared_ptr<transport::ChildProcess> of) : process(std::move(of)) {}
  Killing(const Killing&) = delete;
  Killing& operator=(const Killing&) = delete;
  ~Killing() { process->kill(); }
  std::shared_ptr<transport::ChildProcess> process;
};

}  // namespace

Task<Result<ProgramOutput>> run_program(Loop loop, std::vector<std::string> command, Duration limit) {
  const auto output = std::make_shared<ProgramOutput>();
  transport::ChildOptions options{.command = std::move(command)};
  options.on_stderr = [output](std::string_view line) {
    add_output(output->errors, line);
    add_output(output->errors, "\n");
  };
  auto spawned = transport::spawn(options);
  if (!spawned) co_return std::unexpected(std::move(spawned.error()));
  // Its stdin ends here.
  spawned->input = transport::Descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const auto process = std::make_shared<transport::ChildProcess>(loop, options, std::move(*spawned));
  process->watch();
  const Killing killing(process);
  const auto deadline = Deadline::in(limit, loop.timers.clock());
  auto status = co_await with_deadline(loop.timers, deadline, read_to_the_end(process, output));
  if (!status) co_return std::unexpected(std::move(status.error()));
  output->status = *status;
  co_return std::move(*output);
}

}  // namespace fairlead::gateway
