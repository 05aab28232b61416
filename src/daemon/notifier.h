#pragma once
// Alerts reach people: every one that was journalled goes to the channels of its agent's `notify` list, or, when it concerns
// no agent, to those of the user's own [defaults]. When and how often is act/outgoing's business; how it looks, act/message's.
//
// Nothing here waits. A program (exec:, notify-send) and an HTTP answer have kSendLimit, then the try failed; the first failure
// of a channel and every message that is given up are said on stderr, without anything of a URL but its scheme and host.
// What is not sent when the daemon ends is not sent later: it is in `pawl events`.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "act/outgoing.h"
#include "core/face.h"
#include "os/child.h"
#include "os/loop.h"
#include "os/post.h"

namespace pawl::daemon {

inline constexpr Duration kSendLimit = std::chrono::seconds{10};

class Notifier {
 public:
  // A link that answers an agent's dialog: `place` is that of the channel in its list, `via` its kind.
  struct Link {
    std::string url, code;
  };
  using Links =
      std::function<std::optional<Link>(const std::string& agent, const std::string& dialog,
                                        WallTime at, int place, const std::string& via)>;
  void offer(Links links) { links_ = std::move(links); }

  Notifier(os::Loop& loop, core::Engine& engine, std::vector<std::string> defaults);
  ~Notifier();
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  // After a turn: takes the alerts it wrote, and sends what is due.
  void follow(const Clock& now);
  // How many programs run at the moment: notifier_test waits for their ends.
  size_t running() const;

 private:
  struct Line {
    model::Channel channel;
    act::Outgoing queue = {};
    std::unique_ptr<os::Child> child = {};
    bool failing = false;
    std::string linked = {};  // the link that was sent last
  };

  void take(const Clock& now, const model::Event& event);
  act::AnswerLink link_for(const model::Agent& agent, const model::Event& event,
                           size_t place) const;
  Line* line_of(const std::string& word);
  void go_on(const Clock& now);
  void send(Line& line, const act::Message& message);
  void run(Line& line, os::ChildOrder order);
  void post(Line& line, const act::Message& message);
  void show(Line& line, const act::Message& message);
  // `how` it failed; empty: it did not.
  void ended(Line& line, const std::string& how);

  os::Loop& loop_;
  core::Engine& engine_;
  std::vector<std::string> defaults_;
  Links links_;
  std::map<std::string, Line> lines_;  // by their words; those with nothing to do are let go
  std::set<std::string> bad_;          // words that are no channel; said once
  bool no_desktop_ = false;            // said once
  os::Timer timer_;
  os::Poster poster_;  // last: what is under way belongs to a line
};

}  // namespace pawl::daemon
