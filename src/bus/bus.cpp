#include "bus/bus.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include "base/text.h"
#include "fleet/bus_names.h"

namespace pawl::bus {
namespace {

using fleet::BusEnd;
using fleet::BusOp;
using fleet::Wildcards;

constexpr int kNobodyThere = 503;
constexpr int64_t kNotThatRevision = 10071, kNoMessage = 10037;
constexpr const char* kExpected = "Nats-Expected-Last-Subject-Sequence";
constexpr const char* kDeleted = "KV-Operation";

uint64_t number_in(const Json& value) {
  return static_cast<uint64_t>(std::max<int64_t>(0, value.as_int()));
}

// Of a stored message's headers.
bool says_removed(const Json& message) {
  const auto headers = from_base64(message["hdrs"].as_string());
  return headers && (headers->find("KV-Operation: DEL") != std::string::npos ||
                     headers->find("KV-Operation: PURGE") != std::string::npos);
}

}  // namespace

void Bus::ask(const Ask& ask, uint64_t link) {
  if (!up_ || link != link_) return;  // told as unknown where it was asked
  if (!fits(ask)) return;
  switch (ask.op) {
    case BusOp::create:
      return create(ask);
    case BusOp::put:
      return put(ask);
    case BusOp::update:
      return update(ask);
    case BusOp::remove:
      return remove(ask);
    case BusOp::get:
      return get(ask);
    case BusOp::publish:
      return publish(ask);
    case BusOp::last:
      return last(ask);
    case BusOp::follow:
      return follows_.follow(ask);
    case BusOp::unfollow:
      return unfollow(ask);
    case BusOp::request:
      return request(ask);
    case BusOp::answer:
      return answer(ask);
    case BusOp::take:
      return takes_.take(ask);
    case BusOp::done:
      return takes_.done(ask);
    case BusOp::back:
      return takes_.back(ask);
  }
}

bool Bus::fits(const Ask& ask) {
  bool good = true;
  std::string named = ask.key;
  switch (ask.op) {
    case BusOp::create:
    case BusOp::put:
    case BusOp::update:
    case BusOp::remove:
    case BusOp::get:
      good = fleet::valid_key(ask.key);
      break;
    case BusOp::publish:
      named = ask.subject;
      good = fleet::valid_subject(ask.subject, Wildcards::none) &&
             stream_with(join_.fleet, ask.subject).has_value() &&
             (ask.message_id.empty() || fleet::valid_key(ask.message_id));
      break;
    case BusOp::request:
      named = ask.subject;
      good = fleet::valid_subject(ask.subject, Wildcards::none) &&
             ask.subject.starts_with("cmd.") && ask.subject.ends_with("." + join_.node);
      break;
    case BusOp::last:
      named = ask.subject;
      good = fleet::valid_subject(ask.subject, Wildcards::some) &&
             stream_with(join_.fleet, ask.subject).has_value();
      break;
    case BusOp::follow:
    case BusOp::unfollow:
    case BusOp::answer:
    case BusOp::take:
    case BusOp::done:
    case BusOp::back:
      break;
  }
  if (!good) reply(ask, BusEnd::refused, "\"" + named + "\" is nothing that the bus has");
  return good;
}

void Bus::unfollow(const Ask& ask) {
  uint64_t id = 0;
  std::from_chars(ask.key.data(), ask.key.data() + ask.key.size(), id);
  follows_.unfollow(id);
  reply(ask, BusEnd::done);
}

std::string Bus::subject_of(const Ask& ask) const {
  return fleet::bucket_subject(join_.fleet, ask.bucket, ask.key);
}

// A message for a stream, and the server's word that it is kept.
void Bus::store(const Ask& ask, const std::string& subject, const Headers& headers,
                std::function<void(const Answer&)> then) {
  if (questions_.ask(subject, headers, ask.value, ask.limit, std::move(then)) == 0)
    lose({"the connection to the bus broke", "pawl tries again by itself"}, false);
}

void Bus::stored(const Ask& ask, const Answer& answer, BusEnd when_newer) {
  switch (answer.how) {
    case Answer::How::late:
      return reply(ask, BusEnd::unknown, "the bus did not answer in time");
    case Answer::How::denied:
      return reply(ask, BusEnd::refused, "the bus does not let this node do that");
    case Answer::How::too_large:
      return reply(ask, BusEnd::refused, "it is larger than the bus takes");
    case Answer::How::came:
      break;
  }
  if (answer.heard.status == kNobodyThere)
    return reply(ask, BusEnd::unknown, "nobody keeps this at the moment");
  auto json = Json::parse(answer.heard.value);
  if (!json) return reply(ask, BusEnd::unknown, "the bus's answer makes no sense");
  const auto refusal = refusal_in(*json);
  if (!refusal) return reply(ask, BusEnd::done, "", number_in((*json)["seq"]));
  if (refusal->code == kNotThatRevision) return reply(ask, when_newer, "somebody else was first");
  reply(ask, BusEnd::refused, sentence_of(*refusal));
}

void Bus::create(const Ask& ask) {
  create_at(ask, 0, kCreates);
}

// What was removed left a mark behind, and "nothing is there" means that mark's revision then.
void Bus::create_at(const Ask& ask, uint64_t revision, int tries) {
  store(ask, subject_of(ask), {{kExpected, std::to_string(revision)}},
        [this, ask, tries](const Answer& answer) {
          auto json = Json::parse(answer.heard.value);
          const auto refusal = json ? refusal_in(*json) : std::nullopt;
          if (!refusal || refusal->code != kNotThatRevision)
            return stored(ask, answer, BusEnd::taken);
          if (tries == 1) return reply(ask, BusEnd::taken, "others write it all the time");
          look_up(ask, fleet::bucket_stream(join_.fleet, ask.bucket), subject_of(ask),
                  [this, ask, tries](const Json& message) {
                    if (message.is_null()) return create_at(ask, 0, tries - 1);
                    if (says_removed(message))
                      return create_at(ask, number_in(message["seq"]), tries - 1);
                    reply(ask, BusEnd::taken, "it is there already", number_in(message["seq"]),
                          from_base64(message["data"].as_string()).value_or(""));
                  });
        });
}

void Bus::put(const Ask& ask) {
  store(ask, subject_of(ask), {},
        [this, ask](const Answer& answer) { stored(ask, answer, BusEnd::stale); });
}

void Bus::update(const Ask& ask) {
  store(ask, subject_of(ask), {{kExpected, std::to_string(ask.revision)}},
        [this, ask](const Answer& answer) { stored(ask, answer, BusEnd::stale); });
}

void Bus::remove(const Ask& ask) {
  Headers headers = {{kDeleted, "DEL"}};
  if (ask.revision != 0) headers.emplace_back(kExpected, std::to_string(ask.revision));
  Ask bare = ask;
  bare.value.clear();
  store(bare, subject_of(ask), headers,
        [this, ask](const Answer& answer) { stored(ask, answer, BusEnd::stale); });
}

// `found` is called with null when there is none; what goes wrong is replied here.
void Bus::look_up(const Ask& ask, const std::string& stream, const std::string& subject,
                  std::function<void(const Json& message)> found) {
  const std::string wish = Json::object({{"last_by_subj", subject}}).dump();
  const uint64_t number = questions_.ask(
      "$JS.API.STREAM.MSG.GET." + stream, {}, wish, ask.limit,
      [this, ask, found = std::move(found)](const Answer& answer) {
        auto json = Json::parse(answer.heard.value);
        if (answer.how == Answer::How::denied)
          return reply(ask, BusEnd::refused, "the bus does not let this node read that");
        if (answer.how != Answer::How::came || answer.heard.status != 0 || !json)
          return reply(ask, BusEnd::unknown, "the bus did not answer in time");
        const auto refusal = refusal_in(*json);
        if (!refusal) return found((*json)["message"]);
        if (refusal->code == kNoMessage) return found(Json());
        reply(ask, BusEnd::unknown, sentence_of(*refusal));
      });
  if (number == 0) lose({"the connection to the bus broke", "pawl tries again by itself"}, false);
}

void Bus::get(const Ask& ask) {
  look_up(ask, fleet::bucket_stream(join_.fleet, ask.bucket), subject_of(ask),
          [this, ask](const Json& message) {
            const uint64_t revision = number_in(message["seq"]);
            if (message.is_null() || says_removed(message))
              return reply(ask, BusEnd::missing, "", revision);
            auto value = from_base64(message["data"].as_string());
            if (!value || value->size() > fleet::kMaxBusValue)
              return reply(ask, BusEnd::refused, "what is there could not be used", revision);
            reply(ask, BusEnd::done, "", revision, std::move(*value));
          });
}

void Bus::publish(const Ask& ask) {
  Headers headers;
  if (!ask.message_id.empty()) headers.emplace_back("Nats-Msg-Id", ask.message_id);
  store(ask, fleet::subject_on_bus(join_.fleet, ask.subject), headers,
        [this, ask](const Answer& answer) { stored(ask, answer, BusEnd::stale); });
}

void Bus::last(const Ask& ask) {
  const auto stream = stream_with(join_.fleet, ask.subject);
  if (stream->queue) return reply(ask, BusEnd::refused, "a queue is not looked into");
  look_up(ask, stream->name, fleet::subject_on_bus(join_.fleet, ask.subject),
          [this, ask](const Json& message) {
            if (message.is_null()) return reply(ask, BusEnd::missing);
            auto value = from_base64(message["data"].as_string());
            if (!value || value->size() > fleet::kMaxBusValue)
              return reply(ask, BusEnd::refused, "what is there could not be used",
                           number_in(message["seq"]));
            reply(ask, BusEnd::done, "", number_in(message["seq"]), std::move(*value));
          });
}

void Bus::request(const Ask& ask) {
  store(ask, fleet::subject_on_bus(join_.fleet, ask.subject), {},
        [this, ask](const Answer& answer) {
          if (answer.how != Answer::How::came) return stored(ask, answer, BusEnd::stale);
          if (answer.heard.status == kNobodyThere)
            return reply(ask, BusEnd::missing, "that node does not listen");
          if (answer.heard.busy)
            return reply(ask, BusEnd::refused, "that node has too many questions at once");
          if (answer.heard.value.size() > fleet::kMaxBusValue)
            return reply(ask, BusEnd::unknown, "its answer is too large");
          reply(ask, BusEnd::done, "", 0, answer.heard.value);
        });
}

void Bus::answer(const Ask& ask) {
  uint64_t number = 0;
  const std::string_view token = ask.key;
  if (token.starts_with('a'))
    std::from_chars(token.data() + 1, token.data() + token.size(), number);
  const auto found = asked_.find(number);
  if (found == asked_.end()) return reply(ask, BusEnd::missing, "nobody waits for it any more");
  if (line_.send(found->second.reply, "", {}, ask.value) == Sent::too_large)
    return reply(ask, BusEnd::refused, "it is larger than the bus takes");
  asked_.erase(found);
  reply(ask, BusEnd::done);
}

}  // namespace pawl::bus
