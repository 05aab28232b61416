#include "fleet/parts/commands.h"

#include <fmt/core.h>

#include "base/text.h"
#include "fleet/bus_names.h"

namespace pawl::fleet {

void Commands::ask(uint64_t ticket, const std::string& node, std::string verb, Duration limit) {
  VerbAnswered no{.ticket = ticket};
  if (!desk_.up)
    no.because = "the fleet's bus is not reached";
  else if (!presence_.find(node))
    no.because = fmt::format("the fleet has no node named {}", node);
  else if (!presence_.online(node))
    no.because = fmt::format("{} is offline", node);
  else if (open_ >= kMostQuestions)
    no.because = "too many questions at once: try again";
  else if (verb.size() > kMostVerbBytes)
    no.because = "it is too large to be sent";
  if (!no.because.empty()) return desk_.order(std::move(no));
  ++open_;
  desk_.ask({.op = BusOp::request,
             .subject = fmt::format("cmd.{}.{}", node, desk_.options.node),
             .value = std::move(verb),
             .limit = limit},
            {Part::commands, 0, node, ticket});
}

void Commands::reply(const Question& question, const BusReply& reply) {
  if (open_ > 0) --open_;
  VerbAnswered out{.ticket = question.number};
  switch (reply.end) {
    case BusEnd::done:
      out.answered = true;
      out.value = reply.value;
      break;
    case BusEnd::unknown:
      out.may_be_done = true;
      out.because =
          fmt::format("{} did not answer in time: it may have been done or not", question.key);
      break;
    case BusEnd::missing:
      out.because = fmt::format("{} does not listen", question.key);
      break;
    case BusEnd::taken:
    case BusEnd::stale:
    case BusEnd::refused:
      out.because = fmt::format("the fleet's server does not allow it: {}", reply.because);
      break;
  }
  desk_.order(std::move(out));
}

void Commands::refuse(const std::string& token, const std::string& because) {
  const Json error = Json::object({{"message", because}, {"exit_code", 1}});
  desk_.tell({.op = BusOp::answer,
              .key = token,
              .value = Json::object({{"version", 1}, {"error", error}}).dump()});
}

void Commands::asked(const BusAsked& asked) {
  const auto parts = split(asked.subject, '.');
  if (parts.size() != 3 || parts[0] != "cmd" || parts[1] != desk_.options.node ||
      !valid_node(parts[2]) || asked_.contains(asked.token))
    return;
  if (asked_.size() >= kMostAsked)
    return refuse(asked.token, "this node is asked too much at once");
  if (asked.value.size() > kMostVerbBytes) return refuse(asked.token, "the question is too large");
  asked_[asked.token] = desk_.mono();
  late_.set(asked.token, desk_.mono() + kAnswersAsked);
  desk_.order(VerbAsked{asked.token, parts[2], asked.value});
}

// An answer that is too late, or of before the link broke, has nobody to go to.
void Commands::answered(const std::string& token, std::string value) {
  if (asked_.erase(token) == 0) return;
  late_.drop(token);
  if (value.size() > kMostVerbBytes) return refuse(token, "the answer is too large to be sent");
  desk_.tell({.op = BusOp::answer, .key = token, .value = std::move(value)});
}

void Commands::step() {
  for (const auto& token : late_.due(desk_.mono())) {
    asked_.erase(token);
    late_.drop(token);
  }
}

}  // namespace pawl::fleet
