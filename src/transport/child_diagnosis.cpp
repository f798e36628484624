// Diagnosis of a failed child process.
#include <fairlead/base/log.hpp>
#include <fmt/format.h>
#include <signal.h>

#include "base/redact/secret_variables.hpp"
#include "transport/child_process.hpp"

namespace fairlead::transport {
namespace {

// Limit of logged stray lines per child.
constexpr std::size_t max_stray_warnings = 5;
constexpr std::size_t max_stray_text = 200;
constexpr std::string_view default_name = "child";  // As in ChildOptions.

std::optional<std::string> advice_for(const Diagnosis& known) {
  if (known.stdout_) return "make the server log to stderr: its stdout must contain only protocol messages";
  if (known.signal == SIGKILL) return "check whether memory ran out or the server reached a limit";
  if (known.status == 127) return "check whether all programs in the command are installed";
  if (known.status || known.signal) return "run it by hand to see its output: " + known.command.value_or("");
  return std::nullopt;
}

}  // namespace

void ChildProcess::hide_secrets(Redactor& redactor) const {
  const Redactor judge;
  for (const auto& [name, value] : environment_) {
    if (is_secret_variable(judge, name, value)) redactor.add_secret(value);
  }
  for (const auto& secret : environment_secrets()) redactor.add_secret(secret);
}

Diagnosis ChildProcess::diagnosis() const {
  Redactor redactor;
  hide_secrets(redactor);
  Diagnosis known{.command = shell_quoted(redacted_command(command_, redactor))};
  if (status_) (status_->signalled ? known.signal : known.status) = status_->code;
  known.stderr_ = tail_.lines(redactor);
  if (!stray_output_.empty()) known.stdout_ = clean_output(stray_output_, redactor, max_stray_text);
  known.advice = advice_for(known);
  return known;
}

void ChildProcess::note_stray_output(std::string_view text) {
  if (stray_output_.empty()) stray_output_ = text;
  if (++stray_lines_ > max_stray_warnings + 1) return;
  log(loop_.log, LogLevel::warning, name_, [&] {
    if (stray_lines_ > max_stray_warnings) return std::string("further lines on stdout are not logged");
    Redactor redactor;
    hide_secrets(redactor);
    const bool is_named = name_ != default_name;
    const auto& program = command_.front();
    return fmt::format("server {} printed \"{}\" on stdout, which is not MCP; print to stderr instead",
                       is_named ? name_ : program.substr(program.rfind('/') + 1),
                       clean_output(text, redactor, max_stray_text));
  });
}

}  // namespace fairlead::transport
