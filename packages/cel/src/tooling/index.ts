// For tools that read or rewrite expressions, such as linters: `@tollgate/cel/tooling`.

// -- trees --

export { conjunctsOf, hasLoop } from '../analysis/conjuncts.ts';
export { fieldPathsOf, inputPathOf, type PathOptions, type Selection } from '../analysis/field-paths.ts';
export { fieldPathOf } from '../analysis/reads.ts';
export { childrenOf, mapChildren } from '../ast/map-children.ts';
export type { Reference } from '../ast/typed-ast.ts';
export { nearest } from '../checker/report/did-you-mean.ts';
export { typeDynamically } from '../checker/type-dynamically.ts';
export { unrollLists } from '../codegen/loops/unroll-lists.ts';
export { STANDARD_LIBRARY } from '../library/standard/standard-library.ts';
export { foldConstants } from '../lowering/fold-constants.ts';
export { inlineBodies } from '../lowering/inline-bodies.ts';

// -- templates: expressions that differ only in literals, checked once --

export { type ExpressionSkeleton, skeletonOf } from '../templates/expression-skeleton.ts';
export { instantiateTemplate } from '../templates/instantiate.ts';
export { createTemplate, type TreeTemplate } from '../templates/tree-template.ts';

// -- syntax --

export { describeGrammar, type GrammarDescription, type TokenDescription } from '../syntax/grammar/describe-grammar.ts';
export { type PlacedOperator, placedOperator } from '../syntax/layout/expression-layout.ts';
export { printLiteral } from '../syntax/layout/print-literal.ts';
export { disableSyntax } from '../syntax/lexing/optional-syntax.ts';

// -- regular expressions --

export type { CompiledPattern } from '../regex/compile-matcher.ts';
export { compilePattern } from '../regex/compile-pattern.ts';
export { type CharSet, LAST_CODE_POINT, negate } from '../regex/pattern/char-set.ts';
export type { PatternNode } from '../regex/pattern/pattern.ts';
export { validatePattern } from '../regex/pattern/validate-pattern.ts';
export { type PatternTree, patternTree } from '../regex/pattern-tree.ts';
export { compileRe2, type Re2Pattern } from '../regex/re2.ts';

// -- values --

export { stringToDouble } from '../runtime/conversion/to-number.ts';
export { ipToString } from '../runtime/network/address.ts';
export { parseCidr, parseIp } from '../runtime/network/parse-ip.ts';
export { cidrContainsCidr, cidrToString, isMaskCidr, maskedCidr } from '../runtime/network/range.ts';
export { combineUndecided } from '../values/combine-undecided.ts';
export { compareStrings } from '../values/comparison.ts';
export { UnknownPresence, wholeOf } from '../values/value.ts';
