#pragma once
// All profiles: the built-in ones, and those of the user's configuration directory in front of them.

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perceive/profile/facts.h"
#include "perceive/profile/profile.h"

namespace pawl::perceive {

class Catalog {
 public:
  // The built-in profiles. They are tested: a broken one is our bug.
  static Catalog built_in();

  // Replaces the profile of the same name, or adds one. On failure what was there stays.
  Result<std::string> add(const std::string& text, const std::string& path);

  const Profile* find(std::string_view name) const;
  const Profile& generic() const { return *find("generic"); }
  std::vector<std::string> names() const;
  // The generic profile with a box that was learnt from the program itself.
  Result<Profile> generic_with(const std::string& head, const std::string& rows) const;

  // Whose program this is; null when nothing speaks for one.
  const Profile* by_process(const Facts& facts) const;
  const Profile* by_command(const std::vector<std::string>& argv) const;
  const Profile* by_app(std::string_view app) const;
  const Profile* by_title(const std::string& title) const;
  const Profile* by_row(const std::string& row) const;

 private:
  std::map<std::string, const Profile*, std::less<>> names_;
  Result<std::string> take(const std::string& text, const std::string& path);
  void index_rows();

  std::string generic_text_;
  Patterns marks_;                      // the screen marks of all profiles
  std::vector<const Profile*> owners_;  // … whose they are
  std::deque<Profile> profiles_;        // never moved: Eyes point at them
};

}  // namespace pawl::perceive
