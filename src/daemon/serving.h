#pragma once
// `pawl serve`: begins, changes and ends serving while the daemon runs, and begins again with the next one. How is kept in
// HOME/serve.json; whoever said `pawl serve` once finds the dashboard there after every restart, until `pawl serve --stop`.

#include <functional>
#include <memory>
#include <string>

#include "serve/web_server.h"

namespace pawl::daemon {

class Serving {
 public:
  Serving(os::Loop& loop, core::Engine& engine, api::Server& server, std::string home,
          std::function<void()> wake);

  // As the last daemon did. What keeps it from that is said on stderr and in an alert: agents come first.
  void begin_again();
  Result<Json> asked(const Json& args);

  // A link that answers this dialog, for a message of that time; nothing while nothing is served.
  std::optional<serve::WebServer::ApprovalLink> approval(serve::Approval about, WallTime at) const;

  void publish(const Clock& now, const std::vector<core::Answer>& answers);
  std::optional<MonoTime> wake_at() const;

 private:
  Result<Json> change(const Json& args);
  Result<Json> stop();
  Result<Json> sessions(const Json& args);
  void tell(const std::string& news);  // on stderr and in an alert
  std::string path() const { return home_ + "/serve.json"; }

  os::Loop& loop_;
  core::Engine& engine_;
  api::Server& server_;
  std::string home_;
  std::function<void()> wake_;
  std::unique_ptr<serve::WebServer> web_;
};

}  // namespace pawl::daemon
