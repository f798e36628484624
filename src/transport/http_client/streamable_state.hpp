#pragma once

#include <fairlead/transport/http_client.hpp>
#include <map>

#include "transport/http_client/inbox.hpp"
#include "transport/http_client/post.hpp"
#include "transport/http_client/tool_headers.hpp"

namespace fairlead::transport {

/// All that a client of Streamable HTTP knows. Its tasks hold it; they end in the scope that the client was given.
struct StreamableClient::State : std::enable_shared_from_this<State> {
  State(Loop on, TaskScope& owner, HttpClientOptions with);

  // streamable_client.cpp
  Result<void> start(std::unique_ptr<Post> post);
  bool drops(const Post& post);
  void give_up(const json::Payload& params);
  void close() noexcept;
  static Task<void> say_goodbye(std::shared_ptr<State> self, std::string session);

  // streamable_headers.cpp
  static std::unique_ptr<Post> prepare(jsonrpc::Message&& message);
  Result<std::vector<http::Header>> headers_for(const Post& post) const;
  void add_common_headers(std::vector<http::Header>& headers) const;
  struct HeadKey {
    const protocol::Revision* stateless;
    std::string_view method, name;
  };
  static std::optional<HeadKey> key_of(const Post& post);
  std::shared_ptr<const http::PostHead> head_for(const Post& post);
  std::vector<http::Header> get_headers(const Cursor& cursor) const;

  // streamable_quick.cpp
  bool start_quick(std::unique_ptr<Post>& post);
  void heard(const jsonrpc::Id& id, http::WholeAnswer* answer);

  // streamable_exchange.cpp
  /// Up to the answer, from wherever the exchange stands.
  struct Standing {
    std::shared_ptr<http::SentRequest> sent = {};  ///< Or not yet.
    std::optional<Result<void>> answered = {};     ///< Or not yet.
  };
  Result<void> spawn(std::unique_ptr<Post> post, Standing standing);
  static Task<void> run(std::shared_ptr<State> self, std::unique_ptr<Post> post, Standing standing);
  static Task<void> tell(std::shared_ptr<State> self, std::unique_ptr<Post> post, jsonrpc::Notification cancelled);
  void end_if_gone();
  static Error no_such_session();
  Task<Result<void>> exchange(Post& post);
  using Opened = Result<std::unique_ptr<http::ResponseStream>>;
  Task<Result<void>> read_opened(Post& post, Task<Opened> opening);
  Task<Result<void>> read_answer(Post& post, http::ResponseStream& stream);
  Task<Result<void>> read_refusal(Post& post, http::ResponseStream& stream);
  Task<Result<void>> list_and_retry(Post& post);
  void take(Post& post, std::string text);
  void take_unread(Post& post, jsonrpc::Unread&& bad, std::string begin = {});
  static Result<void> is_answered(const Post& post);
  std::optional<Received> sorted(Post& post, jsonrpc::Message&& message);
  void learn(const Post& post, jsonrpc::Response& response);

  // streamable_events.cpp
  Task<Result<void>> read_events(Post& post, http::ResponseStream& stream);
  Task<Result<void>> resume(Post& post);
  static Task<void> listen(std::shared_ptr<State> self);
  Task<void> wait(Duration duration);

  /// A request is in the hands of a task, or of nobody until something comes.
  struct Flight {
    TaskScope::Handle task = {};
    std::unique_ptr<Post> post = {};
    std::shared_ptr<http::SentRequest> sent = {};
  };
  /// The heads of requests that are made again and again, as long as these are what they say.
  struct KnownHeads {
    struct Known {
      std::string method, name;
      const protocol::Revision* stateless;
      std::shared_ptr<const http::PostHead> head;
    };

    std::string session;
    const protocol::Revision* agreed = nullptr;
    std::vector<Known> known = {};
  };
  static constexpr std::string_view json_type = "application/json";
  /// Notifications and answers under way; more are dropped.
  static constexpr std::size_t most_untaken = 256;
  static constexpr std::size_t most_untaken_bytes = std::size_t{4} * 1024 * 1024;

  Loop loop;
  TaskScope& scope;
  HttpClientOptions options;
  http::Client client;
  Inbox inbox;
  ToolHeaders tools;
  KnownHeads heads;
  std::string session;                         // Empty for none.
  const protocol::Revision* agreed = nullptr;  // By a handshake.
  std::map<jsonrpc::Id, Flight> posts;         // Requests that wait for their answers.
  TaskScope::Handle listener;
  std::uint16_t refused_opening = 0;
  std::size_t untaken = 0;  // Notifications and answers that the server has not taken yet.
  std::size_t untaken_bytes = 0;
  bool dropping = false;
  bool session_gone = false;  // The server does not know it any more.
  bool closed = false;
};

}  // namespace fairlead::transport
