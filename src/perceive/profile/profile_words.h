#pragma once
// The words a profile is written with (profile.cpp).

#include <array>

#include "perceive/profile/profile.h"

namespace pawl::perceive {

struct Named {
  const char* word;
  int value;
};
constexpr std::array kRegions{
    Named{"above", int(Region::above)}, Named{"below", int(Region::below)},
    Named{"box", int(Region::box)},     Named{"bottom", int(Region::bottom)},
    Named{"last", int(Region::last)},   Named{"screen", int(Region::screen)},
    Named{"next", int(Region::next)},   Named{"prompt", int(Region::prompt)}};
constexpr std::array kCursors{Named{"inside", int(BoxShape::Cursor::inside)},
                              Named{"visible", int(BoxShape::Cursor::visible)},
                              Named{"any", int(BoxShape::Cursor::any)}};
constexpr std::array kCountings{Named{"characters", int(term::Counting::characters)},
                                Named{"letters", int(term::Counting::letters)},
                                Named{"clusters", int(term::Counting::clusters)}};
constexpr std::array kCosts{Named{"free", int(Cost::free)},
                            Named{"money", int(Cost::money)},
                            Named{"allow", int(Cost::allow)},
                            Named{"deny", int(Cost::deny)},
                            Named{"permission", int(Cost::permission)},
                            Named{"destroys", int(Cost::destroys)},
                            Named{"question", int(Cost::question)}};
constexpr std::array kNotices{
    Named{"limit", int(NoticeKind::limit)},     Named{"auth", int(NoticeKind::auth)},
    Named{"context", int(NoticeKind::context)}, Named{"overload", int(NoticeKind::overload)},
    Named{"retry", int(NoticeKind::retry)},     Named{"credit", int(NoticeKind::credit)}};
constexpr std::array kMeanings{
    Named{"busy", int(Means::busy)},       Named{"idle", int(Means::idle)},
    Named{"prompt", int(Means::prompt)},   Named{"waiting", int(Means::waiting)},
    Named{"start", int(Means::start)},     Named{"end", int(Means::end)},
    Named{"failure", int(Means::failure)}, Named{"note", int(Means::note)}};
constexpr std::array kPermissionModes{"plan", "acceptEdits", "auto", "dontAsk",
                                      "bypassPermissions"};
constexpr std::array kKinds{"trust",  "permission", "login",         "limit", "survey",
                            "update", "question",   "resume-picker", "other"};
constexpr std::array kInputs{"vim",    "shell", "memory", "agents",
                             "picker", "view",  "search", "editor"};

}  // namespace pawl::perceive
