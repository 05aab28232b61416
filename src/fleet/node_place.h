#pragma once
// The fleet's other nodes as places (api/place.h): whatever can be done at a machine by ssh can be done there. What is said goes as
// questions over the bus (talk_ends.h); the other node's FarDesk answers.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/place.h"
#include "fleet/member_values.h"
#include "fleet/talk_ends.h"

namespace pawl::fleet {

class NodeTalks;

// A conversation with one node. To let go of it is to hang up.
class NodeTalk : public api::Talk {
 public:
  NodeTalk(NodeTalks& all, std::string id, std::string node, std::string who);
  ~NodeTalk() override;
  NodeTalk(const NodeTalk&) = delete;
  NodeTalk& operator=(const NodeTalk&) = delete;

  void say(std::string_view frames) override;
  std::string hear() override;
  std::optional<Error> over() const override { return end_.over(); }

  NearEnd& end() { return end_; }
  const std::string& node() const { return node_; }

 private:
  NodeTalks& all_;
  std::string id_, node_;
  NearEnd end_;
};

// All conversations of this daemon with other nodes. It lives longer than each of them.
class NodeTalks {
 public:
  // `soon`: there is something to ask, or something was heard. Ids begin with `life`: no other life of a daemon has had them.
  NodeTalks(std::string life, std::function<void()> soon)
      : life_(std::move(life)), soon_(std::move(soon)) {}

  std::unique_ptr<api::Talk> open(const std::string& node, const std::string& from);

  struct Question {
    uint64_t ticket;
    std::string node, value;
    Duration limit;
  };
  std::vector<Question> take_questions();
  // No value: no answer came. `refused`: and none will.
  void answered(uint64_t ticket, const std::optional<std::string>& value,
                const std::string& refused);
  // Nobody carries them any more.
  void end_all(const Error& why);
  size_t open_talks() const { return talks_.size(); }

 private:
  friend class NodeTalk;
  struct Asked {
    std::string id;
    NearEnd::What what;
  };
  std::string life_;
  std::function<void()> soon_;
  uint64_t last_id_ = 0, last_ticket_ = 0;
  std::map<std::string, NodeTalk*> talks_;
  std::map<uint64_t, Asked> asked_;
  std::vector<Question> byes_;
};

class NodePlace : public api::Place {
 public:
  NodePlace(NodeTalks& talks, std::string name) : talks_(talks), name_(std::move(name)) {}

  // As the member sees it now; `agents` only when they are others than before.
  void see(const NodeSeen& seen, const std::string& because);
  void see_agents(std::vector<Json> agents);

  api::Standing standing() const override { return standing_; }
  const std::vector<Json>& agents() const override { return agents_; }
  uint64_t told() const override { return told_; }
  std::unique_ptr<api::Talk> talk(const std::string& from) override {
    return talks_.open(name_, from);
  }

 private:
  NodeTalks& talks_;
  std::string name_;
  api::Standing standing_;
  std::vector<Json> agents_;
  uint64_t told_ = 0;
};

}  // namespace pawl::fleet
