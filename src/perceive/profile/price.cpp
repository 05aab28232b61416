#include "perceive/profile/price.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace pawl::perceive {
namespace {

constexpr double kMillion = 1e6;
constexpr double kMostUsd = 1e6;
constexpr size_t kDateDigits = 8;

template <class Number>
bool read_number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

bool is_date(std::string_view text) {
  return text.size() == kDateDigits &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool same_model(std::string_view said, const std::string& row) {
  if (!said.starts_with(row)) return false;
  const std::string_view rest = said.substr(row.size());
  return rest.empty() || rest[0] == '[' || rest[0] == '@' ||
         (rest[0] == '-' && is_date(rest.substr(1, rest.find('[') - 1)));
}

}  // namespace

std::optional<Price> price_from(std::string_view row) {
  std::vector<std::string> words = split(row, ' ');
  std::erase(words, "");
  Price price;
  if (words.size() != 6) return std::nullopt;
  const size_t above = words[0].find('>');
  price.model = words[0].substr(0, above);
  if (price.model.empty()) return std::nullopt;
  if (above != std::string::npos &&
      (!read_number(std::string_view(words[0]).substr(above + 1), price.above) || price.above <= 0))
    return std::nullopt;
  size_t next = 1;
  for (double* field :
       {&price.input, &price.output, &price.cache_read, &price.cache_write, &price.cache_hour}) {
    if (!read_number(words[next++], *field) || !std::isfinite(*field) || *field < 0 ||
        *field > kMostUsd)
      return std::nullopt;
  }
  return price;
}

bool good_prices(const std::vector<std::string>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [](const std::string& row) { return price_from(row).has_value(); });
}

std::optional<double> cost_of(const std::vector<std::string>& rows, std::string_view model,
                              const Usage& usage) {
  std::optional<Price> best;
  for (const auto& row : rows) {
    auto price = price_from(row);
    if (!price || !same_model(model, price->model)) continue;
    const bool reached = price->above == 0 || usage.context() > price->above;
    if (reached && (!best || price->above > best->above)) best = std::move(price);
  }
  if (!best) return std::nullopt;
  const auto part = [](int64_t tokens, double price) {
    return static_cast<double>(tokens) / kMillion * price;
  };
  const int64_t hour = std::clamp<int64_t>(usage.cache_hour, 0, usage.cache_write);
  return part(usage.input, best->input) + part(usage.output, best->output) +
         part(usage.cache_read, best->cache_read) +
         part(usage.cache_write - hour, best->cache_write) + part(hour, best->cache_hour);
}

}  // namespace pawl::perceive
