#pragma once
// Reading recordings back: which files there are, the terminal at the end of one, and the text for `pawl logs`.

#include <functional>
#include <string>
#include <vector>

#include "store/recording.h"

namespace pawl::store {

struct Part {
  std::string path;  // its plain name, also when it is compressed (part_file.h)
  SessionId session;
  int number = 0;
};

// All parts in `dir`, oldest first.
std::vector<Part> parts_in(Disk& disk, const std::string& dir);
std::string part_path(const std::string& dir, SessionId session, int number);

struct PartEnd {
  term::CastHeader header;
  Recovered recovered;
  uint64_t whole_bytes = 0;  // of the text; what follows is a line cut in two by a kill
  std::string damage;        // of a compressed part: why there is no more of it
};
// The last keyframe of the file and everything after it.
Result<PartEnd> read_end(Disk& disk, const std::string& path);

// Puts one event into what was recovered so far: a keyframe starts over; resizes keep their place between the output.
void take(Recovered& recovered, term::CastDecoder& decoder, const term::CastEvent& event);
// "COLSxROWS" of a resize.
std::optional<Size> parse_size(const std::string& text);

// [12.345678, "o", …: the time and the code of a line, without its data.
struct LineHead {
  double t = 0;
  char code = 0;
};
std::optional<LineHead> line_head(std::string_view line);

// The exact output bytes of these parts, in order, without the repaint a later part begins with.
Result<std::string> output_of(Disk& disk, const std::vector<Part>& parts,
                              std::string* damage = nullptr);
// The same, as much as the last `limit` bytes of the newest parts need. `damage`: where to say that some of it cannot be read.
Result<std::string> recent_output(Disk& disk, const std::string& dir, size_t limit,
                                  std::string* damage = nullptr);

}  // namespace pawl::store
