/** By what the parser looks ahead: made of the grammar, which `grammar.test.ts` compares it with. */
export const LOOKAHEAD_TABLE = `
argumentList 0 768 option Comma
argumentList 0 512 option Bang|Minus|Literal|Identifier|Dot|LeftParen|LeftBracket|LeftBrace
list 1 768 option Comma,Question|Comma,Bang|Comma,Minus|Comma,Literal|Comma,Identifier|Comma,Dot|Comma,LeftParen|Comma,LeftBracket|Comma,LeftBrace
list 1 512 option Question|Bang|Minus|Literal|Identifier|Dot|LeftParen|LeftBracket|LeftBrace
list 1 514 option Question
list 1 515 option Question
list 1 513 option Comma
map 2 768 option Comma,Question|Comma,Bang|Comma,Minus|Comma,Literal|Comma,Identifier|Comma,Dot|Comma,LeftParen|Comma,LeftBracket|Comma,LeftBrace
map 2 512 option Question|Bang|Minus|Literal|Identifier|Dot|LeftParen|LeftBracket|LeftBrace
map 2 513 option Comma
entry 3 512 option Question
fields 4 768 option Comma,Question|Comma,Identifier|Comma,QuotedName
fields 4 512 option Question|Identifier|QuotedName
fields 4 513 option Comma
field 5 512 option Question
fieldName 6 256 choice Identifier QuotedName
expression 8 768 option Question
chain 9 768 option BinaryOperator
operand 10 257 choice Bang Minus
operand 10 256 choice Literal Identifier Dot LeftParen Minus LeftBracket LeftBrace
operand 10 261 choice IntLiteral DoubleLiteral
operand 10 258 choice Dot LeftBracket LeftBrace
operand 10 259 choice Identifier QuotedName Question
operand 10 768 option Dot|LeftBracket|LeftBrace
operand 10 512 option Bang|Minus
operand 10 513 option LeftParen
operand 10 514 option LeftParen
operand 10 516 option LeftParen
operand 10 515 option Question
operand 10 1024 option Bang
operand 10 1025 option Minus
`;
