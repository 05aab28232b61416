#include "cli/arguments.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace pawl::cli {
namespace {

using Words = std::vector<std::string>;

struct Row {
  Words words;
  std::string args;  // as JSON
};

TEST(Arguments, Rows) {
  const std::vector<Row> rows{
      {{"ls"}, "{}"},
      {{"ls", "-w"}, R"({"watch":true})"},
      {{"ls", "--watch", "--json"}, R"({"watch":true,"json":true})"},
      {{"run", "--", "bash"}, R"({"command":["bash"]})"},
      {{"run", "a", "-d", "--", "make", "-j2", "--", "-d", "--json"},
       R"({"name":"a","detach":true,"command":["make","-j2","--","-d","--json"]})"},
      {{"run", "-d", "a", "--dir", "/x", "--size=80x24", "--yolo", "--"},
       R"({"name":"a","dir":"/x","yolo":true,"size":"80x24","detach":true})"},
      {{"run", "a", "--env-file", ".env", "--prompt-file", "p", "--model", "m", "--permission",
        "plan", "--restart", "fresh", "--runtime", "claude", "--backend", "pty"},
       R"({"name":"a","runtime":"claude","backend":"pty","env-file":".env","model":"m","permission":"plan","prompt-file":"p","restart":"fresh"})"},
      {{"stop", "a", "b", "c"}, R"({"names":["a","b","c"]})"},
      {{"stop", "--all"}, R"({"all":true})"},
      {{"rm", "-f", "a"}, R"({"names":["a"],"force":true})"},
      {{"logs", "a", "-f", "-n", "100"}, R"({"name":"a","follow":true,"lines":"100"})"},
      {{"logs", "-n5", "a"}, R"({"name":"a","lines":"5"})"},
      {{"events", "--since", "2h", "--agent", "a"}, R"({"since":"2h","agent":"a"})"},
      {{"wait", "a", "--until", "ready,busy", "--timeout", "5m"},
       R"({"names":["a"],"until":"ready,busy","timeout":"5m"})"},
      {{"send", "a", "a text with  spaces"}, R"({"name":"a","text":"a text with  spaces"})"},
      {{"send", "a", "-"}, R"({"name":"a","text":"-"})"},
      {{"send", "a", ""}, R"({"name":"a","text":""})"},
      {{"send", "a", "--", "--json"}, R"({"name":"a","text":"--json"})"},
      {{"send", "a", "[x, y]"}, R"({"name":"a","text":"[x, y]"})"},
      {{"send", "a", "-f", "file", "--no-enter"}, R"({"name":"a","file":"file","no-enter":true})"},
      {{"keys", "a", "Escape", "C-c", "M-x"}, R"({"name":"a","keys":["Escape","C-c","M-x"]})"},
      {{"keys", "a", "[", "]", "1"}, R"({"name":"a","keys":["[","]","1"]})"},
      {{"attach", "-r", "a"}, R"({"name":"a","read-only":true})"},
      {{"up"}, "{}"},
      {{"up", "fleet.toml"}, R"({"file":"fleet.toml"})"},
      {{"up", "--trust"}, R"({"trust":true})"},
      {{"trust"}, "{}"},
      {{"trust", "--forget", "x"}, R"({"place":"x","forget":true})"},
      {{"daemon", "--stop"}, R"({"stop":true})"},
      {{"completion", "zsh"}, R"({"shell":"zsh"})"},
      {{"help", "run"}, R"({"verb":"run"})"},
  };
  for (const auto& row : rows) {
    const auto parsed = parse_arguments(row.words);
    ASSERT_TRUE(parsed) << join(row.words, " ") << ": " << text_of(parsed.error());
    EXPECT_EQ(parsed->verb->name, row.words[0]);
    EXPECT_EQ(parsed->args.dump(), row.args) << join(row.words, " ");
  }
}

TEST(Arguments, ErrorsAreUsageAndNameTheHelp) {
  const std::vector<Words> rows{{"ls", "--jsn"},     {"ls", "extra"}, {"show"},
                                {"show", "a", "b"},  {"wait", "a"},   {"wait", "--until", "busy"},
                                {"logs", "a", "-n"}, {"keys", "a"},   {"run", "a", "b", "--"},
                                {"run", "-x"},       {"attach"},      {"completion"}};
  for (const auto& words : rows) {
    const auto parsed = parse_arguments(words);
    ASSERT_FALSE(parsed) << join(words, " ");
    EXPECT_EQ(parsed.error().exit_code, 2) << join(words, " ");
    EXPECT_EQ(parsed.error().fix, "see: pawl help " + words[0]);
    EXPECT_EQ(parsed.error().what.substr(0, words[0].size() + 2), words[0] + ": ");
    EXPECT_EQ(parsed.error().what.find('\n'), std::string::npos);
  }
}

TEST(Arguments, AnUnknownVerbIsGuessed) {
  EXPECT_EQ(text_of(parse_arguments({"stopp"}).error()),
            "unknown verb 'stopp': did you mean 'stop'?");
  EXPECT_EQ(text_of(parse_arguments({"wibble"}).error()),
            "unknown verb 'wibble': pawl help lists them");
  EXPECT_EQ(parse_arguments({"stopp"}).error().exit_code, 2);
  EXPECT_NE(text_of(parse_arguments({"shutdow"}).error()),
            "unknown verb 'shutdow': did you mean 'shutdown'?")
      << "not for people";
}

}  // namespace
}  // namespace pawl::cli
