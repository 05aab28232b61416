#include "perceive/profile/patterns.h"

#include <fmt/core.h>
#include <re2/re2.h>
#include <re2/set.h>

namespace pawl::perceive {
namespace {

RE2::Options options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(8 << 20);
  return options;
}

}  // namespace

struct Patterns::Compiled {
  RE2::Set set{options(), RE2::UNANCHORED};
  std::vector<std::unique_ptr<RE2>> each;
};

Patterns::Patterns() : compiled_(std::make_unique<Compiled>()) {}
Patterns::Patterns(Patterns&&) noexcept = default;
Patterns& Patterns::operator=(Patterns&&) noexcept = default;
Patterns::~Patterns() = default;

Result<int> Patterns::add(const std::string& pattern) {
  if (pattern.size() > kMaxPatternBytes)
    return fail(fmt::format("the pattern is longer than {} bytes", kMaxPatternBytes));
  if (texts_.size() == kMaxPatterns)
    return fail(fmt::format("more than {} patterns", kMaxPatterns));
  auto one = std::make_unique<RE2>(pattern, options());
  if (!one->ok()) return fail(fmt::format("'{}' is no pattern: {}", pattern, one->error()));
  std::string error;
  if (compiled_->set.Add(pattern, &error) < 0)
    return fail(fmt::format("'{}' is no pattern: {}", pattern, error));
  compiled_->each.push_back(std::move(one));
  texts_.push_back(pattern);
  return static_cast<int>(texts_.size()) - 1;
}

Done Patterns::compile() {
  if (!compiled_->set.Compile()) return fail("the patterns together need too much memory");
  return {};
}

Matches Patterns::match(std::string_view row) const {
  Matches matches;
  if (texts_.empty()) return matches;
  thread_local std::vector<int> found;
  found.clear();
  RE2::Set::ErrorInfo error{};
  if (compiled_->set.Match({row.data(), row.size()}, &found, &error)) {
    for (const int number : found) matches.set(static_cast<size_t>(number));
  } else if (error.kind == RE2::Set::kOutOfMemory) {  // one by one needs less
    for (size_t i = 0; i < compiled_->each.size(); ++i)
      matches[i] = RE2::PartialMatch({row.data(), row.size()}, *compiled_->each[i]);
  }
  return matches;
}

std::optional<Patterns::Span> Patterns::find(int number, std::string_view row) const {
  re2::StringPiece piece{row.data(), row.size()}, found;
  const RE2& one = *compiled_->each[static_cast<size_t>(number)];
  if (!one.Match(piece, 0, row.size(), RE2::UNANCHORED, &found, 1)) return std::nullopt;
  const auto begin = static_cast<size_t>(found.data() - row.data());
  return Span{begin, begin + found.size()};
}

std::optional<std::string> Patterns::capture(int number, std::string_view row) const {
  re2::StringPiece piece{row.data(), row.size()}, found[2];
  const RE2& one = *compiled_->each[static_cast<size_t>(number)];
  if (one.NumberOfCapturingGroups() < 1 ||
      !one.Match(piece, 0, row.size(), RE2::UNANCHORED, found, 2) || !found[1].data())
    return std::nullopt;
  return std::string(found[1].data(), found[1].size());
}

}  // namespace pawl::perceive
