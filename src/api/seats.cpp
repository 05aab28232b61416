#include "api/seats.h"

#include <algorithm>

namespace pawl::api {

Seats::Seat Seats::sit(const std::string& agent, Size size, Size own) {
  Table& table = tables_.try_emplace(agent, Table{own, Size{0, 0}, {}}).first->second;
  table.own = own;
  const uint64_t number = ++count_;
  table.people.push_back({number, size, number});
  fit(agent, table);
  return {*this, agent, number};
}

Seats::Person* Seats::find(const std::string& agent, uint64_t number) {
  const auto it = tables_.find(agent);
  if (it == tables_.end()) return nullptr;
  const auto person = std::ranges::find(it->second.people, number, &Person::number);
  return person == it->second.people.end() ? nullptr : &*person;
}

void Seats::used(const std::string& agent, uint64_t number) {
  Person* person = find(agent, number);
  if (!person) return;
  person->used = ++count_;
  fit(agent, tables_.at(agent));
}

// Another window of the same person, or somebody else's: whose it is not just now does not count.
void Seats::resized(const std::string& agent, uint64_t number, Size size) {
  Person* person = find(agent, number);
  if (!person) return;
  person->size = size;
  fit(agent, tables_.at(agent));
}

void Seats::leave(const std::string& agent, uint64_t number) {
  const auto it = tables_.find(agent);
  if (it == tables_.end()) return;
  std::erase_if(it->second.people, [&](const Person& person) { return person.number == number; });
  fit(agent, it->second);
  if (it->second.people.empty()) tables_.erase(it);
}

void Seats::renewed(const std::string& agent) {
  const auto it = tables_.find(agent);
  if (it == tables_.end()) return;
  it->second.has = {0, 0};
  fit(agent, it->second);
}

void Seats::fit(const std::string& agent, Table& table) {
  const auto last = std::ranges::max_element(table.people, {}, &Person::used);
  const Size size = last == table.people.end() ? table.own : last->size;
  if (size == table.has) return;
  table.has = size;
  std::erase_if(changed_, [&](const auto& change) { return change.first == agent; });
  changed_.emplace_back(agent, size);
}

}  // namespace pawl::api
