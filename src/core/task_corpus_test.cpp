// Recordings of real agents without an interface (test/task): what each of them is taken for. `status` in facts.toml is a person's
// judgement.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/source_dir.h"
#include "base/text.h"
#include "perceive/records/headless.h"
#include "policy/decide.h"

namespace pawl::core {
namespace {

namespace fs = std::filesystem;

const WallTime kCorpusNow{std::chrono::seconds{1'794'758'400}};

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Lines of `key = value`, quotes removed.
std::map<std::string, std::string> facts_of(const fs::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& line : split(read(folder / "facts.toml"), '\n')) {
    const size_t at = line.find(" = ");
    if (at == std::string::npos) continue;
    std::string value = line.substr(at + 3);
    if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
    out[line.substr(0, at)] = value;
  }
  return out;
}

model::Ending ending_of(const std::map<std::string, std::string>& facts) {
  if (facts.contains("exit_code")) return {std::stoi(facts.at("exit_code")), 0, true};
  return {-1, facts.at("signal") == "SIGKILL" ? 9 : 15, true};
}

// What a rule makes of it two seconds after its end.
std::string taken_for(const model::TaskReport& report, const model::Ending& ending,
                      const std::string& format) {
  model::Agent agent;
  agent.spec.name = format + "-t";
  agent.starts = 1;
  agent.session_id = "id";
  agent.state = ending.clean() ? model::State::exited : model::State::crashed;
  agent.ending = ending;
  agent.since = kCorpusNow;
  agent.task = model::Task{};
  agent.task->order.format = format;
  agent.task->started = kCorpusNow;
  agent.task->report = report;
  const auto choice =
      policy::decide({kCorpusNow + std::chrono::seconds{2}, agent, {}, {}, {}, ""}).choice;
  if (!choice.action) return "nothing";
  if (*choice.action == model::Action::limit_wait) return "limited";
  if (*choice.action == model::Action::restart)
    return choice.matter == "fresh" ? report.trouble : "crashed";
  if (report.trouble == "auth") return "auth";
  return choice.how;
}

bool fits(const std::string& taken, const std::string& judged) {
  if (taken == judged) return true;
  if (judged == "hung") return taken == "crashed";  // the recorder ended it
  // A service that fails is tried again; a conversation that is not there is begun anew.
  return judged == "failed" && (taken == "crashed" || taken == "session");
}

TEST(TaskCorpus, EachRunIsTakenForWhatItWas) {
  size_t count = 0;
  for (const auto& runtime : fs::directory_iterator(std::string(source_dir()) + "/test/task")) {
    const std::string format = runtime.path().filename().string();
    for (const auto& folder : fs::directory_iterator(runtime)) {
      const auto facts = facts_of(folder);
      // Half an answer that pi takes for a whole one: nothing but an empty count of tokens tells, and some services never count.
      if (format == "pi" && folder.path().filename() == "cut-answer") continue;
      perceive::Headless reader(format);
      std::string text = reader.feed(read(folder.path() / "stderr"), kCorpusNow);
      text += reader.end(kCorpusNow);
      text += reader.feed(read(folder.path() / "stdout"), kCorpusNow) + reader.end(kCorpusNow);
      const std::string taken = taken_for(reader.report(), ending_of(facts), format);
      EXPECT_TRUE(fits(taken, facts.at("status")))
          << format << "/" << folder.path().filename().string() << " is " << facts.at("status")
          << " (" << facts.at("because") << ") and was taken for " << taken << "; it said "
          << reader.report().trouble << ": " << reader.report().message;
      EXPECT_EQ(text.find("\"type\":"), std::string::npos)
          << folder.path() << ": a record is no text for a person";
      ++count;
    }
  }
  EXPECT_GT(count, 100u);
}

// Cut anywhere, it is the same.
TEST(TaskCorpus, APieceAtATimeIsTheSame) {
  for (const char* name : {"claude/tool-use", "codex/tool-use", "gemini/tool-use", "pi/tool-use"}) {
    const std::string format = std::string(name).substr(0, std::string(name).find('/'));
    const std::string bytes = read(fs::path(source_dir()) / "test/task" / name / "stdout");
    perceive::Headless whole(format), pieces(format);
    const std::string text = whole.feed(bytes, kCorpusNow);
    std::string other;
    for (size_t i = 0; i < bytes.size(); i += 7)
      other += pieces.feed(bytes.substr(i, 7), kCorpusNow);
    EXPECT_EQ(text, other) << name;
    EXPECT_EQ(whole.report(), pieces.report()) << name;
    EXPECT_EQ(whole.session_id(), pieces.session_id()) << name;
    EXPECT_FALSE(whole.session_id().empty()) << name;
    EXPECT_GT(whole.report().tokens, 0) << name;
  }
}

}  // namespace
}  // namespace pawl::core
