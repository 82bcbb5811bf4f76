// For tools that read or rewrite expressions, such as linters: `@tollgate/cel/tooling`.

// -- trees --

export {
  type Comparator,
  type Comparison,
  comparatorOf,
  comparisonOf,
  isStringTest,
  type LiteralTest,
  type LiteralTestKind,
  literalTestOf,
  mirrored,
} from './analysis/literal-tests.ts';
export {
  conjunctsOf,
  fieldPathOf,
  fieldPathsOf,
  hasLoop,
  inputPathOf,
  type PathOptions,
  type Selection,
} from './analysis/reads.ts';
export type { Reference } from './ast/ast.ts';
export { childrenOf, literalString, mapChildren } from './ast/ast.ts';
export { nearest } from './checker/report.ts';
export { typeDynamically } from './checker/type-dynamically.ts';
export { unrollLists } from './codegen/unroll-lists.ts';
export { STANDARD_LIBRARY } from './library/standard.ts';
export { foldConstants } from './lowering/fold-constants.ts';
export { inlineBodies } from './lowering/inline-bodies.ts';

// -- templates: expressions that differ only in literals, checked once --

export { instantiateTemplate } from './templates/instantiate.ts';
export { createTemplate, type ExpressionSkeleton, skeletonOf, type TreeTemplate } from './templates/tree-template.ts';

// -- syntax --

export { describeGrammar, type GrammarDescription, type TokenDescription } from './syntax/describe-grammar.ts';
export { foreignForm } from './syntax/foreign-forms.ts';
export { type PlacedOperator, placedOperator } from './syntax/format-expression.ts';
export { disableSyntax } from './syntax/literal-value.ts';
export { printLiteral } from './syntax/print-literal.ts';

// -- regular expressions --

export type { CompiledPattern } from './regex/compile-matcher.ts';
export { compilePattern } from './regex/compile-pattern.ts';
export { type PatternTree, patternTree, validatePattern } from './regex/parse-pattern.ts';
export type { PatternNode } from './regex/pattern.ts';
export { type CharSet, LAST_CODE_POINT, negate } from './regex/pattern.ts';
export { compileRe2, type Re2Pattern } from './regex/re2.ts';
export { searchRegExp } from './regex/search-pattern.ts';

// -- values --

export { stringToDouble } from './runtime/conversion.ts';
export {
  cidrContainsCidr,
  cidrToString,
  ipToString,
  isMaskCidr,
  maskedCidr,
  parseCidr,
  parseIp,
} from './runtime/network.ts';
export { compareStrings } from './values/numbers.ts';
export { combineUndecided, UnknownPresence, wholeOf } from './values/value.ts';
