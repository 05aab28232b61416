#include "perceive/records/transcript.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "perceive/profile/catalog.h"

namespace pawl::perceive {
namespace {

const Profile& claude_profile() {
  static const Catalog all = Catalog::built_in();
  return *all.find("claude");
}

std::string at(int second) {
  return "2026-11-15T05:37:" + std::to_string(10 + second) + ".250Z";
}
Json line(const char* type, int second, Json message) {
  return Json::object({{"parentUuid", nullptr},
                       {"isSidechain", false},
                       {"type", type},
                       {"message", std::move(message)},
                       {"timestamp", at(second)},
                       {"sessionId", "facc"},
                       {"version", "2.1.325"}});
}
Json user(int second, Json content = "go on") {
  return line("user", second, Json::object({{"role", "user"}, {"content", std::move(content)}}));
}
Json text(const char* said) {
  return Json::Array{Json::object({{"type", "text"}, {"text", said}})};
}
Json assistant(int second, int input = 7) {
  return line("assistant", second,
              Json::object({{"content", text("done")},
                            {"usage", Json::object({{"input_tokens", input},
                                                    {"output_tokens", 42},
                                                    {"cache_read_input_tokens", 1000},
                                                    {"cache_creation_input_tokens", 30}})}}));
}
Json failed(int second, const char* error, int status, const char* said) {
  Json out =
      line("assistant", second, Json::object({{"model", "<synthetic>"}, {"content", text(said)}}));
  return out.set("isApiErrorMessage", true).set("error", error).set("apiErrorStatus", status);
}
std::string file(const std::vector<Json>& lines) {
  std::string out;
  for (const Json& json : lines) out += json.dump() + "\n";
  return out;
}
std::string shown(const std::optional<WallTime>& time) {
  return time ? rfc3339(*time) : "never";
}

TEST(Transcript, TellsWhoSpokeLastAndHowFullItIs) {
  const Transcript t =
      read_transcript(claude_profile(), file({user(1), assistant(2), user(3), assistant(4, 9)}));
  EXPECT_EQ(shown(t.user), at(3));
  EXPECT_EQ(shown(t.assistant), at(4));
  EXPECT_EQ(t.usage, (Usage{9, 42, 1000, 30}));
  EXPECT_EQ(t.usage.context(), 1039);
  EXPECT_EQ(t.session_id, "facc");
  EXPECT_EQ(t.version, "2.1.325");
  EXPECT_FALSE(t.error);
  EXPECT_FALSE(t.interrupted);
}

TEST(Transcript, AnErrorCountsWhileItIsTheLastWord) {
  const Json limit =
      failed(5, "rate_limit", 429, "You've hit your session limit · resets 2am (UTC)");
  const Transcript t =
      read_transcript(claude_profile(), file({user(1), assistant(2), user(3), limit}));
  ASSERT_TRUE(t.error);
  EXPECT_EQ(t.error->error, "rate_limit");
  EXPECT_EQ(t.error->notice, NoticeKind::limit);
  EXPECT_EQ(t.error->status, 429);
  EXPECT_EQ(t.error->text, "You've hit your session limit · resets 2am (UTC)");
  EXPECT_EQ(t.usage.input, 7) << "of the last real answer";
  EXPECT_FALSE(read_transcript(claude_profile(), file({limit, user(6)})).error);
  EXPECT_FALSE(read_transcript(claude_profile(), file({limit, assistant(6)})).error);
  EXPECT_EQ(read_transcript(claude_profile(),
                            file({failed(1, "invalid_request", 400, "Prompt is too long")}))
                .error->notice,
            NoticeKind::context);
}

TEST(Transcript, EscIsTheLastWordUntilSomebodySpeaks) {
  const Json esc = user(5, text("[Request interrupted by user]"));
  EXPECT_TRUE(read_transcript(claude_profile(), file({user(1), assistant(2), esc})).interrupted);
  EXPECT_TRUE(read_transcript(claude_profile(),
                              file({user(5, "[Request interrupted by user for tool use]")}))
                  .interrupted);
  EXPECT_FALSE(read_transcript(claude_profile(), file({esc, user(6)})).interrupted);
  EXPECT_FALSE(
      read_transcript(claude_profile(), file({user(5, "what is [Request interrupted by user]?")}))
          .interrupted);
}

TEST(Transcript, OthersLinesAreLeftOut) {
  const std::vector<Json> others{user(9).set("isSidechain", true),
                                 assistant(9).set("isSidechain", true),
                                 user(9).set("isMeta", true),
                                 line("attachment", 9, Json()),
                                 line("api-request", 9, Json()),
                                 user(9).set("timestamp", "yesterday"),
                                 user(9).set("timestamp", nullptr),
                                 Json::array(),
                                 Json(3)};
  for (const Json& other : others) {
    const Transcript t = read_transcript(claude_profile(), file({user(1), assistant(2), other}));
    EXPECT_EQ(shown(t.user) + shown(t.assistant), at(1) + at(2)) << other.dump();
  }
}

TEST(Transcript, ACutAnywhereNeverInventsAnything) {
  const std::string whole = file({user(1), assistant(2), user(3), assistant(4, 9)});
  for (size_t begin = 0; begin <= whole.size(); begin += 7)
    for (size_t end = begin; end <= whole.size(); end += 11) {
      const Transcript t = read_transcript(claude_profile(), whole.substr(begin, end - begin));
      EXPECT_TRUE(!t.user || shown(t.user) == at(1) || shown(t.user) == at(3));
      EXPECT_TRUE(t.usage.input == 0 || t.usage.input == 7 || t.usage.input == 9);
      EXPECT_FALSE(t.error || t.interrupted);
    }
}

TEST(Transcript, ALineStillBeingWrittenIsNotRead) {
  const std::string whole = file({user(1), user(3)});
  EXPECT_EQ(shown(read_transcript(claude_profile(), whole.substr(0, whole.size() - 1)).user),
            at(1));
}

TEST(Transcript, HostileBytesAreReadOver) {
  EXPECT_FALSE(read_transcript(claude_profile(), "").user);
  EXPECT_FALSE(read_transcript(claude_profile(), std::string(1000, '\0')).user);
  const std::string junk = "\n\n{\n}\n[[[[\n" + std::string(50, '\xff') + "\nnull\n{\"type\":3}\n" +
                           R"({"type":"user","message":{"content":[[[]]]},"timestamp":"x"})" + "\n";
  EXPECT_EQ(shown(read_transcript(claude_profile(), junk + user(1).dump() + "\n" + junk).user),
            at(1));
  EXPECT_EQ(
      shown(read_transcript(claude_profile(), file({user(2)}) + std::string(kTranscriptTail, ' ') +
                                                  "\n" + file({assistant(3)}))
                .user),
      "never")
      << "only the end is looked at";
  const Transcript t = read_transcript(
      claude_profile(),
      file(
          {line("assistant", 1,
                Json::object({{"usage", Json::object({{"input_tokens", int64_t{1} << 62},
                                                      {"cache_read_input_tokens", int64_t{1} << 62},
                                                      {"output_tokens", -5}})}}))}));
  EXPECT_GT(t.usage.context(), 0);
  EXPECT_EQ(t.usage.output, 0);
}

// As Claude Code 2.1.325 writes it: a snapshot of 60 KB comes after the answer.
TEST(Transcript, WhatStandsBesideTheTalkIsLargeAndSaysNothing) {
  const Json attachment = Json::object(
      {{"type", "attachment"}, {"timestamp", at(9)}, {"attachment", std::string(60u << 10, 'x')}});
  const Transcript its =
      read_transcript(claude_profile(), file({user(1), assistant(2), attachment}));
  ASSERT_TRUE(its.user && its.assistant);
  EXPECT_GT(*its.assistant, *its.user);
  EXPECT_EQ(its.usage.context(), 1037);
}

}  // namespace
}  // namespace pawl::perceive
