//===- Lowering.h - the state of lowering one function with one signature ------------------------------===//
// One class whose methods stand in the files that are named here.
#pragma once
#include "Arguments.h"
#include "LoweringState.h"
#include "Message.h"
#include "Names.h"
#include "Reductions.h"
#include "Value.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Sema/Sema.h"
#include <map>
#include <optional>
#include <set>

namespace appyc::sema {

struct IndexArrays;
struct IndexPart;
struct AxisMap;

class Lowering : private LoweringState {
public:
  using LoweringState::LoweringState;
  std::optional<ir::Function> run(const ast::Function& fn, const ast::Signature& signature,
                                  const std::vector<SameSize>& same, bool stretch);

private:
  using Names = std::set<std::string>;
  using Stmts = std::vector<ir::Stmt>;
  using Action = std::function<void()>;
  using Values = std::vector<Value>;
  using Rebindings = std::vector<Rebinding>;
  // Order.cpp: Python's order of evaluation
  friend class Waiting;
  void fixWaiting(const ir::Stmt& s);
  Value fixed(const Value& v, bool isPlace, const std::function<bool(const Expr&)>& isOpen);
  Array withFixedSubscripts(const Array& a, const std::function<bool(const Expr&)>& isOpen);
  Value chosen(const Expr& cond, const std::function<Value()>& then, const std::function<Value()>& otherwise,
               Span where, const std::function<std::optional<Value>(const Scalar&, const Scalar&)>& plain);
  Value evalCompare(const ast::Compare& c, Span where);
  Value compareFrom(const ast::Compare& c, size_t k, const Value& first, Span where);
  Value evalBool(const ast::BoolExpr& b, Span where);
  Value evalConditional(const ast::Conditional& c, Span where);
  // Unbound.cpp: names that have no value on some path
  bool isKnown(const Expr& bound) const;
  bool requireBound(const std::string& name, Span where);
  bool isAdded(const std::string& name) const;
  bool isExposed(const std::string& name);
  void setBoundIf(const std::string& name, const Expr& bound, const Stmts& made);
  void lose(const std::string& name, std::string why);
  void beginBound();
  void joinBound(const Expr& cond, const Env& thenEnv, const Stmts& thenList, const Env& elseEnv,
                 const Stmts& elseList);
  bool bindsOnOneSide(const Env& thenEnv, const Env& elseEnv);
  void boundIfRan(const Env& before, const std::function<Expr()>& ran, const Stmts& body, const Symbol& at);
  // Sema.cpp: parameters and results
  bool bindParameters(const ast::Function& fn, const ast::Signature& signature);
  bool bindScalar(const ast::Parameter& param, const ast::TypeSpec& type);
  bool bindValue(const ast::Parameter& param, const ast::TypeSpec& type);
  Value bindRecord(const ast::Parameter& param, const ast::ClassRef& type, ir::Form& form,
                   const std::string& place);
  bool bindArray(const ast::Parameter& param, const ast::TypeSpec& type, int position);
  Expr extentOf(const std::string& text, const ast::TypeSpec& type, const std::string& param, int, int);
  std::optional<Expr> sameSize(int position, int axis) const;
  // Results.cpp
  ir::Form formOf(const Value& v, Names& seen, std::vector<Value>& values);
  void bindResults(const Value& returned, const ast::Signature& signature);
  void checkDeclaredResults(const ast::Signature& signature, size_t count);
  void addResult(const Value& value, Span where, bool isShared);
  void addView(const Array& a, const std::vector<Symbol>& places);
  void addPart(const Array& a);
  void addUnbounded(const Array& given);
  std::optional<std::vector<ir::ViewAxis>> axesOfView(const Array& a) const;
  std::vector<Symbol> placesOf(Symbol buffer) const;
  bool makeResult(Symbol buffer, bool isHidden);
  Symbol hiddenNumber(const Expr& e, const char* what);
  Expr viewNumber(const Expr& e, const char* what);
  bool isEntryExpr(const Expr& e) const;
  bool isCallers(Symbol buffer) const, isArrayResult(Symbol buffer) const;
  bool refuseCopyOfCaller(const Array&a), addChosen(const Array&a);
  void standsFor(const Array& copy, const Array& a, Span where);
  // Statements.cpp
  Value lowerBody(const ast::Function& fn);
  std::optional<Returned> lowerStatements(const ast::Body& body, size_t from, const Rest* rest = nullptr);
  void lowerStatement(const ast::Stmt& s);
  void lowerAssign(const ast::Assign& s);
  void lowerAugAssign(const ast::AugAssign& s, Span span);
  Value updatedBy(const ast::AugAssign& s, const Value& current, Span span);
  void lowerUpdate(const ast::AugAssign& s, Span span);
  Value evaluatedOnce(const Value& v, const std::string& hint);
  void forget(const ast::Expr& target);
  void assignTo(const ast::Expr& target, const Value& value);
  std::optional<Array> evalPlace(const ast::Expr& target);
  using Updating = std::function<Value(const Value&)>;
  bool storePart(const ast::Expr& target, const Updating& value, bool inPlace);
  bool runsOnce(const std::string& name, const Value& made, uint32_t where);
  void assignName(const std::string& name, const Value& value, Span where);
  void assignPlace(const Array& place, const Value& v, Span where, std::optional<ir::ReduceOp> atomic = {});
  std::optional<Returned> lowerIf(const ast::If& s, const Rest& rest, Span span);
#include "Trying.def"
  std::optional<Returned> lowerRaising(const ast::If& s, const Expr& cond, const Rest& rest, Span span);
  void lowerRaise(const ast::Raise& s, const Expr& unless);
  void lowerAssert(const ast::Assert& s);
  void enterContext(const ast::Expr& context);
#include "Printing.def"
  static Value partialOf(const Arguments& args); // Closures.cpp
  Value callPartial(const Value& made, const Arguments& more);
  bool returnAlike(const std::optional<Returned>& then, const std::optional<Returned>& otherwise, Span where);
  Value joinReturned(const Returned& a, const Returned& b, const Sides& s, Span,
                     const std::string& name = "");
  std::optional<Expr> whichOf(const Array& a, std::set<Symbol>& of) const;
  void noteChosen(const Array& joined, const Array& then, const Array& otherwise, const Sides& sides);
  void giveBackChosen();
  void joinBranches(const Env& before, Env thenEnv, Env elseEnv, const Sides& sides);
  bool substitutable(const std::string& name, const Scalar& value) const;
  // Loops.cpp
  void lowerFor(const ast::For& s, Span span);
  void lowerWhile(const ast::While&s, Span span), fixRange(RangeValue&range, Span where);
  bool lowerCounted(const ast::While& s, Span span);
  void lowerLoop(const ast::For& s, const RangeValue& range, Span span, const std::string& hint,
                 const Names& bound, const std::function<void(const Expr&)>& bind);
  void quietFor(const ast::For& s);
  // Iteration.cpp, Itertools.cpp: what a `for` may run over
  struct Steps;
  std::optional<Steps> stepsOf(const Value& v, Span where);
  std::optional<Steps> stepsOfDict(const IteratorValue& v, Span where);
  std::optional<Steps> stepsOfIterator(const IteratorValue& v, Span where);
  std::optional<Steps> stepsOfItertools(const IteratorValue& v, Span where);
  std::optional<Steps> partOf(const Steps& all, const IteratorValue& v, Span where);
  RangeValue keptRange(const RangeValue& r);
  Value rangeItem(const RangeValue& r, const std::vector<ast::Expr>& index, Span where);
  Value iterated(const Value& v);
  std::optional<TupleValue> takenApart(const Value& v, size_t count, Span where);
  void bindItem(const ast::Expr& target, const Value& value);
  void lowerForEach(const ast::For& s, const Value& over, Span span);
  void lowerWrittenOut(const ast::For& s, const Steps& steps, int64_t count);
  Expr goesOn(const Expr& cond, const ast::Expr& unless);
  void refuseOverrun(const RangeValue& range, Span where);
  ir::For loopHeader(const ast::For& s, const RangeValue& range);
  Stmts loopBody(const void* key, const ast::Body& body, const LoopNames& binds, const ast::Expr& condition,
                 const Action& prologue, const Action& epilogue);
  bool widenLoopNames(const Names& names, const Env& entry, LoopTypes& known, uint32_t place);
  void prepareLoopNames(const Names& names, const LoopTypes& known, const ir::For& loop);
  void copyBack(const Names& names, const Env& entry);
  void spread(const std::string& name, Names& parts);
  Value gathered(const std::string& name, const Value& like);
  Names spreadParts(const Names& names, const LoopTypes& known, std::map<std::string, Value>& built);
  bool spreadAgain(const std::map<std::string, Value>& built, LoopTypes& known);
  Value ownList(const std::string& name, const Value& v);
  void putLists(const Names& lists, const Env& entry);
  bool hasOtherName(const std::string& name, const Value& v, const Env& here);
  Value joinLists(const Value& a, const Value& b, const Sides& s, Span where, const std::string& name);
  Rebindings exchangedArrays(const Names& names, const Env& entry) const;
  Rebindings passedOnArrays(const Names& names, const Env& entry) const;
  bool isViewedElsewhere(const std::set<Symbol>& buffers, const Rebindings& by, const Env& entry) const;
  void exchange(const Rebindings& arrays);
  void followExchange(const std::map<Symbol, ir::Buffer>& moved);
  void exchangeInBranch(const Env& before, Env& after, Stmts& list);
  Span boundAt(const std::string& name);
  // Outliving.cpp
  void leaveScope(Stmts& list, const ast::Body& body, const ir::For* loop);
  bool isAskedBehind(const std::string& name) const;
  std::optional<Expr> extentOutside(const Expr& extent, const std::set<Symbol>& inside,
                                    const ir::For* loop) const;
  bool outlives(Stmts& list, const ir::Buffer& made, const ir::For* loop);
  void loseViewsAt(const Symbol& index);
  void loseViewsOf(const std::set<Symbol>& buffers, const Env& entry);
  // Directives.cpp
  int constantOption(const std::string& text, Span where);
  ast::LoopMark markOf(const ast::For& s);
  Expr askedThreads(const std::string& count, Span where, const Expr& trips = {});
  void applyCounts(size_t first, const ast::StatementDirective& d);
  ast::LoopMark markOfIterator(const ast::Expr& iter);
  void checkClauses(const ast::For& s);
  void applyDirective(size_t first, const ast::StatementDirective& d, const ast::Expr& target);
  bool describes(const ast::StatementDirective& d, const ir::IndexStmt& s);
  struct Claim;
  std::optional<Expr> claimedExtent(const ast::DimDirective& dim);
  void claimReduction(std::vector<Claim>& claims, const ir::Reduce& r);
  ir::IndexStmt claimDomain(std::vector<Claim>& claims, ir::IndexStmt s);
  void reportClaim(const Claim& claim, const std::string& target);
  bool runsOver(const Expr& extent, const Expr& claimed);
  void requireAtMost(const Expr& extent, int limit, const ast::DimDirective& dim, size_t first);
  void bindDimInfo(const ast::FunctionDirective& d);
  // Atomics.cpp
  bool lowerAtomic(const ast::Expr& target, const ast::Expr& value, std::optional<ast::BinaryOp> op);
  Value updateOf(const Array& place, const ast::Expr& operand);
  bool lowerAtomicCall(const ast::Call& c, Span where);
  void storeAtomic(const Array& place, Value v, ir::ReduceOp op, bool negate, bool python, Span where);
#include "Paths.def"
  // Expressions.cpp
  Value eval(const ast::Expr& e) { return present(evalMaybe(e), e->span); }
  Value evalMaybe(const ast::Expr& e); ///< or None, on some path
  void evalItems(const std::vector<ast::Expr>& items, Waiting& into);
  Value evalName(const ast::Name& n, Span where);
  Value builtinName(const std::string& name, Span where);
  Value evalAttribute(const ast::Attribute& a, Span where);
  std::optional<Scalar> scalarOf(const Value& v, std::string_view what, Span where);
  std::optional<Scalar> evalScalar(const ast::Expr& e, std::string_view what);
  std::optional<Expr> evalIndexExpr(const ast::Expr& e, std::string_view what); ///< integer, as I64
  std::optional<Scalar> conditionOf(const ast::Expr& e);
  Expr evalCondition(const ast::Expr& e);
  std::optional<int64_t> evalConstant(const ast::Expr& e);
  // Scopes.cpp: names of files, modules of the user's
  std::optional<Value> fileName(const FileScope& scope, const std::string& name, Span where);
  Value importedAt(const std::string& path, Span where);
  Value moduleAttribute(const FileScope& module, const std::string& name, Span where);
  bool isReadable(const FileScope& module);
  std::string whereSought(const std::string& path) const;
  void lowerImport(const ast::LocalImport& s);
  // Closures.cpp
  Value closureOf(const ast::FunctionRef& made, Span where);
  Frame* frameOf(int id);
  bool keepForClosure(Span where);
  std::optional<Value> enclosingName(const std::string& name, Span where);
  void addCaptured(Names& names);
  Value evalWalrus(const ast::Walrus& w, Span where);
  void lowerDelete(const ast::Delete& s);
  std::optional<TupleValue> withStarred(const std::vector<ast::Expr>& targets, const TupleValue& given, Span);
  Value callValue(const Value& callee, const Arguments& args, bool isUsed);
  // Records.cpp: dicts, dataclasses, named tuples
  RecordValue makeRecord(const ast::ClassRef& type, const std::vector<std::pair<std::string, Value>>& fields);
  Value fieldOf(const RecordValue& r, const std::string& field, Span where);
  std::vector<Value> fieldsOf(const RecordValue& r, Span where);
  void setField(const RecordValue& r, const std::string& field, const Value& value, Span where);
  Value keptPart(const Value& v, const std::string& hint);
  using Field = FieldOf;
  std::optional<Field> fieldAt(const ast::Expr& target);
  std::optional<Value> recordAt(const ast::Expr& e);
  std::optional<Value> objectAt(const ast::Expr& e);
  void assignField(const Field& field, const Value& value, Span where);
  std::optional<Value> recordAttribute(const Value& base, const std::string& name, Span where);
  std::optional<Value> callOfRecords(const std::string& path, const Arguments& args);
  const NameFacts& factsOfField(const std::string& field);
  UserFunction functionOf(const ast::ClassRef& type, const ast::Class::Method& method);
  std::optional<Value> ofClass(const ast::ClassRef& type, const Value& base, const std::string& name);
  bool storeByClass(const ast::Expr& target, const Value& v, const Updating& updated = {});
  std::optional<Value> updateOfClass(const ast::AugAssign& s, const Value& current, Span where);
  std::optional<Value> callSpecial(const std::string& name, const Values& given, Span where);
  std::optional<Value> operatorOfClass(ast::BinaryOp op, const Value& a, const Value& b, Span where);
  Value callOwnMethod(const ast::ClassRef& type, const ast::Class::Method& method, const Value& self,
                      Arguments args);
  std::optional<Value> callRecordMethod(const Value& self, const std::string& name, const Arguments& args);
  Value callClass(const ast::ClassRef& type, const Arguments& args);
  Value instanceOf(const ast::ClassRef& type, const Values& values);
  Value replaced(const Value& self, const Arguments& args);
  Value makeNamedTuple(const Arguments& args);
  Value makeDeque(Arguments args);
  bool isFieldChanged(const Env& before, Span where);
  Names changedFields(const Env& entry, const Names& names);
  bool isSharedBeside(const RecordValue& a, const RecordValue& b, const std::string& name) const;
  Value joinRecords(const Returned& a, const Returned& b, const Sides& s, Span, const std::string& name);
  // Dicts.cpp
  std::optional<std::string> keyOf(const Value& v) const;
  Value evalDict(const ast::Dict& d, Span where);
  bool dropKey(const RecordValue& dict, const std::string& key, Span where);
  Value dictOf(const std::vector<std::pair<std::string, Value>>& items, Span where);
  void addItems(const RecordValue& dict, Span where, std::vector<std::pair<std::string, Value>>& items);
  Value recordItem(const RecordValue& r, const std::vector<ast::Expr>& index, Span where);
  bool hasKnownKeys(const RecordValue& dict, Span where);
  Value callDictMethod(const RecordValue& self, const std::string& name, const Arguments& args);
  std::vector<std::string> keysOfDicts(const Value& over) const;
  // Comprehensions.cpp
  Value inOwnScope(const ast::Comprehension& c, const std::function<Value()>& fn);
  std::string unusedName(const std::string& base);
  void forgetName(const std::string& name);
  bool bindKnown(const ast::Expr& target, const Value& item);
  bool addKnown(const ast::Comprehension& c, size_t k, const Values& items, Waiting& into);
  void lowerClauses(const ast::Body& loop, const Value& over);
  std::optional<ListValue> probedList(const std::vector<ast::Clause>& clauses, const ast::Expr& element,
                                      const Value& over, bool isSifted, uint64_t outer);
  Value storedList(const ast::Comprehension& c, const Value& over, Span where);
  Value evalComprehension(const ast::Expr& e);
  Value listOf(const ast::Comprehension& c, const Value& over, Span where);
  Value listOfGenerator(const GeneratorValue& g);
  Value foldedBy(const GeneratorValue& g, const std::string& name, const ast::Body& body,
                 const ast::Expr& unless, Span leaves);
  Value sumOf(const GeneratorValue& g, const Value& start, Span where);
  bool lowerOverGenerator(const ast::For& s, const GeneratorValue& g);
  std::optional<Values> knownElements(const GeneratorValue& g);
  Value anyOf(const GeneratorValue& g, bool isAny, Span where);

#include "Lists.def"
  // KnownItems.cpp
  std::optional<Value> zippedRows(const Value& rows, Span where);
  std::optional<std::vector<Value>> knownItems(const Value& over, Span where);
  std::optional<Value> callOperator(const std::string& path, const Arguments& args);
  void lowerNest(const ast::For& s, const IteratorValue& over, Span span);
  // Constants.cpp
  bool isFileArray(const Symbol& source) const;
  Value evalFileConstant(const FileScope& scope, const ast::Constant& c, Span where);
  Value tupleSlice(const TupleValue& t, const ast::Slice& slice, Span where);
  Value tupleItem(const TupleValue& t, const std::vector<ast::Expr>& index, Span where);
  Array tabulated(const Array& a, const std::string& name);
  Value chosenItem(const Values& items, const Expr& index, Span where);
  Value chosenRow(const Values& rows, const Expr& index, Span where);
  Value notChosen(const Expr& index, Span where);
  bool writesOut(const Expr& index, int64_t most = INT64_MAX);
  std::optional<Array> itemInPlace(const ast::Expr& target);
  std::optional<Value> comparisonOfClass(ir::BinaryOp op, const Value& a, const Value& b, Span where);
  // Operators.cpp
  Value binary(ast::BinaryOp op, const Value& a, const Value& b, Span where);
  Value arithmetic(ir::BinaryOp op, const Value& a, const Value& b, Span where);
  Value power(const Value& a, const Value& b, Span where);
  Value powerOperator(const Value& a, const Value& b, Span where);
  Value compare(ir::BinaryOp op, const Value& a, const Value& b, Span where);
  Value unary(ast::UnaryOp op, const Value& a, Span where);
  Value binaryThere(ast::BinaryOp op, const Value& a, const Value& b, Span where); ///< on one path
  Value compareThere(ir::BinaryOp op, const Value& a, const Value& b, Span where);
  Value unaryThere(ast::UnaryOp op, const Value& a, Span where);
  Value logicalNot(const Value& a, Span where);
  Value matmul(const Value& a, const Value& b, Span where);
  /// Applies `fn` to the elements of the operands, broadcast together.
  Value elementwise(const Values& operands, DType result, bool weak,
                    const std::function<Expr(const std::vector<Expr>&)>& fn, Span where);
  // Broadcast.cpp
  std::optional<std::vector<Expr>> broadcastShape(const std::vector<Array>& operands, Span where);
  std::optional<Expr> broadcastExtent(const Expr& a, const Expr& b, const std::vector<Array>& operands,
                                      Span where, Expr& fits);
  bool isUnit(const Expr& extent) const;
  void requireUnit(const Expr& unit, const Expr& other);
  Array broadcastTo(Array a, const std::vector<Expr>& shape);
  void fitInto(const Array& place, const Array& v, Span where);
  Value operandOf(const Value& current, const Value& value, ast::BinaryOp op, Span where);
  bool stretches(const Expr& a, const Expr& b);
  bool mayBeStretched(const Expr& extent, const Expr& to);
  Expr withoutTestsFor(const Expr& extent, Expr index);
  std::vector<Expr> jointParts(const Expr& e) const;
  bool isAmong(const std::vector<Expr>& extents, const std::vector<Expr>& others);
  Expr jointSize(const std::vector<Expr>& parts);
  Expr sizeOnPaths(const Sides& sides, const Expr& then, const Expr& otherwise, Span where);
  Expr asCallerKnows(Expr e) const;
  void emitJointSizes();
  void addCheck(Expr& fits, const Expr& meet);
  void requireUnstretched(const Expr& a, const Expr& b, const Message& message, Span where);
  Expr unstretched() const;
  // LoopChecks.cpp
  void require(Expr condition, std::string exception, const Message& message);
  void requireAtEntry(Expr condition, std::string exception, const Message& message);
  Attempt beginAttempt() const;
  void takeBack(const Attempt& begun);
  void under(const Expr& condition, const Action& fn);
  analysis::Never neverFails(const Expr& fits);
  analysis::Never neverRunAndFails(const Expr& fits);
  bool checksInPlace() const;
  void requireBefore(const analysis::Never& never, const std::string& exception, Message message);
  void requireFit(const Expr& fits, const Message& message);
  void requireWhereRun(const Expr& fits, const std::string& exception, const Message& message);
  std::optional<std::vector<std::pair<Expr, Expr>>> sizesThatDiffer(const Expr& a, const Expr& b) const;
  void requireEqual(const Expr& a, const Expr& b, Message message, Span where,
                    const std::string& exception = "ValueError");

  std::optional<Strength> strengthOf(const Value& v, Span where);
  /// The operands' common type; reports a Python integer that it cannot hold, unless they become floats.
  std::optional<Strength> promoteAll(const Values& operands, Span where, bool inFloat = false);
  Value castTo(const Value& v, DType type, Span where);
  Value where3(const Value& c, const Value& a, const Value& b, Span where);
  // PythonNumbers.cpp
  std::optional<Value> foldIntegers(ir::BinaryOp op, const Value& a, const Value& b, Span where);
  bool holds(DType type, const Value& v, Span where);
  void requireDefined(ir::BinaryOp op, const Expr& right, bool dependsOnPath = false);
  void requireSamePaths(ir::BinaryOp op, const Value& a, const Value& b);
  bool requireExponent(const Value& base, const Value& exponent, bool isPython, Span where);
  bool requireRealPower(const Value& base, const Value& exponent, Span where);
  Value wholeNumber(const Expr& x);
  bool raisesHere() const;
  Expr checkedOnce(const Expr& e);
  Value strong(const Value& v) const;
  // MathErrors.cpp
  Expr namedOnce(const Expr& e, const std::string& hint);
  std::optional<Expr> inDomain(const std::string& function, const Expr& argument, Span where);
  Value inRange(const std::string& function, const Expr& argument, const Value& value);
  Value powerInRange(const Expr& x, const Expr& y, const Value& value, bool isMath);
  // DimensionPragmas.cpp
  void annotate(size_t before, bool isName);
  std::optional<std::string> pythonText(const Expr& e) const;
  std::optional<ast::DimDirective> dimensionText(const ir::Range&, const std::vector<Expr>& target) const;
  // Random.cpp
  void makeDrawnStates();
  void seedShared(ir::Param::Draw draw, const Value& seed);
  void needBits(ir::Param::Draw draw);
  Value callSharedRandom(const LibraryFunction& function, const Arguments& args);
  Value randomAttribute(const RandomValue& r, const std::string& name, Span where);
  // Einsum.cpp
  struct Labelled {
    Array array;
    std::vector<int> labels; ///< of its axes
  };
  std::optional<std::map<int, Expr>> labelExtents(const std::vector<Labelled>& operands, Span where);
  Array inSpaceOf(const Labelled& o, const std::vector<int>& labels) const;
  Value sumOfProducts(std::vector<Labelled> operands, const std::vector<int>& result, DType type, Span where);
  Value batchedProduct(const Array& a, const Array& b, DType type, Span where);
  Value dotOfArrays(const Array& a, const Array& b, Span where);
  std::optional<std::vector<Array>> einsumOperands(const Values& given, const Bound& b, DType& type);
  bool multiplyPairs(std::vector<Labelled>& operands, const std::vector<int>& result, DType type, Span where);
  // Subscripts.cpp
  Value subscript(const Value& base, const std::vector<ast::Expr>& index, Span where);
  /// As subscript(), but a single element stays an array of rank 0, which can be assigned to.
  Value subscriptArray(const Array& base, const std::vector<ast::Expr>& index, Span where);
  /// The same by values: integers, index arrays and None, behind `whole` axes that stay.
  Value subscriptBy(const Array& base, size_t whole, const Values& index, Span where);
  Value subscriptParts(Waiting& parts, const std::vector<IndexPart>& items, Span where);
  bool addMask(const Array& mask, const Array& base, size_t axis, Span where, std::vector<IndexPart>& found,
               Waiting& parts);
  std::optional<IndexPart> indexPart(const Value& v, const Array& base, size_t axis, Span where, Waiting&);
  std::function<Expr(const Indices&)> addressing(const Array& index, const Expr& n);
  std::optional<std::vector<IndexPart>> evalIndex(const Array& base, const std::vector<ast::Expr>& index,
                                                  Span where, Waiting& parts);
  bool checkIndex(const Value& v, const Expr& extent, Span where);
  bool placeIndexArrays(const IndexArrays& fancy, const Array& base, std::vector<AxisMap>& axes,
                        std::vector<Expr>& shape, Span where);
  struct SliceMap {
    Expr start, extent, step = ir::intConst(1);
  };
  std::optional<SliceMap> normalizeSlice(const ast::Slice& s, const Expr& n, Span where);
  std::optional<Expr> sliceStep(const ast::Expr& e, std::optional<bool>& forward);
  void placeSlice(SliceMap& map, const std::optional<Expr>& lower, const std::optional<Expr>& upper,
                  const Expr& n, bool forward);
  Expr sliceBound(const Expr& e, const Expr& n, bool isStop, bool forward);
  Expr wrapIndex(const Expr& e, const Expr& n);
  // Sanitize.cpp: checks where CPython would raise, with --sanitize
  void checkAt(Span where, Expr holds, const char* exception, const Message& message);
  Expr checkedIndex(Expr at, const Array& base, size_t axis, Span where);
  void checkIndexArray(const Array& indices, const Array& base, size_t axis, Span where);
  void checkArithmetic(ir::BinaryOp op, Value& a, Value& b, const Strength& s, Span where);
  void checkPower(Value& a, Value& b, const Strength& s, Span where);
  void checkOverflow(ir::BinaryOp op, const Expr& l, const Expr& r, Span where);
  int bitsOf(const Expr& e) const;
  Value transpose(const Array& a);
  Value transpose(const Array& a, const std::vector<size_t>& axes); ///< axis d is axes[d] of `a`
  // Selections.cpp: a[mask]
  std::optional<Selection> selection(const Value& base, const std::vector<ast::Expr>& index, Span where);
  bool assignSelected(const ast::Expr& to, const std::function<Value(const Selection&)>& value, bool inPlace);
  bool haveSameMask(const Selection& a, const Selection& b, Span where);
  Value elementwiseSelected(const Values& operands, DType result, bool weak,
                            const std::function<Expr(const std::vector<Expr>&)>& fn, Span where);
  Scalar countSelected(const Selection& s);
  Array withIdentity(const Selection& s, ir::ReduceOp op, DType type);
  Value keepSelection(const Selection& s, const std::string& name);
  void storeSelected(const Selection& place, Value v, Span where, bool inPlace);
  void checkKeptMasks(const ir::Stmt& s);
  // Calls.cpp, Arguments.cpp
  using Handler = Value (Lowering::*)(const Bound&);
  static Handler handlerOf(const Function& row);
#define HANDLER(name) Value name(const Bound& b);
#include "Handlers.def"
  Value call(const ast::Call& c, Span where);
  std::optional<Value> saidByText(const ast::Call& c, Span where);
  Value callMap(const std::string& name, const ast::Call& c, Span where);
  bool addOthers(const Value& values, Span where,
                 const std::function<void(const std::string&, const Value&)>& add);
  Value evalDefault(const ast::Parameter& p, const FileScope* of);
  Value callUser(const UserFunction& called, const std::string& name, const Arguments& args, bool isUsed);
  Value argumentOf(const ast::Parameter& p, const Values& given, const NameFacts& facts, const FileScope* of);
  Value callNamed(const std::string& path, const Arguments& args);
  Value methodOf(const Value& self, const std::string& name, Span where);
  Value callMethod(const Value& self, const std::string& name, const Arguments& args);
  Value callRow(const Function& row, const Arguments& args, const std::string& ufunc = "",
                std::optional<TypeValue> type = std::nullopt);
  Value callRowThere(const Function& row, const Arguments& args, const std::string& ufunc,
                     std::optional<TypeValue> type); ///< on one path
  Value unknownFunction(const std::string& path, Span where);
  std::optional<std::vector<std::vector<Value>>>
  matchArguments(const std::vector<Parameter>& parameters, const std::string& callee, const Arguments& args);
  bool isTranslated(const Parameter& parameter, const Value& value) const;
  std::optional<Bound> bind(const Function& row, const Arguments& args, const std::string& ufunc);
#include "Kept.def"
#include "Kernels.def"
  // LibraryCalls.cpp: functions whose text is the library's; Questions.cpp: what is known at translation
  Value callLibrary(const LibraryFunction& function, const Arguments& args);
  std::optional<Value> libraryName(const std::string& name) const;
  Span shown(Span s) const { return site_ ? site_->where : s; } ///< as the user sees it
  void raiseInLibrary(const ast::Raise& r, const Expr& unless);
  std::optional<Message> raisedMessage(const ast::Expr& e);
  void unroll(const ast::For& s, const Values& items);
  std::optional<std::vector<Value>> unrolled(const ast::For& s, const Value& iter) const;
  std::optional<Value> compareThings(ir::BinaryOp op, const Value& a, const Value& b, Span where);
  Value compareIdentity(const Value& a, const Value& b, Span where);
  Value compareMember(const Value& item, const Value& all, Span where);
  Value compareTuples(const TupleValue& a, const TupleValue& b, Span where);
  std::optional<Value> typeAttribute(const TypeValue& t, const std::string& name) const;
  // Builtins.cpp
  Value complexOf(const Value& re, const Value& im, Span where);
  Value extremeOf(bool isMax, const Value& v, bool mayBeEmpty, Span where);
  Value extremeOr(bool isMax, const Value& v, const Value& otherwise, Span where);
  Value betterOf(bool isMax, const Scalar& a, const Scalar& b, Span where);
  std::optional<Value> mathOperand(const Value& v, const Bound& b);
  // Ufuncs.cpp
  Value ufunc(const std::string& fn, std::vector<Value> operands, const Bound& b);
  bool castOperands(const std::string& fn, std::vector<Value>& operands, DType type, Span where);
  Value eachWithEach(const std::string& fn, const Value& x, const Value& y, const Bound& b);
  Value deliver(const Value& result, const Bound& b);
  Value exponentWhereAsked(const Value& base, const Value& exponent, const Bound& b);
  std::optional<Array> outArgument(const Value& given, const Bound& b);
  Value elementwiseFunction(const std::string& fn, std::vector<Value>& operands, Span where);
  std::optional<DType> floatOperand(std::string_view fn, const Values& operands, Strength as, Span where);
  Value callIntrinsic(ir::Intrinsic fn, const Values& operands, Span where);
  // Reductions.cpp, Variance.cpp
  Value reduction(const std::string& fn, const Value& given, const Bound& b);
  Value reduceSelected(const std::string& fn, Selection s, const Bound& b);
  std::optional<std::vector<int>> axesArgument(const Value& given, int rank, const Bound& b);
  std::optional<bool> flagArgument(const std::string& name, const Bound& b);
  bool maskArgument(const Array& a, const Bound& b, std::optional<Array>& mask);
  std::optional<Expr> initialArgument(const Value& given, DType type, const Bound& b);
  std::optional<DType> dtypeOr(DType standard, const Bound& b);
  Value deliverExact(const Value& result, const Bound& b);
  Value fold(ir::ReduceOp op, const Value& v, const Folding& f, bool keepDims, DType type, Span where);
  Value foldedCount(const Array& a, const Folding& f, bool keepDims, Span where);
  Value dividedBy(const Value& total, const Value& count, DType type, Span where);
  Value mean(const Array& a, const Value& v, const Folding& f, DType type, Span where);
  std::optional<Expr> freedomArgument(const Bound& b);
  Value spread(bool isStd, const Value& v, const Folding& f, const Bound& b);
  void requireElements(const std::string& fn, const Expr& countLessOne, const Array& of);
  Value reduce(ir::ReduceOp op, const Value& v, const std::vector<int>& axes, bool keep, DType type, Span);
  Value reduceAll(ir::ReduceOp op, const Array& a, Span where); ///< over every axis
  Value argExtreme(bool isMax, const Value& v, std::optional<int> axis, bool keepDims, Span where);
  // Reshape.cpp
  Array reshaped(const Array& a, const std::vector<Expr>& shape);
  bool isSeenBeside(const std::string& name, const Array& array, bool anyPart = false) const;
  void assignShape(const std::string& name, const Value& shape, Span where);
  std::optional<Expr> extentLeft(const Array& a, std::vector<Expr> others, const Message& text, Span where);
  std::optional<std::vector<Expr>> newShape(const Array& a, const Value& given, const Bound& b);
  std::optional<Array> arrayArgument(const Value& given, const Bound& b);
  Array flatOf(const Array& a);
  Value subscriptFlat(const Value& self, const std::vector<ast::Expr>& index, Span where);
  std::optional<Array> flatPlace(const ast::Subscript& target, Span where);
  // Gather.cpp: functions that take index arrays; np.mgrid[...] and its kind
  std::optional<Array> indexArgument(const Value& v, const Bound& b);
  std::optional<Array> along(const Array& a, const Bound& b);
  Value subscriptMaker(const std::string& path, const std::vector<ast::Expr>& index, Span where);
  Value sliceOf(const std::vector<ast::Expr>& index);
  ast::Expr withSlices(const ast::Expr& target);
  std::optional<Value> rangeItem(const ast::Expr& e, Span where);
  Array sortable(const Array& a);                   // Sorting.cpp
  bool hasAllThreads(const char* what, Span where); ///< else says what is wrong
  // Scans.cpp: ufunc.accumulate, ufunc.reduceat, ufunc.at
  struct Step;
  std::optional<Step> stepOf(const std::string& fn, const Array& a, std::optional<DType> type, Span where);
  Value scan(const Step& step, const Array& a, size_t axis, Span where);
  // Compact.cpp, Sizes.cpp: arrays whose size only the data tells
  using Item = std::pair<DType, std::function<Expr(const Indices&)>>;
  std::vector<Array> compacted(const Array& mask, const std::vector<Item>& items);
  std::optional<Expr> roomFor(const Expr& extent) const;
  std::vector<Array> positionsOf(const Array& mask);
  Array asArray(const Selection& s);
  Expr sizeVariable(const Expr& count, const Expr& room);
  Array roomyBuffer(const std::string& hint, DType type, const std::vector<Expr>& shape);
  bool noteGrowth(Growth& changing, const Array& before, const Array& after) const;
  Array resizable(const std::string& name, const Array& a, const Growth& changing, const ir::For& loop);
  void settleSizes();
  void settleSelections();
  // Axes.cpp
  std::optional<int64_t> axisArgument(const Value& v, size_t rank, const Bound& b);
  std::optional<std::vector<size_t>> axesOf(const Value& v, size_t rank, const Bound& b);
  // Creation.cpp, Arrays.cpp
  Value floatRange(const Value& start, const Value& stop, const Value& step, DType type, Span where);
  bool fitsLiteral(const Value& item, DType type, Span where);
  Value arrayLiteral(const TupleValue& list, std::optional<DType> dtype, Span where);
  std::optional<std::vector<Expr>> shapeArgument(const Value& v, Span where);
  std::optional<Strength> dtypeArgument(const Value& v, Span where);
  std::optional<int64_t> constantArgument(const Value& v) const;
  // Tensors.cpp, TensorFunctions.cpp: functions of PyTorch, and its rules where they are not NumPy's
  bool usesTensors(const UserFunction& fn, std::set<const ast::Function*>& seen) const;
  bool isTypedAlike(const Values& operands, DType numpy, bool inFloat, Span where);
  bool isTensor(const Value& v, const Bound& b);
  // helpers (Sema.cpp)
  Value error(DiagId id, Span where, std::string text);
  void emit(ir::Stmt s);
  template <class T> void emit(T node) { emit(ir::makeStmt(statement_, std::move(node))); }
  Stmts collect(const Action& fn);
  Array memory(const ir::Buffer& buffer) const; ///< the buffer as an array
  Array newBuffer(const std::string& hint, DType type, const std::vector<Expr>& shape,
                  bool onChip = false);                       ///< emits Alloc
  Array materialize(const Array& a, const std::string& hint); ///< itself when it is memory
  bool isReorderedMemory(const Array& a) const;               ///< or in pieces
  bool mayBeReordered(const Array& a) const; ///< may NumPy's memory of it be in another order than C's?
  void noteOrder(const Array& made, const Array& value);      ///< memory that is made for a value
  void noteOrder(const Value& result, const Arguments& args); ///< what the library makes of them
  Expr materialize(const Expr& e, const std::string& hint);   ///< into a scalar variable
  void store(const Array& place, const Array& value);         ///< emits one IndexStmt; shapes agree
  /// As store(), where Python would bind the name to `bound` itself.
  void storeCopy(const Array& place, const Array& value, const Array& of, const std::string& name, Span);
  Array toArray(const Value& v) const; ///< a scalar as an array of rank 0
  Symbol newVariable(const std::string& hint, DType type, const Expr& init);
  bool isStable(const Expr& e) const; ///< no memory, no variable that may change
  Expr stable(const Expr& e);         ///< captured in a variable if it is not
  bool isNonNegative(const Expr& e) const;
  /// max(e, 0), or `e` where it is certain not to be negative.
  Expr atLeastZero(const Expr& e) const { return isNonNegative(e) ? e : ir::maxOf(e, ir::intConst(0)); }
  analysis::Context context() const;
  bool alwaysEqual(const Expr& a, const Expr& b); ///< analysis::alwaysEqual in the open loops, remembered
  std::vector<ir::Range> rangesFor(const std::vector<Expr>& shape, Indices& indices) const;
  Frame& frame() { return frames_.back(); }
  Env& env() { return frames_.back().env; }
  const FileScope* file() const { return frames_.back().file; } ///< of the text at hand; null in the library
};

} // namespace appyc::sema
