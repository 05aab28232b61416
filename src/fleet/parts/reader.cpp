#include "fleet/parts/reader.h"

#include <algorithm>

#include "fleet/bus_names.h"

namespace pawl::fleet {
namespace {

enum ReaderAsks { kNewestOfAll, kFollowAll };

}  // namespace

void Reader::link_changed() {
  follow_ = 0;
  again_.reset();
  if (desk_.up && desk_.options.follow_events) again_ = desk_.mono();
}

void Reader::reply(const Question& question, const BusReply& reply) {
  if (!desk_.up) return;
  const bool known = reply.end == BusEnd::done || reply.end == BusEnd::missing;
  if (question.what == kNewestOfAll && known) {
    if (at_ > reply.revision) at_ = 0;  // the store was made anew: we begin anew as well
    follow_ = desk_.ask({.op = BusOp::follow, .subject = "events.>", .revision = at_},
                        {Part::reader, kFollowAll});
    return;
  }
  if (reply.end == BusEnd::done) return;
  follow_ = 0;
  again_ = desk_.mono() + kFollowsAgain;
}

bool Reader::message(const BusMessage& message) {
  if (follow_ == 0 || message.follow != follow_) return false;
  if (message.sequence <= at_ && at_ != 0) return true;
  at_ = message.sequence;
  const auto value = Json::parse(message.value);
  if (!value || !value->is_object()) return true;
  const size_t dot = message.subject.find('.', sizeof "events." - 1);
  if (!message.subject.starts_with("events.") || dot == std::string::npos) return true;
  RemoteEvent event;
  event.node = message.subject.substr(sizeof "events." - 1, dot - (sizeof "events." - 1));
  if (event.node == desk_.options.node || !valid_node(event.node)) return true;
  event.id = (*value)["id"].as_string();
  event.sequence = static_cast<uint64_t>((*value)["seq"].as_int());
  event.agent = (*value)["agent"].as_string();
  event.value = (*value)["event"].dump();
  if (!writers_.contains(event.node) && writers_.size() >= kMostWriters) return true;
  const auto after = static_cast<uint64_t>((*value)["after"].as_int());
  Writer& writer = writers_[event.node];
  const auto floor = static_cast<uint64_t>((*value)["floor"].as_int());
  took(writer, {std::move(event), after, floor, desk_.mono()});
  return true;
}

void Reader::took(Writer& writer, Held next) {
  if (writer.id != next.event.id) {  // another journal begins
    writer = {};
    writer.id = next.event.id;
  }
  writer.floor = std::max(writer.floor, next.floor);
  if (writer.begun && next.event.sequence <= writer.last) return give_all(writer);
  writer.held.emplace(next.event.sequence, std::move(next));
  give_all(writer);
  while (writer.held.size() > kHeldEvents) {
    give(writer, std::move(writer.held.extract(writer.held.begin()).mapped()));
    give_all(writer);
  }
  if (!writer.held.empty()) look_ = earlier(look_, desk_.mono() + kHoldsEvents);
}

void Reader::give(Writer& writer, Held held) {
  if (writer.begun && held.after > writer.last) held.event.missed = held.after - writer.last;
  writer.begun = true;
  writer.last = held.event.sequence;
  desk_.order(std::move(held.event));
}

// Those that have nothing to wait for. Where we come in there is nothing either.
void Reader::give_all(Writer& writer) {
  while (!writer.held.empty()) {
    const auto first = writer.held.begin();
    if (writer.begun && first->second.after > std::max(writer.last, writer.floor)) return;
    give(writer, std::move(writer.held.extract(first).mapped()));
  }
}

void Reader::step() {
  if (again_ && desk_.up && desk_.mono() >= *again_) {
    again_.reset();
    desk_.ask({.op = BusOp::last, .subject = "events.>"}, {Part::reader, kNewestOfAll});
  }
  if (!look_ || desk_.mono() < *look_) return;
  look_.reset();
  for (auto& [node, writer] : writers_) {
    while (!writer.held.empty() &&
           writer.held.begin()->second.since + kHoldsEvents <= desk_.mono()) {
      give(writer, std::move(writer.held.extract(writer.held.begin()).mapped()));
      give_all(writer);
    }
    if (!writer.held.empty())
      look_ = earlier(look_, writer.held.begin()->second.since + kHoldsEvents);
  }
}

std::optional<MonoTime> Reader::wake_at() const {
  return desk_.up ? earlier(again_, look_) : look_;
}

}  // namespace pawl::fleet
