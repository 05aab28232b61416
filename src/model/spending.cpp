#include "model/spending.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/civil.h"
#include "model/time_json.h"

namespace pawl::model {
namespace {

constexpr int64_t kMostTokens = int64_t{1} << 60;
constexpr double kMostUsd = 1e12;

int64_t sum(int64_t a, int64_t b) {
  return std::clamp<int64_t>(a + std::clamp(b, -kMostTokens, kMostTokens), 0, kMostTokens);
}

double sum(double a, double b) {
  const double out = a + b;
  return std::isfinite(out) ? std::clamp(out, 0.0, kMostUsd) : a;
}

Json to_json(const Counted& one) {
  const Usage& its = one.usage;
  Json usage = Json::array();
  for (const int64_t number :
       {its.input, its.output, its.cache_read, its.cache_write, its.cache_hour})
    usage.push(number);
  return Json::object({{"id", one.id}, {"usage", std::move(usage)}});
}

Counted counted_from(const Json& json) {
  Counted out{json["id"].as_string(), {}};
  const auto& numbers = json["usage"].items();
  size_t at = 0;
  for (int64_t* field : {&out.usage.input, &out.usage.output, &out.usage.cache_read,
                         &out.usage.cache_write, &out.usage.cache_hour})
    if (at < numbers.size()) *field = numbers[at++].as_int();
  return out;
}

Json to_json(const Mark& mark) {
  Json last = Json::array();
  for (const auto& one : mark.last) last.push(to_json(one));
  return Json::object({{"file", mark.file},
                       {"offset", mark.offset},
                       {"model", mark.model},
                       {"last", std::move(last)},
                       {"at", time_json(mark.at)}});
}

Mark mark_from(const Json& json) {
  Mark out{json["file"].as_string(),
           static_cast<uint64_t>(json["offset"].as_int()),
           json["model"].as_string(),
           {},
           time_from(json["at"])};
  for (const Json& one : json["last"].items()) out.last.push_back(counted_from(one));
  return out;
}

Json usd(const std::optional<double>& cost) {
  return cost ? Json(*cost) : Json();
}

std::optional<double> usd_from(const Json& json) {
  return json.is_number() ? std::optional(json.as_double()) : std::nullopt;
}

void keep(Spending& spending, Mark mark, WallTime at) {
  auto& marks = spending.marks;
  std::erase_if(marks, [&](const Mark& one) { return one.file == mark.file; });
  mark.at = at;
  marks.push_back(std::move(mark));
  if (marks.size() <= kMarksKept) return;
  spending.forgotten = marks.front().at;
  marks.erase(marks.begin());
}

}  // namespace

std::string day_of(WallTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
  const Civil civil = civil_of_seconds(seconds);
  return fmt::format("{:04}-{:02}-{:02}", civil.year, civil.month, civil.day);
}

WallTime next_day(WallTime time) {
  constexpr std::chrono::hours kDay{24};
  return WallTime{std::chrono::floor<std::chrono::days>(time.time_since_epoch()) + kDay};
}

// A file that says tomorrow must not begin that day: then today's budget would be forgotten.
void spend(Spending& spending, const Spent& spent, WallTime at) {
  const std::string day = std::min(spent.day, day_of(at));
  if (day > spending.day) {
    spending.day = day;
    spending.tokens = 0;
    spending.cost_usd.reset();
    spending.told_soft = spending.told_hard = spending.told_unpriced = false;
  }
  if (day == spending.day) {
    spending.tokens = sum(spending.tokens, spent.tokens);
    if (spent.cost_usd) spending.cost_usd = sum(spending.cost_usd.value_or(0), *spent.cost_usd);
  }
  spending.all_tokens = sum(spending.all_tokens, spent.tokens);
  spending.all_cost_usd = sum(spending.all_cost_usd, spent.cost_usd.value_or(0));
  if (!spent.mark.file.empty()) keep(spending, spent.mark, at);
}

void told_of_budget(Spending& spending, BudgetMark mark) {
  switch (mark) {
    case BudgetMark::soft:
      spending.told_soft = true;
      break;
    case BudgetMark::hard:
      spending.told_hard = true;
      break;
    case BudgetMark::unpriced:
      spending.told_unpriced = true;
      break;
  }
}

const Mark* mark_of(const Spending& spending, const std::string& file) {
  for (const auto& mark : spending.marks)
    if (mark.file == file) return &mark;
  return nullptr;
}

Today today(const Spending& spending, WallTime now) {
  if (spending.day != day_of(now)) return {};
  return {spending.tokens, spending.cost_usd};
}

double used_of(const Budget& budget, const Today& today) {
  double used = 0;
  if (budget.tokens_per_day > 0)
    used = static_cast<double>(today.tokens) / static_cast<double>(budget.tokens_per_day);
  if (budget.cost_per_day_usd > 0)
    used = std::max(used, today.cost_usd.value_or(0) / budget.cost_per_day_usd);
  return used;
}

Json to_json(const Spent& spent) {
  Json out = Json::object(
      {{"day", spent.day}, {"tokens", spent.tokens}, {"cost_usd", usd(spent.cost_usd)}});
  if (!spent.mark.file.empty()) out.set("mark", to_json(spent.mark));
  return out;
}

Spent spent_from(const Json& json) {
  return {json["day"].as_string(), json["tokens"].as_int(), usd_from(json["cost_usd"]),
          mark_from(json["mark"])};
}

Json to_json(const Spending& spending) {
  Json marks = Json::array();
  for (const auto& mark : spending.marks) marks.push(to_json(mark));
  return Json::object({{"day", spending.day},
                       {"tokens", spending.tokens},
                       {"cost_usd", usd(spending.cost_usd)},
                       {"all_tokens", spending.all_tokens},
                       {"all_cost_usd", spending.all_cost_usd},
                       {"told_soft", spending.told_soft},
                       {"told_hard", spending.told_hard},
                       {"told_unpriced", spending.told_unpriced},
                       {"marks", std::move(marks)},
                       {"forgotten", time_json(spending.forgotten)}});
}

Spending spending_from(const Json& json) {
  Spending out;
  out.day = json["day"].as_string();
  out.tokens = json["tokens"].as_int();
  out.cost_usd = usd_from(json["cost_usd"]);
  out.all_tokens = json["all_tokens"].as_int();
  out.all_cost_usd = json["all_cost_usd"].as_double();
  out.told_soft = json["told_soft"].as_bool();
  out.told_hard = json["told_hard"].as_bool();
  out.told_unpriced = json["told_unpriced"].as_bool();
  for (const Json& mark : json["marks"].items()) out.marks.push_back(mark_from(mark));
  out.forgotten = time_from(json["forgotten"]);
  return out;
}

}  // namespace pawl::model
