#pragma once
// Where other nodes' questions are answered with this daemon's own verbs: a conversation of theirs is one of the local socket, begun as
// `pawl __relay` begins one for a machine by ssh, so that who asks is written down and has the rights of somebody from elsewhere.
//
// A question is one verb as JSON, answered as the local socket answers, or a part of a longer conversation (talk_ends.h).

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/conversation.h"
#include "fleet/talk_ends.h"

namespace pawl::fleet {

inline constexpr size_t kDeskTalks = 256;  // of all nodes together
inline constexpr size_t kDeskTalksOfOne = 64;
inline constexpr Duration kDeskVerb =
    std::chrono::seconds{8};  // for one verb; longer ones are conversations

// What is true on this machine for whoever asks from elsewhere, as a relay's first request would tell it: environment, folder and
// configuration of what is started.
using Surroundings = std::function<Json()>;

// A conversation of this daemon with somebody elsewhere: "lap/person". Nothing it says yet.
std::unique_ptr<api::Conversation> conversation_for(core::Engine& engine, api::Server& server,
                                                    const Clock& now, const std::string& who,
                                                    Json surroundings);

class FarDesk {
 public:
  FarDesk(core::Engine& engine, api::Server& server, Surroundings surroundings);
  ~FarDesk();

  // `from`: that node, as the bus vouches for it.
  void ask(const Clock& now, const std::string& token, const std::string& from,
           const std::string& value);
  // After every turn.
  void publish(const Clock& now, const std::vector<core::Answer>& answers);
  std::optional<MonoTime> wake_at() const;

  struct Answer {
    std::string token, value;
  };
  std::vector<Answer> take_answers() { return std::exchange(answers_, {}); }
  size_t talks() const { return talks_.size(); }

 private:
  struct Talk;
  using Talks = std::map<std::string, std::unique_ptr<Talk>>;
  void talk(const Clock& now, const std::string& token, const std::string& from,
            const TalkValue& value);
  void one_verb(const Clock& now, const std::string& token, const std::string& from,
                const Json& head);
  std::unique_ptr<Talk> begin(const Clock& now, const std::string& who);
  Done room_for(const std::string& from) const;
  void read(const Clock& now, Talk& talk, std::string_view bytes);
  void pump(const Clock& now, Talk& talk, const std::vector<core::Answer>& answers);
  void answer_verb(const Clock& now, Talk& talk);
  void refuse(const std::string& token, const Error& error);

  core::Engine& engine_;
  api::Server& server_;
  Surroundings surroundings_;
  Talks talks_;  // by node and id
  std::list<std::unique_ptr<Talk>> verbs_;
  std::vector<Answer> answers_;
};

}  // namespace pawl::fleet
