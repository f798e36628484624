#include <fairlead/auth/sign_in.hpp>

#include <fairlead/auth/credential.hpp>

namespace fairlead::auth {
namespace {

class FunctionSignIn final : public SignIn {
 public:
  FunctionSignIn(std::string redirect_uri, ShowUrl show)
      : redirect_uri_(std::move(redirect_uri)), show_(std::move(show)) {}

  Task<Result<std::string>> prepare(EventLoop, std::string) override { return redirect_uri_; }
  Task<Result<std::string>> show(EventLoop loop, SignInRequest request) override {
    return show_(loop, std::move(request));
  }

 private:
  std::string redirect_uri_;
  ShowUrl show_;
};

class NoSignIn final : public SignIn {
 public:
  explicit NoSignIn(std::string command) : command_(std::move(command)) {}

  Task<Result<std::string>> prepare(EventLoop, std::string) override { return needed(); }
  Task<Result<std::string>> show(EventLoop, SignInRequest) override { return needed(); }

 private:
  Result<std::string> needed() const {
    Error error{
        .kind = ErrorKind::refused,
        .message = "the server requires a sign-in, which this client cannot show; pass a SignIn to auth::oauth()",
        .code = 401,
        .cause = cause_sign_in_needed,
        .subject = command_};
    return std::unexpected(std::move(error));
  }

  std::string command_;
};

}  // namespace

std::shared_ptr<SignIn> sign_in_with(std::string redirect_uri, ShowUrl show) {
  return std::make_shared<FunctionSignIn>(std::move(redirect_uri), std::move(show));
}

std::shared_ptr<SignIn> no_sign_in(std::string command) {
  return std::make_shared<NoSignIn>(std::move(command));
}

}  // namespace fairlead::auth
