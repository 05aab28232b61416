# One place for compiler flags. Warnings are errors, for g++ 12 and clang 14 alike.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
add_compile_options(-fstack-protector-strong)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of g++ 12 in the standard library's own string and vector code.
  add_compile_options(-Wno-restrict -Wno-stringop-overflow -Wno-maybe-uninitialized)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_definitions(_FORTIFY_SOURCE=2)
endif()
if(PAWL_SANITIZE)
  add_compile_options(-fsanitize=${PAWL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PAWL_SANITIZE})
endif()
if(PAWL_FUZZ)  # the same objects serve the tests and the fuzz targets
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
