#include "ui/layout.h"

#include <algorithm>

namespace pawl::ui {

Layout layout_of(Size size) {
  const int rows = size.rows, cols = size.cols;
  Layout out;
  out.fits = rows >= kLeastRows && cols >= kLeastCols;
  if (!out.fits) return out;
  const int body = rows - 2;
  out.head = {0, 0, 1, cols};
  out.foot = {rows - 1, 0, 1, cols};
  out.beside = cols >= kBesideCols;
  if (out.beside) {
    const int list = std::clamp(cols * 2 / 5, 44, 80);
    out.list = {1, 0, body, list};
    out.rule = {1, list, body, 1};
    out.agent = {1, list + 1, body, cols - list - 1};
    return out;
  }
  const int list = std::max(3, body * 2 / 5);
  out.list = {1, 0, list, cols};
  out.rule = {1 + list, 0, 1, cols};
  out.agent = {2 + list, 0, body - list - 1, cols};
  return out;
}

}  // namespace pawl::ui
