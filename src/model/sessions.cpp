#include "model/sessions.h"

#include <array>

#include "model/time_json.h"

namespace pawl::model {
namespace {

constexpr std::array<std::string_view, 6> kEndWords{"none",  "clean",  "crash",
                                                    "login", "memory", "unseen"};
constexpr int kKilled = 9, kShellCode = 128;

SessionEnd end_of(const Ending& ending, bool locked_out) {
  if (!ending.known) return SessionEnd::unseen;
  if (ending.clean()) return SessionEnd::clean;
  if (locked_out) return SessionEnd::login;
  const bool killed = ending.signal == kKilled || ending.exit_code == kShellCode + kKilled;
  return killed ? SessionEnd::memory : SessionEnd::crash;
}

}  // namespace

std::string_view word(SessionEnd end) {
  return kEndWords[static_cast<size_t>(end)];
}

std::optional<WallTime> counted_end(const Sessions& sessions) {
  return sessions.ended ? std::optional(*sessions.ended + sessions.unseen) : std::nullopt;
}

void session_began(Sessions& sessions, bool left, WallTime at) {
  if (!left || sessions.took > 0)
    sessions.left = 0;
  else if (sessions.last == SessionEnd::clean)
    sessions.left += 1;
  sessions.took = 0;
  sessions.began = at;
  sessions.worked = false;
  sessions.given = 0;
  sessions.archived = false;
}

void work_done(Sessions& sessions) {
  sessions.took += 1;
  sessions.left = 0;
}

void session_ended(Sessions& its, const AgentSpec& spec, const Ending& ending, bool locked_out,
                   WallTime at) {
  its.ended = at;
  its.unseen = Duration{0};
  its.archived = false;
  its.last = end_of(ending, locked_out);
  if (its.last == SessionEnd::unseen) return;
  const std::chrono::duration<double> lasted = its.began ? at - *its.began : Duration{};
  const bool success = its.worked && lasted.count() >= spec.recovery.success_s;
  if (its.last == SessionEnd::clean || success) its.crashes = its.starved = 0;
  if (its.last == SessionEnd::clean) its.idle = its.worked ? 0 : its.idle + 1;
  if (its.last == SessionEnd::crash || its.last == SessionEnd::memory) ++its.crashes;
  its.starved = its.last == SessionEnd::memory ? its.starved + 1 : 0;
}

void session_kept_in(Sessions& sessions, const std::string& transcript) {
  auto& all = sessions.transcripts;
  if (transcript.empty()) return;
  std::erase(all, transcript);
  all.push_back(transcript);
  if (all.size() > kTranscriptsKept) all.erase(all.begin());
}

Json to_json(const Sessions& sessions) {
  return Json::object({{"began", time_json(sessions.began)},
                       {"ended", time_json(sessions.ended)},
                       {"last", word(sessions.last)},
                       {"worked", sessions.worked},
                       {"archived", sessions.archived},
                       {"crashes", sessions.crashes},
                       {"starved", sessions.starved},
                       {"given", sessions.given},
                       {"took", sessions.took},
                       {"left", sessions.left},
                       {"idle", sessions.idle},
                       {"transcripts", sessions.transcripts},
                       {"unseen_us", int64_t{sessions.unseen.count()}}});
}

Sessions sessions_from(const Json& json) {
  Sessions out;
  out.began = time_from(json["began"]);
  out.ended = time_from(json["ended"]);
  for (size_t i = 0; i < kEndWords.size(); ++i)
    if (json["last"].as_string() == kEndWords[i]) out.last = static_cast<SessionEnd>(i);
  out.worked = json["worked"].as_bool();
  out.archived = json["archived"].as_bool();
  out.crashes = static_cast<int>(json["crashes"].as_int());
  out.starved = static_cast<int>(json["starved"].as_int());
  out.given = static_cast<int>(json["given"].as_int());
  out.took = static_cast<int>(json["took"].as_int());
  out.left = static_cast<int>(json["left"].as_int());
  out.idle = static_cast<int>(json["idle"].as_int());
  out.transcripts = json["transcripts"].as_strings();
  out.unseen = Duration{json["unseen_us"].as_int()};
  return out;
}

}  // namespace pawl::model
