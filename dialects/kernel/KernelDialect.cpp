// Registers the `kernel` dialect and spells out what its records cannot: the space attribute's
// text, the function's text, and a few derived quantities.
#include "dialects/kernel/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernel;

//===--- maps ---===//

static ParseResult parseInlineMap(OpAsmParser &parser, AffineMapAttr &map) {
  return parser.parseAttribute(map);
}

static void printInlineMap(OpAsmPrinter &printer, Operation *, AffineMapAttr map) {
  printer << "affine_map<" << map.getValue() << ">";
}

#include "dialects/kernel/KernelDialect.cpp.inc"
#include "dialects/kernel/KernelEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/KernelAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/kernel/KernelOps.cpp.inc"

void KernelDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/kernel/KernelOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/kernel/KernelAttrs.cpp.inc"
      >();
}

//===--- #kernel.space ---===//

// Text by hand: an extent may be `?`, which no attribute parameter parses.
Attribute SpaceAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  SmallVector<int64_t> extents;
  auto parseExtent = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      extents.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(extents.emplace_back());
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&keyword) || parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseExtent) ||
      parser.parseGreater())
    return {};
  std::optional<Schedule> schedule = symbolizeSchedule(keyword);
  if (!schedule) {
    parser.emitError(loc) << "unknown schedule '" << keyword << "'";
    return {};
  }
  return parser.getChecked<SpaceAttr>(loc, parser.getContext(), *schedule, extents);
}

void SpaceAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifySchedule(getSchedule()) << ", [";
  llvm::interleaveComma(getExtents(), printer, [&](int64_t extent) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
  });
  printer << "]>";
}

bool SpaceAttr::isDynamic() const { return ShapedType::isDynamic(getExtents().front()); }

unsigned SpaceAttr::getReducedDim() const {
  if (getSchedule() == Schedule::Scatter) return 2;
  return getSchedule() == Schedule::Row ? getRank() - 1 : 0;
}

int64_t SpaceAttr::getExtent(unsigned dim, int64_t extent) const {
  int64_t size = getExtents()[dim];
  return ShapedType::isDynamic(size) ? extent : size;
}

int64_t SpaceAttr::getItems(int64_t extent) const {
  auto blocks = [](int64_t size, int64_t block) { return (size + block - 1) / block; };
  if (getSchedule() == Schedule::Linear) return blocks(getExtent(0, extent), LinearBlock);
  if (getSchedule() == Schedule::Column) return blocks(getExtent(1, extent), ColumnBlock);
  if (getSchedule() == Schedule::Scatter)
    return getExtent(0, extent) * blocks(getExtent(1, extent), ScatterBlock);
  int64_t items = 1;
  for (unsigned dim = 0; dim + 1 < getRank(); ++dim)
    items *= getExtent(dim, extent);
  return items;
}

//===--- kernel.func ---===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, TypeRange inputTypes,
                   TypeRange outputTypes, SpaceAttr space) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.space = space;
  properties.inputs = inputTypes.size();
  Block &block = state.addRegion()->emplaceBlock();
  for (TypeRange types : {inputTypes, outputTypes})
    for (Type type : types)
      block.addArgument(type, state.location);
}

ArrayRef<BlockArgument> FuncOp::getInputArgs() {
  return getBlock().getArguments().take_front(getInputs());
}

ArrayRef<BlockArgument> FuncOp::getOutputArgs() {
  return getBlock().getArguments().drop_front(getInputs());
}

// By hand: the arguments belong to the region and are written like those of a function.
ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> inputs, outputs;
  using Delimiter = AsmParser::Delimiter;
  if (parser.parseSymbolName(properties.sym_name) ||
      parser.parseArgumentList(inputs, Delimiter::Paren, /*allowType=*/true) ||
      parser.parseArrow() ||
      parser.parseArgumentList(outputs, Delimiter::Paren, /*allowType=*/true) ||
      parser.parseKeyword("over"))
    return failure();
  auto space = dyn_cast_if_present<SpaceAttr>(SpaceAttr::parse(parser, {}));
  if (!space || parser.parseOptionalAttrDictWithKeyword(state.attributes)) return failure();
  properties.space = space;
  properties.inputs = inputs.size();
  inputs.append(outputs);
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, inputs)) return failure();
  if (!body->empty()) return success();
  Block &block = body->emplaceBlock(); // an empty body prints as `{}`
  for (OpAsmParser::Argument &argument : inputs)
    block.addArgument(argument.type, state.location);
  return success();
}

void FuncOp::print(OpAsmPrinter &printer) {
  auto printArguments = [&](ArrayRef<BlockArgument> arguments) {
    printer << '(';
    llvm::interleaveComma(arguments, printer,
                          [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ')';
  };
  printer << ' ';
  printer.printSymbolName(getSymName());
  printArguments(getInputArgs());
  printer << " -> ";
  printArguments(getOutputArgs());
  printer << " over ";
  printer.printStrippedAttrOrType(getSpace());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"sym_name", "space", "inputs"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

//===--- kernel.launch, kernel.contract ---===//

FuncOp LaunchOp::getKernel() {
  return SymbolTable::lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
}

int64_t LaunchOp::getItems() { return getKernel().getSpace().getItems(getExtent()); }

LogicalResult ContractOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                           Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  int64_t rank = lhs.getRank();
  bool isOfOneRank = rank >= 2 && rhs.getRank() == rank;
  if (!isOfOneRank || lhs.getShape().drop_back(2) != rhs.getShape().drop_back(2)) // contract_c2
    return emitOptionalError(loc, "multiplies ", lhs, " and ", rhs, " side by side");
  SmallVector<int64_t> shape(lhs.getShape().drop_back(2));
  shape.push_back(lhs.getDimSize(rank - (adaptor.getTransposeLhs() ? 1 : 2)));
  shape.push_back(rhs.getDimSize(rank - (adaptor.getTransposeRhs() ? 2 : 1)));
  types.push_back(RankedTensorType::get(shape, lhs.getElementType()));
  return success();
}
