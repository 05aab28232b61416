#include "fleet/node_place.h"

#include <fmt/core.h>

namespace pawl::fleet {
namespace {

// "laptop/agent docs": which machine that is, the bus vouches for.
std::string who_of(const std::string& from) {
  const size_t slash = from.find('/');
  return slash == std::string::npos ? from : from.substr(slash + 1);
}

}  // namespace

NodeTalk::NodeTalk(NodeTalks& all, std::string id, std::string node, std::string who)
    : all_(all), id_(id), node_(std::move(node)), end_(std::move(id), std::move(who)) {
  all_.talks_[id_] = this;
}

NodeTalk::~NodeTalk() {
  all_.talks_.erase(id_);
  if (!end_.over()) all_.byes_.push_back({0, node_, end_.bye(), kTalkWithin});
  all_.soon_();
}

void NodeTalk::say(std::string_view frames) {
  end_.say(frames);
  all_.soon_();
}

// There is room again for more.
std::string NodeTalk::hear() {
  std::string out = end_.hear();
  if (!out.empty()) all_.soon_();
  return out;
}

std::unique_ptr<api::Talk> NodeTalks::open(const std::string& node, const std::string& from) {
  return std::make_unique<NodeTalk>(*this, fmt::format("{}-{}", life_, ++last_id_), node,
                                    who_of(from));
}

std::vector<NodeTalks::Question> NodeTalks::take_questions() {
  std::vector<Question> out = std::exchange(byes_, {});
  for (auto& bye : out) bye.ticket = ++last_ticket_;  // nobody waits for what becomes of it
  for (const auto& [id, talk] : talks_) {
    while (auto question = talk->end().next()) {
      asked_[++last_ticket_] = {id, question->what};
      out.push_back({last_ticket_, talk->node(), std::move(question->value), question->limit});
    }
  }
  return out;
}

void NodeTalks::answered(uint64_t ticket, const std::optional<std::string>& value,
                         const std::string& refused) {
  const auto asked = asked_.find(ticket);
  if (asked == asked_.end()) return;
  const auto talk = talks_.find(asked->second.id);
  const NearEnd::What what = asked->second.what;
  asked_.erase(asked);
  if (talk == talks_.end()) return;
  talk->second->end().answered(what, value);
  if (!value && !refused.empty()) talk->second->end().end({refused, "try again"});
  soon_();
}

void NodeTalks::end_all(const Error& why) {
  for (const auto& [id, talk] : talks_) talk->end().end(why);
  asked_.clear();
  byes_.clear();
  if (!talks_.empty()) soon_();
}

void NodePlace::see(const NodeSeen& seen, const std::string& because) {
  standing_ = {seen.online, seen.since, because, seen.version, std::nullopt};
}

void NodePlace::see_agents(std::vector<Json> agents) {
  agents_ = std::move(agents);
  ++told_;
}

}  // namespace pawl::fleet
