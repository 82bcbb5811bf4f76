; Generated from the parser; do not edit.

(comment) @comment

(identifier) @variable
(select_expression field: (identifier) @property @variable.other.member)
(optional_select_expression field: (identifier) @property @variable.other.member)
(field (identifier) @property @variable.other.member)
(quoted_name) @property @variable.other.member

((identifier) @type @type.builtin
  (#any-of? @type "bool" "bytes" "double" "int" "list" "map" "null_type" "optional_type" "string" "type" "uint"))
(message type: (_) @type)

(call_expression function: (identifier) @function)
(call_expression function: (rooted_name (identifier) @function))
(call_expression
  function: (identifier) @function.macro
  (#any-of? @function.macro "accuVar" "all" "bind" "block" "exists" "existsOne" "exists_one" "filter" "greatest" "has" "index" "iterVar" "least" "map" "optFlatMap" "optMap" "sortBy" "transformList" "transformMap" "transformMapEntry"))

[(string_literal) (bytes_literal)] @string
[(int_literal) (uint_literal) (negative_number)] @number @constant.numeric.integer
(double_literal) @number @constant.numeric.float
(bool_literal) @boolean @constant.builtin.boolean
(null_literal) @constant.builtin
(reserved_word) @error @keyword

"in" @keyword.operator
["!" "!=" "%" "&&" "*" "+" "-" "/" ":" "<" "<=" "==" ">" ">=" "?" "||"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["." ","] @punctuation.delimiter
