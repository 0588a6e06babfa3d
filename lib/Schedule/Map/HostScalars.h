//===- HostScalars.h - scalars of the host program, before and after some move to the device ------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <vector>

namespace appyc::schedule {

/// Types of all scalars of a function, by their assignments and uses.
std::map<Symbol, ir::DType> scalarTypes(const ir::Function& function);
/// A parallel loop whose bound is read from an array the loop itself writes: the bound is read once, before.
ir::Stmt readBoundsFirst(const ir::Stmt&);
/// Without those of `stores`, of what the host knows as well, that only the host fetches again.
ir::Stmt withoutIdle(const ir::Stmt& body, const std::vector<ir::Stmt>& stores);

} // namespace appyc::schedule
