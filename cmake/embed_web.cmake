# web/dist inside the program: cmake -DDIR=web/dist -DOUT=folder -P embed_web.cmake makes OUT/assets.cpp and OUT/assets.S (and *.gz).
file(GLOB files RELATIVE ${DIR} ${DIR}/*)
list(SORT files)
set(assembler "        .section .rodata.pawl_web, \"a\"\n")
set(declared "")
set(rows "")
set(n 0)
foreach(file ${files})
  file(SHA256 ${DIR}/${file} digest)
  string(SUBSTRING ${digest} 0 16 digest)
  set(type application/octet-stream)
  if(file MATCHES "\\.html$")
    set(type "text/html; charset=utf-8")
  elseif(file MATCHES "\\.js$")
    set(type "text/javascript; charset=utf-8")
  elseif(file MATCHES "\\.css$")
    set(type "text/css; charset=utf-8")
  elseif(file MATCHES "\\.webmanifest$")
    set(type "application/manifest+json")
  elseif(file MATCHES "\\.svg$")
    set(type "image/svg+xml")
  elseif(file MATCHES "\\.png$")
    set(type "image/png")
  elseif(file MATCHES "\\.txt$")
    set(type "text/plain; charset=utf-8")
  endif()
  execute_process(COMMAND gzip -9 -n -c ${DIR}/${file} OUTPUT_FILE ${OUT}/${n}.gz COMMAND_ERROR_IS_FATAL ANY)
  foreach(form plain gzip)
    set(from ${DIR}/${file})
    if(form STREQUAL gzip)
      set(from ${OUT}/${n}.gz)
    endif()
    set(symbol pawl_web_${n}_${form})
    string(APPEND assembler "        .balign 16\n        .globl ${symbol}\n        .globl ${symbol}_end\n${symbol}:\n        .incbin \"${from}\"\n${symbol}_end:\n        .byte 0\n")
    string(APPEND declared "extern const char ${symbol}[], ${symbol}_end[];\n")
  endforeach()
  string(APPEND rows "    {\"${file}\", \"${type}\", \"\\\"${digest}\\\"\",\n     {pawl_web_${n}_plain, static_cast<size_t>(pawl_web_${n}_plain_end - pawl_web_${n}_plain)},\n     {pawl_web_${n}_gzip, static_cast<size_t>(pawl_web_${n}_gzip_end - pawl_web_${n}_gzip)}},\n")
  math(EXPR n "${n} + 1")
endforeach()
string(APPEND assembler "        .section .note.GNU-stack, \"\", %progbits\n")
file(WRITE ${OUT}/assets.S "${assembler}")
file(WRITE ${OUT}/assets.cpp "// Made by cmake/embed_web.cmake.
#include \"serve/assets.h\"

extern \"C\" {
${declared}}

namespace pawl::serve {

const Asset* find_asset(std::string_view path) {
  static const Asset kAssets[] = {
${rows}  };
  for (const auto& asset : kAssets)
    if (asset.path == path) return &asset;
  return nullptr;
}

}  // namespace pawl::serve
")
