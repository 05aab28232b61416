#include "daemon/unit_ground.h"

#include "base/text.h"
#include "model/task.h"
#include "os/file.h"
#include "os/random.h"

namespace pawl::daemon {

using fleet::Came;

UnitGround::UnitGround(os::Loop& loop, std::string home, const std::string& unit, const Json& task,
                       const std::function<void()>& soon)
    : home_(std::move(home)), prompt_(model::prompt_place(home_, os::random_uuid())) {
  blob_ = task["blob"];
  if (!blob_.is_object()) inline_prompt(task["prompt"].as_string());
  const Json& git = task["args"]["git"];
  if (git.is_string() && !trouble_) clone(loop, unit, git.as_string(), soon);
}

void UnitGround::inline_prompt(const std::string& coded) {
  const auto text = from_base64(coded);
  if (!text || text->empty()) return fail_with(Came::unfit, "its prompt cannot be read");
  keep_prompt(*text);
}

void UnitGround::clone(os::Loop& loop, const std::string& unit, const std::string& git,
                       const std::function<void()>& soon) {
  const auto place = model::git_place_from(git);
  if (!place) return fail_with(Came::unfit, text_of(place.error()));
  if (!model::whole_commit(place->ref))
    return fail_with(Came::unfit, "its git remote is without a whole commit");
  auto checkout = Checkout::begin(loop, home_, unit, *place, soon);
  if (!checkout) return fail_with(Came::unfit, text_of(checkout.error()));
  checkout_ = std::move(*checkout);
}

UnitGround::~UnitGround() {
  os::remove_file(prompt_);
}

void UnitGround::fail_with(Came came, std::string because) {
  if (!trouble_) trouble_ = fleet::Ended{came, {}, std::move(because)};
}

void UnitGround::keep_prompt(const std::string& text) {
  Done kept = os::make_private_dir(home_ + "/tasks");
  if (kept) kept = os::write_atomically(prompt_, text);
  if (!kept) return fail_with(Came::unfit, text_of(kept.error()));
  prompt_there_ = true;
}

// One that is gone is gone for everybody: nobody else is to try.
void UnitGround::prompt_came(const fleet::BlobCame& came) {
  if (came.done) return keep_prompt(came.value);
  const std::string because = "its prompt did not come from the fleet: " + came.because;
  if (!came.gone) return fail_with(Came::again, because);
  trouble_ =
      fleet::Ended{Came::finished,
                   Json::object({{"status", "failed"},
                                 {"reason", "prompt_lost"},
                                 {"detail", because + "; give it again under another name"}}),
                   because};
}

void UnitGround::give_up() {
  if (!resting()) checkout_->give_up();
}

std::optional<fleet::Ended> UnitGround::trouble() const {
  if (!resting()) return std::nullopt;
  if (trouble_ || !checkout_ || *checkout_->folder()) return trouble_;
  return fleet::Ended{Came::unfit, {}, text_of(checkout_->folder()->error())};
}

std::string UnitGround::folder() const {
  return checkout_ && checkout_->folder() && *checkout_->folder() ? **checkout_->folder() : "";
}

std::string UnitGround::half_made() const {
  const bool half = checkout_ && checkout_->folder() && !*checkout_->folder();
  return half ? checkout_->half_made() : "";
}

}  // namespace pawl::daemon
