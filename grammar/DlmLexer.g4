// The words of DLM. No actions here: what depends on context (which line ends end a statement, how
// deep brackets nest, what an unknown character means) is decided by the token filter, see
// compiler/syntax/TokenFilter.h. The last two rules take whatever the others do not, so the lexer
// itself never fails. Names carry a prefix, as IN, TRUE, EOF and the like may be macros in C++.
lexer grammar DlmLexer;

K_DOC: '///' ~[\r\n]* -> channel(HIDDEN); // listed first: it wins over an equally long comment
K_COMMENT: '//' ~[\r\n]* -> channel(HIDDEN);
K_SPACE: [ \t\r\f]+ -> skip;
K_SEP: '\n'; // the filter keeps those that end a statement

// Reserved words.
K_LET: 'let'; K_FN: 'fn'; K_IF: 'if'; K_ELSE: 'else'; K_FOR: 'for'; K_IN: 'in';
K_AND: 'and'; K_OR: 'or'; K_NOT: 'not'; K_TRUE: 'true'; K_FALSE: 'false'; K_NONE: 'none';
K_REQUIRE: 'require'; K_EXPECT: 'expect';

// Words with a meaning at the beginning of a declaration, and ordinary names elsewhere.
K_USE: 'use'; K_OPTION: 'option'; K_MODEL: 'model'; K_PARAM: 'param'; K_BUFFER: 'buffer';
K_NEXT: 'next'; K_STATE: 'state'; K_OPTIMIZER: 'optimizer'; K_TRAIN: 'train'; K_UPDATE: 'update';
K_COMMAND: 'command'; K_SEARCH: 'search'; K_EXPORT: 'export'; K_TEST: 'test'; K_OF: 'of';
K_AS: 'as';

K_PERCENT: DIGITS ('.' [0-9]+)? '%';         // the sign touches the number
K_QUANTITY: DIGITS ('.' [0-9]+)? [a-zA-Z]+;  // 30min 16GiB; which units exist is checked later
K_NUMBER: DIGITS ('.' [0-9]+)? ([eE] [+-]? [0-9]+)?; // `1e3` is longer than the quantity `1e`
fragment DIGITS: [0-9] [0-9_]*;
K_STRING: '"' CHARACTER* '"';
fragment CHARACTER: ~["\\\r\n] | '\\' ~[\r\n];
K_IDENT: [a-zA-Z_] [a-zA-Z0-9_]*;

K_ELLIPSIS: '...'; K_DOTDOT: '..'; K_PIPE: '|>'; K_ARROW: '->'; K_FATARROW: '=>'; K_POW: '**';
K_EQ: '=='; K_NE: '!='; K_LE: '<='; K_GE: '>='; K_LT: '<'; K_GT: '>'; K_ASSIGN: '=';
K_PLUS: '+'; K_MINUS: '-'; K_STAR: '*'; K_SLASH: '/'; K_MOD: '%'; K_AT: '@';
K_LPAREN: '('; K_RPAREN: ')'; K_LBRACK: '['; K_RBRACK: ']'; K_LBRACE: '{'; K_RBRACE: '}';
K_COMMA: ','; K_SEMI: ';'; K_COLON: ':'; K_DOT: '.'; K_QUESTION: '?';

K_OPEN_STRING: '"' CHARACTER* '\\'?; // a string that its line does not close
K_UNKNOWN: .;
