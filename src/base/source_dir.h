// Where the sources of this build stand. Only for tests and benchmarks: recordings and stories are read from there.
//
// A function and not a definition on the command line, so that the compiler's cache serves every clone.
#pragma once

namespace pawl {

const char* source_dir();

}  // namespace pawl
