//===- HostScalars.h - scalars of the host program, before and after some move to the device ------------===//
#pragma once
#include "Units.h"
#include "appyc/IR/Nodes.h"
#include <map>
#include <set>
#include <vector>

namespace appyc::schedule {

/// Types of all scalars of a function, by their assignments and uses.
std::map<Symbol, ir::DType> scalarTypes(const ir::Function& function);
/// A parallel loop whose bound is read from an array the loop itself writes: the bound is read once, before.
ir::Stmt readBoundsFirst(const ir::Stmt&);
/// Scalars that nothing but a number in memory is assigned to, once, which a library writes once: it is their home.
std::map<Symbol, ir::Buffer> numbersHeld(const ir::Function& function);
/// Without those of `stores`, of what the host knows as well, that only the host fetches again.
ir::Stmt withoutIdle(const ir::Stmt& body, const std::vector<ir::Stmt>& stores);

/// Does the unit compute scalars of scalars alone, right before the function returns them?
bool isOfResults(const std::vector<Unit>& units, const Unit& unit);
/// Its statements for the host, which fetches what it is `asked` for from where that is kept; copies right away.
std::vector<ir::Stmt> computedOnHost(const Unit& unit, const std::set<Symbol>& results,
                                     const std::map<Symbol, ir::Buffer>& asked);

/// Is `name` assigned by one statement of the list and read by none? Then it can be stored at once.
bool isOnlyResult(const std::vector<ir::Stmt>& list, const Symbol& name);

/// Of a run: what it sets anew to what the host knows goes by another name from there on, as the host may set that before.
///   t = t_device[]; k[t] = 1; t = 5; t_device[] = t  =>  t = t_device[]; k[t] = 1; u = 5; t_device[] = u
std::vector<ir::Stmt> withKnownApart(const std::vector<ir::Stmt>& run);

/// Scalars of the device, not of the nest itself, that the host has to know, as it makes the nest's arrays: nothing else bounds
/// an extent.
std::set<Symbol> scalarsOfArrays(const ir::Stmt& nest, const std::set<Symbol>& ofDevice,
                                 const std::set<Symbol>& ofNest);

} // namespace appyc::schedule
