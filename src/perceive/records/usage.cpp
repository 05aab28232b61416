#include "perceive/records/usage.h"

#include <algorithm>

#include "base/json.h"
#include "perceive/profile/price.h"

namespace pawl::perceive {
namespace {

constexpr Json::Limits kUsageLimits{5, 64, 256};
constexpr int64_t kMostTokens = int64_t{1} << 40;
constexpr size_t kDays = 64;  // in one reading; a file that names more of them is nonsense
constexpr const char* kSoFar = "so far";

Usage claude_usage(const Json& usage) {
  return {tokens(usage["input_tokens"]), tokens(usage["output_tokens"]),
          tokens(usage["cache_read_input_tokens"]), tokens(usage["cache_creation_input_tokens"]),
          tokens(usage["cache_creation"]["ephemeral_1h_input_tokens"])};
}

// What was cached is a part of its input.
Usage codex_usage(const Json& usage) {
  const int64_t read = tokens(usage["cached_input_tokens"]),
                written = tokens(usage["cache_write_input_tokens"]);
  return {std::max<int64_t>(0, tokens(usage["input_tokens"]) - read - written),
          tokens(usage["output_tokens"]), read, written, 0};
}

Usage more(const Usage& a, const Usage& b) {
  return {std::max(a.input, b.input), std::max(a.output, b.output),
          std::max(a.cache_read, b.cache_read), std::max(a.cache_write, b.cache_write),
          std::max(a.cache_hour, b.cache_hour)};
}

Usage difference(const Usage& a, const Usage& b) {
  return {a.input - b.input, a.output - b.output, a.cache_read - b.cache_read,
          a.cache_write - b.cache_write, a.cache_hour - b.cache_hour};
}

class Counter {
 public:
  Counter(const std::vector<std::string>& prices, std::optional<WallTime> since, UsageRead& out)
      : prices_(prices), since_(since), out_(out), begun_(out.mark.offset > 0) {}

  void line(const Json& line) {
    const std::string type = line["type"].as_string();
    const Json& payload = line["payload"];
    if (type == "turn_context" && payload["model"].is_string())
      out_.mark.model = payload["model"].as_string();
    WallTime time;
    if (!parse_rfc3339(line["timestamp"].as_string(), time)) return;
    if (type == "assistant" && line["message"]["usage"].is_object()) claude(line, time);
    if (type == "event_msg" && payload["type"].as_string() == "token_count" &&
        payload["info"]["total_token_usage"].is_object())
      codex(payload["info"], time);
  }

 private:
  // Each part of a message is a line with the count of the whole, which may still grow.
  void claude(const Json& line, WallTime time) {
    const Json& message = line["message"];
    const std::string model = message["model"].as_string();
    const std::string id = message["id"].as_string(line["uuid"].as_string());
    model::Counted* known = find(id);
    const Usage before = known ? known->usage : Usage{};
    const Usage now = more(before, claude_usage(message["usage"]));
    keep(id, now);
    if (line["costUSD"].is_number() && !known)
      return add(time, now.all(), std::max(0.0, line["costUSD"].as_double()));
    auto cost = cost_of(prices_, model, now);
    if (cost) cost = *cost - cost_of(prices_, model, before).value_or(0);
    add(time, difference(now, before).all(), cost);
  }

  // The sum of the conversation, told again and again. One that fell is another count.
  void codex(const Json& info, WallTime time) {
    const Usage sum = codex_usage(info["total_token_usage"]);
    const model::Counted* known = find(kSoFar);
    const bool grew = known ? sum.all() >= known->usage.all() : !begun_;
    const Usage step = grew ? difference(sum, known ? known->usage : Usage{})
                            : codex_usage(info["last_token_usage"]);
    keep(kSoFar, sum);
    add(time, step.all(), cost_of(prices_, out_.mark.model, step));
  }

  model::Counted* find(const std::string& id) {
    for (auto& one : out_.mark.last)
      if (one.id == id) return &one;
    return nullptr;
  }

  void keep(const std::string& id, const Usage& usage) {
    auto& last = out_.mark.last;
    std::erase_if(last, [&](const model::Counted& one) { return one.id == id; });
    last.push_back({id, usage});
    if (last.size() > model::kCountedKept) last.erase(last.begin());
  }

  void add(WallTime time, int64_t count, std::optional<double> cost) {
    if ((since_ && time < *since_) || count <= 0) return;
    const std::string day = model::day_of(time);
    auto it = std::find_if(out_.spent.begin(), out_.spent.end(),
                           [&](const model::Spent& one) { return one.day == day; });
    if (it == out_.spent.end()) {
      if (out_.spent.size() == kDays) return;
      it = out_.spent.insert(it, model::Spent{day});
    }
    it->tokens = std::min(it->tokens + count, kMostTokens);
    if (cost) it->cost_usd = it->cost_usd.value_or(0) + *cost;
  }

  const std::vector<std::string>& prices_;
  std::optional<WallTime> since_;
  UsageRead& out_;
  bool begun_;  // what came before was not counted by us
};

// Most of a transcript is snapshots and attachments: they are not even parsed.
bool may_tell(std::string_view line) {
  const auto has = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
  return (has(R"("usage")") && has(R"("type":"assistant")")) || has(R"("token_count")") ||
         has(R"("turn_context")");
}

}  // namespace

int64_t tokens(const Json& json) {
  return std::clamp<int64_t>(json.as_int(), 0, kMostTokens);
}

UsageRead read_usage(const std::vector<std::string>& prices, std::string_view bytes,
                     model::Mark from, std::optional<WallTime> since, bool full) {
  UsageRead out{std::move(from), {}};
  Counter counter(prices, since, out);
  const size_t size = bytes.size();
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    if (end == std::string_view::npos) break;  // still being written
    const std::string_view text = bytes.substr(0, end);
    if (may_tell(text))
      if (const auto line = Json::parse_shallow(text, kUsageLimits); line && line->is_object())
        counter.line(*line);
    bytes.remove_prefix(end + 1);
  }
  if (full && bytes.size() == size) bytes = {};
  out.mark.offset += size - bytes.size();
  std::sort(out.spent.begin(), out.spent.end(),
            [](const model::Spent& a, const model::Spent& b) { return a.day < b.day; });
  return out;
}

}  // namespace pawl::perceive
