#include "cli/talk.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>

#include "base/text.h"
#include "cli/ask.h"
#include "os/clock.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

constexpr int kBlockedOnPerson = 3, kLimited = 4;  // exit codes of the contract

std::string sentence(const Json& receipt) {
  const std::string verdict = receipt["verdict"].as_string();
  std::string out = verdict + ": " + receipt["witness"].as_string();
  if (verdict == "dropped") return out + "\n";
  if (verdict != "queued")
    return fmt::format("{} ({:.2f} s)\n", out, receipt["took_ms"].as_double() / 1000);
  if (receipt["until"].is_string()) out += ", until " + receipt["until"].as_string();
  if (receipt["position"].as_int() > 1)
    out += fmt::format("; {} before it", receipt["position"].as_int() - 1);
  return out + "\n";
}

// Prints the verdict. 0: taken, or safely queued. Of a program without an interface nothing more can be known than that it
// was typed.
int tell(const Command& command, const Json& receipt) {
  const std::string verdict = receipt["verdict"].as_string();
  if (command.json())
    print_json(receipt);
  else
    print(sentence(receipt));
  if (verdict == "unverified" && receipt["plain"].as_bool()) return 0;
  return verdict == "confirmed" || verdict == "queued" || verdict == "dropped" ? 0 : 1;
}

// "done" is the end of the turn, however it comes.
int wait_after(const Command& command, const std::string& wish, Duration spent) {
  const std::string until =
      wish == "done" ? "ready,typing,waiting,limited,stuck,shell,exited,crashed" : wish;
  Json args = Json::object({{"name", command.args()["name"]}, {"until", until}});
  if (const auto limit = parse_duration_s(command.args()["timeout"].as_string()); limit) {
    const double left = *limit - std::chrono::duration<double>(spent).count();
    args.set("timeout", fmt::format("{}", std::max<int64_t>(1, std::llround(left))));
  }
  const auto asked = ask(command, "wait", args);
  if (!asked.result) return asked.code;
  const std::string state = (*asked.result)["state"].as_string();
  if (!command.json()) print(state + ": " + (*asked.result)["because"].as_string() + "\n");
  if (state == "waiting") return kBlockedOnPerson;
  if (state == "limited") return kLimited;
  return state == "ready" || state == "typing" || state == wish ? 0 : 1;
}

int ask_and_tell(const Command& command, const std::string& verb, const Json& args) {
  const auto asked = ask(command, verb, args);
  return asked.result ? tell(command, *asked.result) : asked.code;
}

}  // namespace

bool text_into(Json& args, const std::string& verb, bool needed, int& code) {
  if (const std::string file = args["file"].as_string(); !file.empty()) {
    if (args["text"].is_string()) {
      code = complain({verb + ": both a TEXT and a --file", "give one of them", 2});
      return false;
    }
    const auto text = os::read_stream(file);
    if (!text) {
      code = complain(text.error());
      return false;
    }
    args.set("text", *text);
  } else if (args["text"].as_string() == "-") {
    args.set("text", std::string(std::istreambuf_iterator<char>(std::cin), {}));
  } else if (!args["text"].is_string() && needed) {
    code = complain({verb + ": no text", "give TEXT, --file FILE, or - for standard input", 2});
    return false;
  }
  return true;
}

int send(const Command& command) {
  Json args = command.args();
  int code = 0;
  const bool drop = args["drop"].as_bool();
  if (drop && (args["text"].is_string() || args["file"].is_string()))
    return complain({"send: --drop takes no text", "send it without --drop afterwards", 2});
  if (!text_into(args, "send", !drop, code)) return code;
  const std::string wish = args["wait"].as_string();
  if (!wish.empty() && wish != "ready" && wish != "busy" && wish != "done")
    return complain({"send: --wait " + wish, "wait for ready, busy or done", 2});
  args.set("outcome", !wish.empty());
  const MonoTime begin = os::read_clock().mono;
  const auto asked = ask(command, "send", args);
  if (!asked.result) return asked.code;
  if (!(*asked.result)["verdict"].is_string()) {
    print("unverified: written to the terminal\n");
    return 0;
  }
  const int told = tell(command, *asked.result);
  return told != 0 || wish.empty() ? told
                                   : wait_after(command, wish, os::read_clock().mono - begin);
}

int wake(const Command& command) {
  Json args = command.args();
  int code = 0;
  if (!text_into(args, "wake", false, code)) return code;
  return ask_and_tell(command, "wake", args);
}

// Keeping comes after the dialog is seen gone: an answer that was not taken is no rule.
int answer(const Command& command) {
  Json args = command.args();
  const std::string name = args["name"].as_string();
  const bool keep = args["keep"].as_bool(), forget = args["forget"].as_bool();
  const bool row = args["row"].is_string();
  if (args["about"].is_string() && !keep)
    return complain({"answer: --about without --keep", "it says what a kept answer is for", 2});
  if (forget && (row || keep))
    return complain({"answer: --forget stands alone", "pawl answer " + name + " --forget", 2});
  if (row) {
    args.set("keep", false);
    const auto asked = ask(command, "answer", args);
    if (!asked.result) return asked.code;
    const int told = tell(command, *asked.result);
    if (told != 0 || !keep) {
      if ((*asked.result)["keepable"].as_bool() && !command.json())
        print("to have this answered like that from now on: pawl answer " + name + " --keep\n");
      return told;
    }
    args = Json::object({{"name", name}, {"keep", true}, {"about", args["about"]}});
  }
  const auto asked = ask(command, "answer", args);
  if (!asked.result) return asked.code;
  if (!command.json())
    print(keep ? "kept: " + name + " is answered like this from now on\n"
               : "forgotten: a person answers again\n");
  return 0;
}

int keys(const Command& command) {
  const auto asked = ask(command, "keys", command.args());
  if (!asked.result) return asked.code;
  print("unverified: written to the terminal\n");
  return 0;
}

}  // namespace pawl::cli
