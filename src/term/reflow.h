#pragma once
// Rows of cells wrapped anew for another width: rows that go on with the same line of text are joined, then cut where the new width
// ends. Places (cursor, marks) go along with the character they stand on. Called by the interpreter when a terminal gets another
// width; knows no screen.

#include <vector>

#include "term/cell.h"

namespace pawl::term {

class Reflow {
 public:
  struct Row {
    std::vector<Cell> cells;  // at most as many as the width
    bool wrapped = false;     // the next row goes on with the same line of text
  };
  // Where something stands. `behind`: after the character in the last column, where the next one would start a new row.
  struct Spot {
    int row = 0, col = 0;
    bool behind = false;
    bool operator==(const Spot&) const = default;
  };

  explicit Reflow(int cols) : cols_(cols) {}

  // The next row as it was. Spots on it are told first: follow(), then add().
  void add(const Cell* cells, int used, bool wrapped);
  size_t follow(int col, bool behind);  // the number to ask where() for
  void finish();                        // a line that was to go on ends

  std::vector<Row>& rows() { return rows_; }
  Spot where(size_t number) const { return spots_[number]; }

 private:
  void wrap_line();
  Spot spot_of(size_t offset, const std::vector<size_t>& starts, size_t first_row) const;

  struct Followed {
    size_t number, offset;
  };
  int cols_;
  std::vector<Cell> line_;  // the line of text so far
  bool going_on_ = false;
  std::vector<Followed> followed_;  // on it
  std::vector<Row> rows_;
  std::vector<Spot> spots_;
};

}  // namespace pawl::term
