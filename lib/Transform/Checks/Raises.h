//===- Raises.h - where a call may end, with what has been stored so far ----------------------------------===//
#pragma once
#include "appyc/IR/Rewrite.h"
#include <functional>
#include <optional>
#include <vector>

namespace appyc::transform {

/// Does a check stand in the statement, or what prints, which may raise?
bool mayRaise(const ir::Stmt& s);

/// Is it what Python makes the text of the check behind it of?
bool isText(const ir::Stmt& s);
/// Does it store into arrays of the caller's, who sees what is in them when the call has raised?
bool isSeenByCaller(const ir::Stmt& s, const ir::Function&);

/// The check with another number for each of its message's, as `told` says; where that gives an empty handle, `?` stands for it.
ir::Require withNumbers(ir::Require check, const std::function<ir::Expr(const ir::Expr&)>& told);

/// A loop that does not stop where it fails, but tells afterwards whether it did.
struct FailuresNoted {
  ir::Buffer first; ///< which iteration failed
  std::vector<ir::Stmt> before;
  ir::Stmt loop;
  std::vector<ir::Stmt> behind; ///< raises what failed first
};
/// Where nobody can see that more iterations ran than Python's: the arrays they store into are the function's own, or the
/// exception is LinAlgError, after which an array of the caller's may hold more of what was computed. None for loops that
/// print, or that may not end. Numbers of a message that the iteration's does not tell are `?` then.
std::optional<FailuresNoted> failuresNoted(const ir::Function& function, const ir::For& loop, Span span);

} // namespace appyc::transform
