#include "model/asker.h"

#include <gtest/gtest.h>

namespace pawl::model {
namespace {

TEST(Asker, IsReadAsItWasWritten) {
  for (const Asker& one :
       {Asker{kPerson, "", 12}, Asker{kAgent, "docs", 13}, Asker{kAgent, "", 14},
        Asker{kTask, "build", 15}, Asker{kRule, "stuck", 0}, Asker{kWeb, "operator", 0}, Asker{}})
    EXPECT_EQ(asker_from(to_json(one)), one) << text_of(one);
  EXPECT_EQ(to_json(Asker{kAgent, "docs", 13}).dump(),
            R"({"kind":"agent","name":"docs","pid":13})");
  EXPECT_TRUE(to_json(Asker{}).is_null());
}

TEST(Asker, OfAnOldJournalCameOverTheNetwork) {
  const Asker read = asker_from(Json("operator (token) from 127.0.0.1"));
  EXPECT_EQ(read, (Asker{kWeb, "operator (token) from 127.0.0.1", 0}));
  EXPECT_EQ(text_of(read), "operator (token) from 127.0.0.1");
  EXPECT_FALSE(asker_from(Json("")).known());
}

TEST(Asker, AnUnknownAgentIsNobodysEqual) {
  const Asker docs{kAgent, "docs", 1}, unknown{kAgent, "", 2};
  EXPECT_TRUE(docs.same({kAgent, "docs", 99}));
  EXPECT_FALSE(docs.same({kTask, "docs", 1}));
  EXPECT_FALSE(unknown.same(unknown));
  EXPECT_TRUE(unknown.inside());
  EXPECT_FALSE((Asker{kPerson, "", 1}).inside());
}

TEST(Asker, IsNamedForPeople) {
  EXPECT_EQ(text_of({kPerson, "", 12}), "a person (pid 12)");
  EXPECT_EQ(text_of({kAgent, "docs", 12}), "agent docs (pid 12)");
  EXPECT_EQ(text_of({kAgent, "", 12}), "an unknown agent (pid 12)");
  EXPECT_EQ(text_of({kRule, "stuck", 0}), "rule stuck");
}

}  // namespace
}  // namespace pawl::model
