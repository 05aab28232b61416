#include "serve/approving.h"

#include <fmt/core.h>

#include <charconv>

#include "base/text.h"
#include "os/file.h"
#include "os/tcp.h"
#include "serve/inside.h"

namespace pawl::serve {
namespace {

constexpr const char* kRefuse = "refuse";  // /approve/LINK/refuse, for buttons of messages

bool refuses(const model::DialogRow& row) {
  return row.cost == model::Cost::deny;
}

std::string meaning_of(model::Cost cost) {
  switch (cost) {
    case model::Cost::free:
      return "changes nothing";
    case model::Cost::allow:
      return "allows this once";
    case model::Cost::deny:
      return "refuses it";
    case model::Cost::permission:
      return "allows more from now on";
    case model::Cost::money:
      return "costs money";
    case model::Cost::destroys:
      return "something is lost";
    case model::Cost::question:
      return "Pawl does not know what this does";
  }
  return "";
}

// Null: no such row.
const model::DialogRow* row_at(const model::Dialog& dialog, const std::string& number) {
  size_t at = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), at);
  if (error != std::errc{} || end != number.data() + number.size()) return nullptr;
  return at >= 1 && at <= dialog.rows.size() ? &dialog.rows[at - 1] : nullptr;
}

std::string said(const Response& response) {
  const auto json = Json::parse(response.body);
  if (!json) return "";
  const Json& error = (*json)["error"];
  return error.is_object() ? error["what"].as_string() : (*json)["witness"].as_string();
}

std::string verdict_of(const Response& response) {
  const auto json = Json::parse(response.body);
  return json ? (*json)["verdict"].as_string() : "";
}

}  // namespace

bool Approving::knows(const Target& target) const {
  return allowed() != Approve::off && target.parts.size() >= 2 && target.parts[0] == "approve" &&
         approvals_.read(target.parts[1]);
}

Response Approving::stranger(const Clock& now, const Request& request) {
  const bool locked = guard_.locked(request, now.mono);
  if (locked) return refusal(429, "too many wrong links from this address", "wait a minute");
  guard_.failed(request, now.mono);
  doormat_.refused(now, request, "link that is not valid");
  ApprovePage page{.agent = "Pawl", .machine = os::host_name()};
  page.note = "This link is not valid. The newest message has one that is.";
  page.bad = true;
  return to_response(page, 403);
}

const model::Dialog* Approving::dialog_of(const Approval& approval) const {
  const model::Agent* agent = engine_.fleet().find(approval.agent);
  if (!agent || !agent->running() || agent->state != model::State::waiting) return nullptr;
  return agent->dialog && agent->dialog->id == approval.dialog ? &*agent->dialog : nullptr;
}

Response Approving::show(const Approval& approval, const std::string& link, const std::string& note,
                         int status) const {
  ApprovePage page{.agent = approval.agent, .machine = os::host_name(), .note = note};
  page.bad = status >= 400;
  const model::Dialog* dialog = dialog_of(approval);
  if (!dialog) return to_response(page, status);
  page.question = dialog->asks();
  page.subject = dialog->subject;
  page.link = link;
  const std::string end = rfc3339(WallTime{std::chrono::seconds{approval.until}});
  page.until = end.substr(0, 10) + " " + end.substr(11, 5) + " UTC";
  page.approve = allowed();
  page.takes_codes = allowed() == Approve::code && approvals_.takes_codes(approval);
  for (size_t i = 0; i < dialog->rows.size(); ++i) {
    const auto& row = dialog->rows[i];
    page.rows.push_back({std::to_string(i + 1), row.text, meaning_of(row.cost),
                         refuses(row) || allowed() != Approve::refuse, refuses(row)});
  }
  return to_response(page, status);
}

// Without the dialog: nothing can be done with this link any more.
Response Approving::tell(const Approval& approval, const std::string& what, int status) const {
  ApprovePage page{.agent = approval.agent, .machine = os::host_name(), .note = what};
  page.bad = status >= 400;
  return to_response(page, status);
}

std::string Approving::refusing_row(const Approval& approval) const {
  const model::Dialog* dialog = dialog_of(approval);
  for (size_t i = 0; dialog && i < dialog->rows.size(); ++i)
    if (refuses(dialog->rows[i])) return std::to_string(i + 1);
  return "";
}

Response Approving::answer(const Clock& now, const Request& request, const Target& target,
                           std::unique_ptr<Exchange>& going_on) {
  if (allowed() == Approve::off)
    return refusal(404, "there is nothing at this path", "links are off: pawl serve --approvals");
  const std::string link = target.parts.size() >= 2 ? target.parts[1] : "";
  const bool one_tap = target.parts.size() == 3 && target.parts[2] == kRefuse;
  const auto approval = target.parts.size() == 2 || one_tap ? approvals_.read(link) : std::nullopt;
  if (!approval) return stranger(now, request);
  const bool looks = request.method == "GET" || request.method == "HEAD";
  if (!looks && request.method != "POST") return refusal(405, "only GET and POST here", "", 2);
  if (approvals_.used(*approval)) {
    const std::string outcome = approvals_.outcome(*approval);
    return tell(
        *approval,
        outcome.empty() ? "This link was used. What came of it is in pawl events." : outcome,
        looks ? 200 : 409);
  }
  if (approvals_.over(*approval, now.wall))
    return tell(*approval, "This link has ended. The dashboard shows what it asks.", 410);
  if (!dialog_of(*approval))
    return tell(*approval,
                "It does not ask this any more. It was answered, or asks something else by now.",
                looks ? 200 : 409);
  if (looks) return show(*approval, link, "", 200);
  if (auto foreign = guard_.refuse_origin(request)) return *foreign;
  if (auto agent = refuse_inside(now, engine_, server_, request, "answer")) return *agent;
  if (one_tap) return act(now, request, *approval, link, {refusing_row(*approval), ""}, going_on);
  const auto form = form_of(request.body);
  if (!form) return show(*approval, link, "That was no form of this page.", 400);
  Wish wish;
  if (const auto row = form->find("row"); row != form->end()) wish.row = row->second;
  if (const auto code = form->find("code"); code != form->end()) wish.code = code->second;
  return act(now, request, *approval, link, wish, going_on);
}

std::string Approving::permitted_by(const Clock& now, const Request& request,
                                    const Approval& approval, const Wish& wish, std::string& why) {
  bool shown = false;
  const auto who = guard_.recognise(request, now, shown);
  const bool operates = who && who->role == Role::operator_;
  // A cookie alone is no wish: the page that sends it has to be ours.
  if (operates && (!who->by_cookie || request.header("origin")))
    return fmt::format("{} ({}), approval link", word(who->role), who->credential);
  why = "Permitting this needs a browser that is signed in as operator: pawl serve --url";
  if (allowed() != Approve::code) return "";
  if (!approvals_.takes_codes(approval)) {
    why += ". There were too many wrong codes: this link takes none any more";
    return "";
  }
  why += ", or the code from the message in another channel.";
  if (trim(wish.code).empty()) return "";
  if (approvals_.fits(approval, wish.code)) return "approval link and code";
  guard_.failed(request, now.mono);
  doormat_.refused(now, request, "wrong code for an approval link");
  why = "That code is wrong.";
  return "";
}

Response Approving::act(const Clock& now, const Request& request, const Approval& approval,
                        const std::string& link, const Wish& wish,
                        std::unique_ptr<Exchange>& going_on) {
  const model::Dialog* dialog = dialog_of(approval);
  const model::DialogRow* row = dialog ? row_at(*dialog, wish.row) : nullptr;
  if (!row) return show(approval, link, "Nothing was chosen: there is no such row.", 400);
  std::string by = "approval link";
  if (!refuses(*row)) {
    if (allowed() == Approve::refuse)
      return show(approval, link, "With this link one can only refuse.", 403);
    std::string why;
    by = permitted_by(now, request, approval, wish, why);
    if (by.empty()) return show(approval, link, why, 403);
  }
  if (const auto taken = approvals_.take(approval, now.wall); !taken)
    return show(approval, link, "Nothing was chosen: " + taken.error().what, 503);
  by += fmt::format(" sent by {} from {}", approval.via, request.peer.address);
  return press(now, by, approval, link, *row, wish.row, going_on);
}

// When nothing was pressed, the link is as good as before.
Response Approving::press(const Clock& now, const std::string& by, const Approval& approval,
                          const std::string& link, const model::DialogRow& row,
                          const std::string& number, std::unique_ptr<Exchange>& going_on) {
  auto verb = std::make_unique<VerbCall>(engine_, server_, Route::Kind::verb, false);
  verb->after = [this, approval, link, text = row.text, at = now.wall](const Response& answer) {
    const std::string verdict = verdict_of(answer);
    if (answer.status == 200 && (verdict == "confirmed" || verdict == "unverified")) {
      const std::string outcome =
          fmt::format("Answered with “{}” at {} UTC{}.", text, rfc3339(at).substr(11, 5),
                      verdict == "confirmed" ? "" : ", and not seen to be taken: look at it");
      approvals_.came_of_it(approval, outcome);
      return tell(approval, outcome, 200);
    }
    approvals_.give_back(approval);
    const std::string why = said(answer);
    return show(approval, link, "Nothing was chosen" + (why.empty() ? "." : ": " + why), 409);
  };
  verb->begin(now, Json::object({{"version", 1},
                                 {"verb", "answer"},
                                 {"args", Json::object({{"name", approval.agent},
                                                        {"row", number},
                                                        {"dialog", approval.dialog}})},
                                 {"cwd", os::absolute("~", "/")},
                                 {"by", by},
                                 {"web", true},
                                 {"browser", true}}));
  auto response = verb->follow(now, {});
  if (response) return *response;
  going_on = std::make_unique<Exchange>(std::move(verb));
  return {};
}

}  // namespace pawl::serve
