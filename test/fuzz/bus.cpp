// Any bytes as frames of the bus's wire, either way, and as what a NATS key or a credentials file would be: no crash; what is understood
// is said again in the same words.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "api/frame.h"
#include "fleet/bus_names.h"
#include "fleet/bus_wire.h"
#include "fleet/nkey.h"

namespace {

using namespace pawl;

void require(bool condition) {
  if (!condition) std::abort();
}

std::string payload_of(const std::string& frame) {
  api::FrameReader reader(fleet::kMaxBusFrame);
  reader.feed(frame);
  auto one = reader.next();
  require(one && *one);
  return (*one)->payload;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (auto said = fleet::read_to_bus(bytes))
    require(fleet::read_to_bus(payload_of(fleet::bus_frame(*said))) == *said);
  if (auto said = fleet::read_from_bus(bytes))
    require(fleet::read_from_bus(payload_of(fleet::bus_frame(*said))).has_value());
  if (auto key = fleet::nkey_in(bytes)) require(fleet::valid_public_key(key->key));
  if (fleet::valid_subject(bytes, fleet::Wildcards::some))
    require(bytes.find_first_of(" \r\n\t\"") == std::string_view::npos);
  api::FrameReader reader(fleet::kMaxBusFrame);
  reader.feed(bytes);
  for (auto frame = reader.next(); frame && *frame; frame = reader.next())
    (void)fleet::read_to_bus((*frame)->payload);
  return 0;
}
