#include "bus/follows.h"

#include "fleet/bus_names.h"
#include "fleet/bus_wire.h"

namespace pawl::bus {
namespace {

using fleet::Bucket;
using fleet::BusEnd;
using fleet::BusReply;

constexpr Bucket kWatched[] = {Bucket::nodes, Bucket::agents, Bucket::work, Bucket::leases,
                               Bucket::accounts};

BusReply refused(uint64_t id, std::string because) {
  return {id, BusEnd::refused, 0, "", std::move(because)};
}

}  // namespace

Follows::Follows(os::Loop& loop, Line& line, Questions& questions, Events events)
    : loop_(loop), line_(line), questions_(questions), events_(std::move(events)) {}

void Follows::begin(const std::string& fleet) {
  clear();
  fleet_ = fleet;
  for (const Bucket bucket : kWatched) watch(bucket);
}

void Follows::clear() {
  by_channel_.clear();
  channel_of_.clear();
  told_.clear();
}

void Follows::start(uint64_t id, Reading::Plan plan, Reading::Events events) {
  const uint64_t channel = next_++;
  if (id != 0) channel_of_[id] = channel;
  by_channel_.emplace(channel, std::make_unique<Reading>(loop_, line_, questions_, channel,
                                                         std::move(plan), std::move(events)));
}

void Follows::watch(Bucket bucket) {
  start(0,
        {fleet::bucket_stream(fleet_, bucket), fleet::bucket_subject(fleet_, bucket, ">"),
         From::newest_of_each},
        {nullptr,
         [this, bucket](const Heard& heard, uint64_t sequence) { entry(bucket, heard, sequence); },
         [this, bucket] { events_.news(fleet::BusCaughtUp{bucket}); }, events_.failed});
}

// Garbage that nobody of ours could have written is not told on, and is a gap.
void Follows::entry(Bucket bucket, const Heard& heard, uint64_t sequence) {
  const std::string prefix = fleet::bucket_subject(fleet_, bucket, "");
  if (!heard.subject.starts_with(prefix) || heard.value.size() > fleet::kMaxBusValue) return;
  fleet::BusEntry entry{bucket, heard.subject.substr(prefix.size()), heard.value, sequence,
                        heard.removed};
  if (!fleet::valid_key(entry.key)) return;
  if (entry.removed) entry.value.clear();
  uint64_t& told = told_[bucket];
  entry.gap = told != 0 && sequence != told + 1;
  told = sequence;
  events_.news(std::move(entry));
}

// How far the stream is comes first: behind what was kept by a server that lost everything, nothing would ever come.
void Follows::follow(const fleet::BusAsk& ask) {
  const auto stream = stream_with(fleet_, ask.subject);
  if (ask.id == 0 || !stream || stream->queue ||
      !fleet::valid_subject(ask.subject, fleet::Wildcards::some))
    return events_.news(refused(ask.id, "\"" + ask.subject + "\" cannot be followed"));
  if (channel_of_.contains(ask.id) || channel_of_.size() >= kMaxFollows)
    return events_.news(refused(ask.id, "too much is followed already"));
  channel_of_[ask.id] = 0;
  questions_.ask("$JS.API.STREAM.INFO." + stream->name, {}, "", ask.limit,
                 [this, ask, stream](const Answer& answer) {
                   if (!channel_of_.contains(ask.id)) return;
                   auto json = Json::parse(answer.heard.value);
                   const Json& last = json ? (*json)["state"]["last_seq"] : Json();
                   if (last.is_integer())
                     return read(ask, *stream, static_cast<uint64_t>(last.as_int()));
                   channel_of_.erase(ask.id);
                   events_.news(BusReply{ask.id, BusEnd::unknown, 0, "", "the bus did not answer"});
                 });
}

void Follows::read(const fleet::BusAsk& ask, const Stream& stream, uint64_t last) {
  Reading::Plan plan{stream.name, fleet::subject_on_bus(fleet_, ask.subject), From::now};
  std::string because;
  if (ask.revision != 0) {
    plan.from = From::after;
    plan.after = ask.revision;
    if (ask.revision > last) {
      plan.after = 0;
      because = "the bus has begun anew: all it has is told";
    }
  }
  const std::string prefix = fleet::subject_on_bus(fleet_, "");
  start(ask.id, std::move(plan),
        {[this, id = ask.id, because](uint64_t after) {
           events_.news(BusReply{id, BusEnd::done, after, "", because});
         },
         [this, id = ask.id, prefix](const Heard& heard, uint64_t sequence) {
           if (!heard.subject.starts_with(prefix) || heard.value.size() > fleet::kMaxBusValue)
             return;
           const std::string subject = heard.subject.substr(prefix.size());
           if (!fleet::valid_subject(subject, fleet::Wildcards::none)) return;
           events_.news(fleet::BusMessage{id, sequence, subject, heard.value});
         },
         nullptr, events_.failed});
}

void Follows::unfollow(uint64_t id) {
  const auto found = channel_of_.find(id);
  if (found == channel_of_.end()) return;
  by_channel_.erase(found->second);
  channel_of_.erase(found);
}

bool Follows::heard(const Heard& heard) {
  const auto found = by_channel_.find(heard.channel);
  if (found == by_channel_.end()) return false;
  found->second->heard(heard);
  return true;
}

}  // namespace pawl::bus
