#pragma once

#include <fairlead/session/session.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <fairlead/transport/memory.hpp>
#include <memory>
#include <string>
#include <utility>

#include "support/test_loop.hpp"

namespace fairlead::gateway::test {

/// A client's lines in, lines out; in between what reads them, and a service behind it.
class FrontLine {
 public:
  FrontLine(fairlead::test::TestLoop& loop, session::Service& service, session::SessionOptions options = {})
      : FrontLine(loop, transport::memory_byte_pair(loop.loop()), service, std::move(options)) {}
  FrontLine(const FrontLine&) = delete;
  FrontLine& operator=(const FrontLine&) = delete;
  ~FrontLine() {
    client_->close();
    loop_.finish(running_);
  }

  void send(const std::string& line) { loop_.run(client_->write(line + "\n")).value(); }

  std::string hear() {
    while (heard_.find('\n') == std::string::npos) {
      std::string room(4096, '\0');
      room.resize(loop_.run(client_->read(room)).value());
      if (room.empty()) return "";
      heard_ += room;
    }
    const auto end = heard_.find('\n');
    auto line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return line;
  }

  std::string say(const std::string& line) {
    send(line);
    return hear();
  }

  std::string ask(const std::string& method, const std::string& params = "{}") {
    return say(R"({"jsonrpc":"2.0","id":9,"method":")" + method + R"(","params":)" + params + "}");
  }

  void open(const std::string& capabilities = "{}") {
    ask("initialize", R"({"protocolVersion":"2025-03-26","capabilities":)" + capabilities +
                          R"(,"clientInfo":{"name":"c","version":"1"}})");
    send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    ask("ping");  // Answered by the session, after what came before it.
  }

  session::Session& session() { return session_; }

 private:
  FrontLine(fairlead::test::TestLoop& loop, transport::ByteStreamPair ends, session::Service& service,
            session::SessionOptions options)
      : loop_(loop),
        client_(std::move(ends.first)),
        wire_(loop.loop(), std::move(ends.second)),
        session_(loop.loop(), wire_, service, std::move(options)),
        running_(loop.start(session_.run())) {}

  fairlead::test::TestLoop& loop_;
  std::unique_ptr<transport::ByteStream> client_;
  transport::FramedTransport wire_;
  session::Session session_;
  fairlead::test::Pending<Result<void>> running_;
  std::string heard_;
};

}  // namespace fairlead::gateway::test
