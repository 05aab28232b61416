#pragma once
// The part of planning that is about tasks: given, heard of, gone on with, ended.

#include "core/delivery_planner.h"

namespace pawl::core {

class TaskPlanner : public DeliveryPlanner {
 public:
  using DeliveryPlanner::DeliveryPlanner;
  using DeliveryPlanner::operator();

  void operator()(const TaskAsked& ask);
  void operator()(const TaskSpoke& said);
  void operator()(const GoOnAsked& ask);
  void operator()(const CancelAsked& ask);
  void operator()(const ResultRead& seen);

 protected:
  // A rule, or a person, ends the task: its program first, if there still is one.
  void end_task(const Agent& agent, const model::Decided& fact, RequestId request = {});
  // Nothing is left to do about an intent that ends a task, or stopped its program.
  // `how` its program ended, when that is known.
  void task_over(const Agent& agent, const model::Intent& intent,
                 const std::optional<model::Ending>& how);

 private:
  void ended(const Agent& agent, const model::Decided& by, const std::optional<model::Ending>& how);
};

}  // namespace pawl::core
