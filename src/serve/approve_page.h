#pragma once
// The page behind a link of approvals.h: one question, what it is about, and its rows. Plain HTML without a script, which shows
// nothing else of the fleet. Pure.

#include <string>
#include <vector>

#include "serve/approvals.h"
#include "serve/message.h"

namespace pawl::serve {

struct ApproveRow {
  std::string number;  // from 1
  std::string text;
  std::string meaning;
  bool offered = false;  // there is a button for it
  bool refuses = false;
};

struct ApprovePage {
  std::string agent;
  std::string machine;
  std::string note = {};  // what came of it, or what is wrong; empty: nothing yet
  bool bad = false;       // … and it is an error
  std::string question = {};
  std::string subject = {};
  std::vector<ApproveRow> rows = {};  // none: nothing can be answered here
  std::string link = {};              // where its form goes
  std::string until = {};
  Approve approve = Approve::login;
  bool takes_codes = false;
};

Response to_response(const ApprovePage& page, int status);

// A form's fields ("row=1&code=4832-0179"). Nothing when it is none, or has too many.
std::optional<std::map<std::string, std::string>> form_of(const std::string& body);

}  // namespace pawl::serve
