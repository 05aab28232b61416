#pragma once
// How much those who showed no credential may ask for at once: of one address, and all of them together. A request takes a place
// until its answer is out. Who has none is refused in a few bytes; who is known needs none.

#include <map>
#include <string>

namespace pawl::serve {

inline constexpr size_t kStrangersStreams = 32;     // of one HTTP/2 connection
inline constexpr size_t kStrangersPlaces = 256;     // of one address …
inline constexpr size_t kStrangersInAll = 1024;     // … and of all
inline constexpr size_t kStrangersOut = 16u << 10;  // bytes made ahead for one that does not read

class Strangers {
 public:
  // Given back when it goes. Must not outlive its Strangers.
  class Place {
   public:
    Place() = default;
    Place(Place&& other) noexcept;
    Place& operator=(Place&& other) noexcept;
    ~Place();
    explicit operator bool() const { return of_ != nullptr; }

   private:
    friend class Strangers;
    Place(Strangers* of, std::string address) : of_(of), address_(std::move(address)) {}
    Strangers* of_ = nullptr;
    std::string address_;
  };

  Place take(const std::string& address);  // empty: there is none
  size_t size() const { return all_; }

 private:
  size_t all_ = 0;
  std::map<std::string, size_t> by_address_;
};

}  // namespace pawl::serve
