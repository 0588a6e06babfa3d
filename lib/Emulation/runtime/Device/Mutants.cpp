//===- Mutants.cpp - which barrier or atomic operation of the program is taken out --------------------===//
// test/Mutation numbers them and builds all mutants of a program at once.
#include "Block.h"

namespace emulation {

static unsigned mutant = 0; ///< 0: the program as it is
static std::vector<bool> reached(1000);

bool isMutated(unsigned point) {
  if (mutant == 0) reached.at(point) = true;
  return point == mutant;
}

} // namespace emulation

extern "C" {
/// Takes out the one with that number; forgets which ones were reached.
void emulationSelectMutant(unsigned number) {
  emulation::mutant = number;
  emulation::reached.assign(emulation::reached.size(), false);
}
/// Whether the program as it is has executed it since.
int emulationReached(unsigned number) { return emulation::reached.at(number); }
}
