# PAWL_STATIC=most: every library is linked in but the C library. PAWL_STATIC=all: that one, too.
# The objects are those of the other presets, so ccache has them; only what they are linked with differs.
# Debian has no static fmt and toml++: their sources are in their headers, and static_parts.cpp compiles them once.
if(NOT PAWL_STATIC MATCHES "^(most|all)$")
  message(FATAL_ERROR "PAWL_STATIC is '${PAWL_STATIC}': say most, all, or nothing")
endif()

find_package(Threads REQUIRED)
add_library(pawl_static_parts STATIC ${CMAKE_SOURCE_DIR}/cmake/static_parts.cpp)
target_compile_definitions(pawl_static_parts PRIVATE FMT_SHARED TOML_HEADER_ONLY=0 TOML_SHARED_LIB=1)

add_library(pawl_fmt INTERFACE)
target_compile_definitions(pawl_fmt INTERFACE FMT_SHARED)
target_link_libraries(pawl_fmt INTERFACE pawl_static_parts)
add_library(fmt::fmt ALIAS pawl_fmt)

function(link_in target)
  foreach(file ${ARGN})
    find_library(found_${file} NAMES ${file} REQUIRED)
    list(APPEND files ${found_${file}})
  endforeach()
  set_target_properties(${target} PROPERTIES
    INTERFACE_LINK_LIBRARIES "${files};Threads::Threads;${CMAKE_DL_LIBS};m")
endfunction()
link_in(PkgConfig::UV libuv_a.a)
link_in(PkgConfig::SQLITE libsqlite3.a)
link_in(PkgConfig::RE2 libre2.a)
link_in(PkgConfig::OPENSSL libssl.a libcrypto.a)
link_in(PkgConfig::NGHTTP2 libnghttp2.a)
link_in(PkgConfig::UTF8PROC libutf8proc.a)
link_in(PkgConfig::ZSTD libzstd.a)
link_in(pawl_http_parser libhttp_parser.a)
set_target_properties(PkgConfig::TOML PROPERTIES INTERFACE_LINK_LIBRARIES pawl_static_parts)

add_link_options(-s)
if(PAWL_STATIC STREQUAL "all")
  add_link_options(-static)
else()
  add_link_options(-static-libstdc++ -static-libgcc)
endif()
