// The checker of retention notices what it is there for.

#include <gtest/gtest.h>

#include "policy/forget.h"
#include "sim/world/invariants/test_told.h"

namespace pawl::sim {
namespace {

struct Kept : Told {
  Kept() : Told(check_retention(night_retention())) {}

  void over(bool read) {
    task("plain");
    ends(0);
    result(model::TaskStatus::completed);
    over_at = now.wall;
    if (read) write(model::TaskRead{});
    write(model::TaskFiled{});
  }
  void tell() {
    model::Forgotten word;
    word.upto = over_at;
    write(word, "");
    write(model::Alerted{model::Severity::warning, "they go", "unread results"}, "");
  }
  void forget() {
    model::Forgotten gone;
    gone.names = {"a"};
    write(gone, "");
  }

  WallTime over_at{};
  const Duration word_before = policy::word_before(night_retention());
};

TEST(RetentionChecker, SeesATaskGoThatIsNotOver) {
  Kept kept;
  kept.task("plain");
  kept.forget();
  EXPECT_EQ(kept.found(), "forgotten, and it is not over");
}

TEST(RetentionChecker, SeesAnUnreadResultGoWithoutAWord) {
  Kept kept;
  kept.over(/*read=*/false);
  kept.forget();
  EXPECT_EQ(kept.found(), "its result was forgotten unread, and nobody was told before");
}

TEST(RetentionChecker, SeesAWordThatCameTooLate) {
  Kept kept;
  kept.over(/*read=*/false);
  kept.tell();
  kept.pass(kept.word_before / 2);
  kept.forget();
  EXPECT_EQ(kept.found(), "its result was forgotten unread, and nobody was told before");
}

TEST(RetentionChecker, SeesAWordThatWasAboutOthers) {
  Kept kept;
  kept.over(/*read=*/false);
  kept.over_at -= std::chrono::hours{1};
  kept.tell();
  kept.pass(kept.word_before);
  kept.forget();
  EXPECT_EQ(kept.found(), "its result was forgotten unread, and nobody was told before");
}

TEST(RetentionChecker, SaysNothingOfWhatMayGo) {
  Kept read;
  read.over(/*read=*/true);
  read.forget();
  EXPECT_EQ(read.found(), "");
  Kept told;
  told.over(/*read=*/false);
  told.tell();
  told.pass(told.word_before);
  told.forget();
  EXPECT_EQ(told.found(), "");
}

}  // namespace
}  // namespace pawl::sim
