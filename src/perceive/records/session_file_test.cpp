#include "perceive/records/session_file.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace pawl::perceive {
namespace {

const model::Process kProcess{6176, 1310808};

Json whole() {
  return Json::object({{"pid", 6176},
                       {"sessionId", "faccdbfd-6ffc"},
                       {"cwd", "/srv/p"},
                       {"startedAt", int64_t{1794721028614}},
                       {"procStart", "1310808"},
                       {"version", "2.1.325"},
                       {"peerFeatures", Json::Array{Json("x")}},
                       {"status", "idle"},
                       {"statusUpdatedAt", int64_t{1794721028929}}});
}

TEST(SessionFile, SaysOneWordAndWhoseItIs) {
  const auto file = read_session_file(whole().dump(), kProcess);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->word.told, Told::idle);
  EXPECT_EQ(file->session_id, "faccdbfd-6ffc");
  EXPECT_EQ(file->version, "2.1.325");
  EXPECT_EQ(file->cwd, "/srv/p");
  EXPECT_EQ(rfc3339(*file->updated), "2026-11-15T05:37:08.929Z");
}

TEST(SessionFile, Words) {
  struct FileRow {
    const char* status;
    const char* waiting_for;
    Told told;
    const char* kind;
  };
  for (const auto& [status, waiting_for, told, kind] :
       {FileRow{"busy", "", Told::busy, ""}, FileRow{"shell", "", Told::idle, ""},
        FileRow{"waiting", "permission prompt", Told::waiting, "permission"},
        FileRow{"waiting", "worker request", Told::waiting, "permission"},
        FileRow{"waiting", "input needed", Told::waiting, "question"},
        FileRow{"waiting", "dialog open", Told::waiting, "other"},
        FileRow{"waiting", "of the next version", Told::waiting, "other"},
        FileRow{"waiting", "", Told::waiting, "other"},
        FileRow{"idle", "permission prompt", Told::idle, ""}}) {
    const auto file = read_session_file(
        whole().set("status", status).set("waitingFor", waiting_for).dump(), kProcess);
    ASSERT_TRUE(file) << status;
    EXPECT_EQ(file->word.told, told) << status;
    EXPECT_EQ(file->word.kind, kind) << waiting_for;
  }
}

TEST(SessionFile, OfAReusedPidIsNothing) {
  EXPECT_FALSE(read_session_file(whole().dump(), {6176, 1310809}));
  EXPECT_FALSE(read_session_file(whole().dump(), {6177, 1310808}));
  EXPECT_TRUE(read_session_file(whole().set("procStart", 1310808).dump(), kProcess));
  for (const Json& start : {Json(), Json(""), Json("1310808x"), Json("-1310808"), Json(1310808.0),
                            Json(-1), Json("99999999999999999999999")})
    EXPECT_FALSE(read_session_file(whole().set("procStart", start).dump(), kProcess))
        << start.dump();
  EXPECT_FALSE(read_session_file(whole().set("pid", "").dump(), kProcess));
}

TEST(SessionFile, HalfAFileIsNothing) {
  const std::string text = whole().dump();
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(read_session_file(text.substr(0, size), kProcess)) << size;
  EXPECT_FALSE(read_session_file(text + text.substr(text.size() / 2), kProcess))
      << "a shorter text over a longer one";
}

TEST(SessionFile, AnUnknownStatusIsNothing) {
  for (const Json& status : {Json("dancing"), Json(""), Json(), Json(1), Json("Idle")})
    EXPECT_FALSE(read_session_file(whole().set("status", status).dump(), kProcess));
}

TEST(SessionFile, WhatNoProgramWouldSayIsLeftOut) {
  const auto file = read_session_file(whole()
                                          .set("sessionId", "--x")
                                          .set("cwd", "relative")
                                          .set("version", Json::array())
                                          .set("statusUpdatedAt", int64_t{1} << 60)
                                          .dump(),
                                      kProcess);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->session_id + file->cwd + file->version, "");
  EXPECT_FALSE(file->updated);
  EXPECT_FALSE(
      read_session_file(whole().set("x", std::string(kMaxSessionFileBytes, 'x')).dump(), kProcess));
}

}  // namespace
}  // namespace pawl::perceive
