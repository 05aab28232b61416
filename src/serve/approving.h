#pragma once
// /approve/LINK: shows the dialog that a link is for (approvals.h), and answers it. Looking changes nothing: chat programs fetch links
// by themselves. What answers is a POST.
//
// Refusing needs the link alone. Permitting needs an operator's cookie or the link's code too, as `approve` says. The answer goes the
// way of every other one, bound to the dialog's id: when the agent asks something else by now, nothing is pressed.

#include <functional>
#include <memory>

#include "serve/approve_page.h"
#include "serve/doormat.h"
#include "serve/exchange.h"
#include "serve/guard.h"

namespace pawl::serve {

class Approving {
 public:
  Approving(core::Engine& engine, api::Server& server, Guard& guard, Doormat& doormat,
            Approvals& approvals)
      : engine_(engine), server_(server), guard_(guard), doormat_(doormat), approvals_(approvals) {}

  void allow(Approve approve) { approve_ = approve; }
  Approve allowed() const { return guard_.doors().control ? approve_ : Approve::off; }

  // Whether a body may come with it: it has a link of ours.
  bool knows(const Target& target) const;
  // `target` begins with "approve".
  Response answer(const Clock& now, const Request& request, const Target& target,
                  std::unique_ptr<Exchange>& going_on);

 private:
  struct Wish {
    std::string row;  // its number
    std::string code;
  };
  Response stranger(const Clock& now, const Request& request);
  Response show(const Approval& approval, const std::string& link, const std::string& note,
                int status) const;
  Response tell(const Approval& approval, const std::string& what, int status) const;
  const model::Dialog* dialog_of(const Approval& approval) const;
  // The number of the first row that refuses; empty: there is none.
  std::string refusing_row(const Approval& approval) const;
  // By whom a row that permits is chosen; empty: nobody who may, and `why`.
  std::string permitted_by(const Clock& now, const Request& request, const Approval& approval,
                           const Wish& wish, std::string& why);
  Response act(const Clock& now, const Request& request, const Approval& approval,
               const std::string& link, const Wish& wish, std::unique_ptr<Exchange>& going_on);
  Response press(const Clock& now, const std::string& by, const Approval& approval,
                 const std::string& link, const model::DialogRow& row, const std::string& number,
                 std::unique_ptr<Exchange>& going_on);

  core::Engine& engine_;
  api::Server& server_;
  Guard& guard_;
  Doormat& doormat_;
  Approvals& approvals_;
  Approve approve_ = Approve::login;
};

}  // namespace pawl::serve
