#include "act/message.h"

#include <fmt/core.h>

#include "base/markup.h"
#include "model/dialog.h"

namespace pawl::act {
namespace {

using Kind = model::Channel::Kind;

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

std::string reason(const Message& message) {
  return model::without_middle(message.text, kTextShown);
}

// Never in the middle of a character.
std::string first_bytes(const std::string& text, size_t limit) {
  if (text.size() <= limit) return text;
  size_t end = limit;
  while (end > 0 && continues(text[end])) --end;
  return text.substr(0, end) + "…";
}

std::string last_bytes(const std::string& text, size_t limit) {
  if (text.size() <= limit) return text;
  size_t begin = text.size() - limit;
  while (begin < text.size() && continues(text[begin])) ++begin;
  return "…" + text.substr(begin);
}

// Lines stay; what else steers a terminal or ends a word does not.
std::string plain(std::string text) {
  for (char& c : text)
    if ((static_cast<unsigned char>(c) < ' ' && c != '\n') || c == '\x7f') c = ' ';
  return text;
}

std::string escaped(const std::string& text) {
  return escape_markup(plain(text));
}

// One line of ASCII: what may be in a header.
std::string header_text(const std::string& text) {
  std::string out;
  for (const char c : plain(text)) {
    if (continues(c)) continue;
    out += c == '\n' ? ' ' : static_cast<unsigned char>(c) >= 0x80 ? '?' : c;
  }
  return out;
}

bool grave(const Message& message) {
  return message.severity == model::Severity::error;
}

// "Answer: https://…", and the code for another channel's link.
std::string link_lines(const AnswerLink& link) {
  std::string out;
  if (!link.url.empty()) out += "Answer: " + link.url;
  if (!link.code.empty())
    out += fmt::format("{}Code for the link in the {} message: {}", out.empty() ? "" : "\n",
                       link.code_for, link.code);
  return out;
}

std::string title_of(const Message& message) {
  return message.agent.empty() ? fmt::format("pawl: {}", word(message.severity))
                               : fmt::format("{}: {}", message.agent, word(message.severity));
}

Post ntfy(const Message& message) {
  std::string body = plain(reason(message));
  if (!message.todo.empty()) body += "\n\n" + plain(first_bytes(message.todo, kTextShown / 2));
  if (const std::string link = link_lines(message.link); !link.empty()) body += "\n\n" + link;
  if (!message.screen.empty() && body.size() + 100 < kNtfyBytes)
    body += "\n\n" + plain(last_bytes(message.screen, kNtfyBytes - body.size() - 10));
  Post out{std::move(body),
           {"Content-Type: text/plain; charset=utf-8", "Title: " + header_text(title_of(message)),
            grave(message) ? "Priority: high" : "Priority: default",
            grave(message) ? "Tags: rotating_light" : "Tags: warning"}};
  if (const auto& link = message.link; !link.url.empty()) {
    out.headers.push_back("Click: " + link.url);
    out.headers.push_back(fmt::format(
        "Actions: view, Answer, {}, clear=true{}", link.url,
        link.refuses ? fmt::format("; http, Refuse, {}/refuse, method=POST, clear=true", link.url)
                     : ""));
  }
  return out;
}

// Buttons need blocks, and those hold less than a text.
Json slack_blocks(const Message& message, const std::string& text) {
  Json section = Json::object(
      {{"type", "section"},
       {"text", Json::object({{"type", "mrkdwn"}, {"text", first_bytes(text, kSlackBlock)}})}});
  Json button = Json::object({{"type", "button"},
                              {"text", Json::object({{"type", "plain_text"}, {"text", "Answer"}})},
                              {"url", message.link.url}});
  Json actions = Json::object({{"type", "actions"}, {"elements", Json::array()}});
  Json elements = Json::array();
  elements.push(std::move(button));
  actions.set("elements", std::move(elements));
  Json out = Json::array();
  out.push(std::move(section));
  out.push(std::move(actions));
  return out;
}

Post slack(const Message& message) {
  std::string text = fmt::format("*{}* {}", escaped(title_of(message)), escaped(reason(message)));
  if (!message.todo.empty()) text += "\n" + escaped(first_bytes(message.todo, kTextShown));
  if (const std::string link = link_lines(message.link); !link.empty())
    text += "\n" + escaped(link);
  if (!message.screen.empty()) {
    std::string screen = escaped(last_bytes(message.screen, kScreenShown / 2));
    for (size_t at = 0; (at = screen.find("```", at)) != std::string::npos; at += 3)
      screen.replace(at, 3, "'''");
    text += "\n```\n" + screen + "\n```";
  }
  Json out = Json::object({{"text", text}});
  if (!message.link.url.empty()) out.set("blocks", slack_blocks(message, text));
  return {out.dump(), {"Content-Type: application/json"}};
}

}  // namespace

Json to_json(const Message& message) {
  Json out = Json::object({{"version", 1},
                           {"agent", message.agent},
                           {"at", rfc3339(message.at)},
                           {"severity", word(message.severity)},
                           {"text", reason(message)},
                           {"matter", message.matter},
                           {"todo", first_bytes(message.todo, kTextShown)},
                           {"screen", last_bytes(message.screen, kScreenShown)}});
  const auto& link = message.link;
  if (link.url.empty() && link.code.empty()) return out;
  Json approve = Json::object({{"url", link.url}});
  if (link.refuses) approve.set("refuse", link.url + "/refuse");
  if (!link.code.empty()) approve.set("code", link.code).set("code_for", link.code_for);
  return out.set("approve", std::move(approve));
}

Post post_of(Kind kind, const Message& message) {
  if (kind == Kind::ntfy) return ntfy(message);
  if (kind == Kind::slack) return slack(message);
  return {to_json(message).dump(), {"Content-Type: application/json"}};
}

std::vector<std::string> desktop_words(const Message& message) {
  std::string body = escaped(first_bytes(message.text, kDesktopShown));
  if (!message.todo.empty()) body += "\n" + escaped(first_bytes(message.todo, kDesktopShown));
  if (const std::string link = link_lines(message.link); !link.empty())
    body += "\n" + escaped(link);
  return {"--app-name=pawl", grave(message) ? "--urgency=critical" : "--urgency=normal", "--",
          plain(title_of(message)), std::move(body)};
}

}  // namespace pawl::act
