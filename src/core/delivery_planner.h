#pragma once
// The part of planning that is about text on its way to an agent: outbox, gate, deliveries and their outcomes.

#include "core/plan_builder.h"

namespace pawl::core {

class DeliveryPlanner : public PlanBuilder {
 public:
  using PlanBuilder::PlanBuilder;

  void operator()(const SendAsked& ask);
  void operator()(const DropAsked& ask);
  void operator()(const DeliveryDue& due);
  void operator()(const AnswerAsked& ask);
  void operator()(const Delivered& seen);

 protected:
  // What is on its way is cut off by something else that happens to the agent: nobody will see its outcome.
  void cut_off(const Agent& agent, const std::string& why);
  // What waits in its outbox will not be typed for now: whoever waits for that is told.
  void dismiss(const Agent& agent, const std::string& why);
  // An earlier life of the daemon began it: look at what became of it.
  void take_up(const Agent& agent);
  // What is in the box was said to be ours, and a daemon that was started since does not know it again.
  static bool still_ours(const Agent& agent, const Perceived& seen);
  // A text of ours is in the box, and was not before: that closes it to everything that waits.
  void own_text_left(const Agent& agent, const Perceived& seen);

 private:
  void close(const Agent& agent, const model::Finished& fact, const act::Outcome& outcome);
  void tell(RequestId request, Receipt receipt);
};

}  // namespace pawl::core
