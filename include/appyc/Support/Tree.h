//===- Tree.h - immutable trees: shared handles over a closed variant of plain structs ----------===//
#pragma once
#include <memory>
#include <utility>
#include <variant>

namespace appyc {

/// Lambdas as one overload set for std::visit.
template <class... Fs> struct Overloaded : Fs... { using Fs::operator()...; };
template <class... Fs> Overloaded(Fs...) -> Overloaded<Fs...>;

/// Handle to an immutable node. `Node` has a member `std::variant<...> node`.
/// A default-made handle is empty. Equality is identity: a rewrite that changes nothing returns the same
/// handle.
template <class Node> class Ref {
public:
  Ref() = default;
  Ref(std::shared_ptr<const Node> p) : p_(std::move(p)) {}
  explicit operator bool() const { return p_ != nullptr; }
  bool operator==(const Ref& o) const { return p_ == o.p_; }
  const Node& operator*() const { return *p_; }
  const Node* operator->() const { return p_.get(); }
  const Node* get() const { return p_.get(); }
  /// The node as a T, or null.
  template <class T> const T* as() const { return p_ ? std::get_if<T>(&p_->node) : nullptr; }
  template <class T> bool is() const { return as<T>() != nullptr; }

private:
  std::shared_ptr<const Node> p_;
};

/// Exhaustive case analysis: a missing case does not compile.
template <class Node, class... Fs> decltype(auto) match(const Ref<Node>& r, Fs&&... fs) {
  return std::visit(Overloaded{std::forward<Fs>(fs)...}, r->node);
}

} // namespace appyc
