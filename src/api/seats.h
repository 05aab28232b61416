#pragma once
// Who sits at which agent's terminal, and the size it has for them: that of who typed last, as people know it from tmux. When nobody
// is left it is what the agent's configuration says. Attach streams take a seat; the local socket gives terminals their sizes
// after a turn. Knows no terminal and no clock: the order of what people do is enough.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"

namespace pawl::api {

class Seats {
 public:
  // One person's; leaves with its owner.
  class Seat {
   public:
    Seat() = default;
    Seat(Seats& seats, std::string agent, uint64_t number)
        : seats_(&seats), agent_(std::move(agent)), number_(number) {}
    Seat(Seat&& other) noexcept
        : seats_(std::exchange(other.seats_, nullptr)),
          agent_(std::move(other.agent_)),
          number_(other.number_) {}
    Seat& operator=(Seat&& other) noexcept {
      std::swap(seats_, other.seats_);
      std::swap(agent_, other.agent_);
      std::swap(number_, other.number_);
      return *this;
    }
    ~Seat() {
      if (seats_) seats_->leave(agent_, number_);
    }
    explicit operator bool() const { return seats_ != nullptr; }
    void typed() { seats_->used(agent_, number_); }
    void resized(Size size) { seats_->resized(agent_, number_, size); }
    // Another terminal of that agent: it has nobody's size yet.
    void renewed() { seats_->renewed(agent_); }

   private:
    Seats* seats_ = nullptr;
    std::string agent_;
    uint64_t number_ = 0;
  };

  // Sitting down counts as typing. `own`: the size the terminal has for nobody.
  Seat sit(const std::string& agent, Size size, Size own);
  // Sizes that changed since the last call, by agent.
  std::vector<std::pair<std::string, Size>> take_changed() { return std::exchange(changed_, {}); }

 private:
  struct Person {
    uint64_t number;  // of the seat
    Size size;
    uint64_t used;  // a later one is larger
  };
  struct Table {
    Size own, has;
    std::vector<Person> people;
  };
  void leave(const std::string& agent, uint64_t number);
  void used(const std::string& agent, uint64_t number);
  void resized(const std::string& agent, uint64_t number, Size size);
  void renewed(const std::string& agent);
  void fit(const std::string& agent, Table& table);
  Person* find(const std::string& agent, uint64_t number);

  std::map<std::string, Table> tables_;
  std::vector<std::pair<std::string, Size>> changed_;
  uint64_t count_ = 0;
};

}  // namespace pawl::api
