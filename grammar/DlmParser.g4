// The grammar of DLM, without actions; README.md explains it, compiler/syntax builds trees from it.
//
// It reads the filtered token stream, in which every statement ends with exactly one K_SEP (also
// before `}` and at the end of the file). So one token of lookahead decides nearly everywhere, and
// an error inside a statement ends with that statement.
parser grammar DlmParser;

options { tokenVocab = DlmLexer; }

sourceFile: decl* EOF;

decl
  : (useDecl | optionDecl | letDecl | fnDecl | modelDecl | optimizerDecl | trainDecl | searchDecl
    | exportDecl | testDecl | requireStmt) K_SEP
  ;

useDecl: K_USE usePath (K_COMMA usePath)*;
usePath: path (K_AS name)?;
path: name (K_DOT name)*;
optionDecl: K_OPTION name (K_COLON typeRef)? K_ASSIGN expr;
letDecl: K_LET pattern (K_COLON typeRef)? K_ASSIGN expr;
pattern: name | K_LPAREN name (K_COMMA name)* K_RPAREN;
fnDecl: K_FN name signature block;
signature: params (K_ARROW typeRef)?;
params: K_LPAREN (param (K_COMMA param)* K_COMMA?)? K_RPAREN;
param: name (K_COLON typeRef)? (K_ASSIGN expr)?;

modelDecl: K_MODEL name params members;
optimizerDecl: K_OPTIMIZER name params K_FOR param members;
members: K_LBRACE member* K_RBRACE;
member: (storedDecl | letDecl | fnDecl | requireStmt) K_SEP;
storedDecl: (K_PARAM | K_BUFFER | K_STATE) name K_COLON typeRef (K_ASSIGN expr)?;

trainDecl: K_TRAIN name items;
searchDecl: K_SEARCH name K_OF name items;
exportDecl: K_EXPORT name K_OF name items;
items: K_LBRACE item* K_RBRACE;
item: (letDecl | fnDecl | updateItem | commandItem | requireStmt | settingItem) K_SEP;
updateItem: K_UPDATE name items;
commandItem: K_COMMAND name signature block;
settingItem: name (K_ASSIGN expr | items);

testDecl: K_TEST K_STRING block;

block: K_LBRACE stmt* K_RBRACE;
stmt: (letDecl | nextStmt | requireStmt | expectStmt | expr) K_SEP;
nextStmt: K_NEXT name K_ASSIGN expr;
requireStmt: K_REQUIRE expr (K_COMMA K_STRING)?;
expectStmt: K_EXPECT expr (K_COMMA K_STRING)?;

// Only a named type takes a shape or `?`: `fn(f32[B]) -> f32[B]` would be ambiguous otherwise.
typeRef
  : path shape? K_QUESTION?                                            # namedType
  | K_LPAREN field (K_COMMA field)* K_COMMA? K_RPAREN                  # recordType
  | K_LBRACK typeRef K_RBRACK                                          # listType
  | K_FN K_LPAREN (typeRef (K_COMMA typeRef)*)? K_RPAREN K_ARROW typeRef # functionType
  ;
shape: K_LBRACK (dim (K_COMMA dim)*)? K_RBRACK;
field: name K_COLON typeRef;
dim: K_ELLIPSIS name? | expr;

// Strongest first. That `..` and comparisons do not chain is checked when the tree is built.
expr
  : primary                                                            # atom
  | expr K_DOT name                                                    # memberOf
  | expr arguments                                                     # call
  | expr K_LBRACK index (K_COMMA index)* K_COMMA? K_RBRACK             # subscript
  | <assoc = right> expr op = K_POW expr                               # binary
  | op = K_MINUS expr                                                  # prefix
  | expr op = (K_STAR | K_SLASH | K_MOD | K_AT) expr                   # binary
  | expr op = (K_PLUS | K_MINUS) expr                                  # binary
  | expr op = K_DOTDOT expr                                            # binary
  | expr op = (K_EQ | K_NE | K_LT | K_LE | K_GT | K_GE | K_IN) expr    # binary
  | op = K_NOT expr                                                    # prefix
  | expr op = K_AND expr                                               # binary
  | expr op = K_OR expr                                                # binary
  | expr op = K_PIPE expr                                              # binary
  ;

primary
  : K_NUMBER name?                                                     # number
  | (K_PERCENT | K_QUANTITY | K_STRING | K_TRUE | K_FALSE | K_NONE)    # literal
  | name                                                               # nameRef
  | arguments                                                          # group
  | K_LBRACK (entry ((K_COMMA entry)* K_COMMA? | forClause+ (K_IF expr)?))? K_RBRACK # list
  | ifExpr                                                             # choice
  | K_FN signature block                                               # lambda
  ;

// After an expression a call; alone a group, a tuple or a record, told apart by commas and names.
arguments: K_LPAREN (argument (K_COMMA argument)* K_COMMA?)? K_RPAREN;
argument: (name K_ASSIGN)? expr;
index: K_ELLIPSIS | expr (K_COLON expr?)? | K_COLON expr?;
entry: expr (K_FATARROW expr)?;
forClause: K_FOR pattern K_IN expr;
ifExpr: K_IF expr block (K_ELSE (block | ifExpr))?;

name
  : K_IDENT | K_USE | K_OPTION | K_MODEL | K_PARAM | K_BUFFER | K_NEXT | K_STATE | K_OPTIMIZER
  | K_TRAIN | K_UPDATE | K_COMMAND | K_SEARCH | K_EXPORT | K_TEST | K_OF | K_AS
  ;
