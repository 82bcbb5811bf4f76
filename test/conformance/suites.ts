import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehension } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';

/** A test of the official suites, with the parts that concern parsing. */
export interface SyntaxTest {
  readonly suite: string;
  readonly source: string;
  /** The tree in the debug format; undefined if the reference implementation rejected the source. */
  readonly ast: string | undefined;
  /** The errors of the reference implementation: one per line that starts with `ERROR: `, with the location as `line:column`. */
  readonly error: string | undefined;
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { original: { expr: string }; ast?: string; error?: string }[];
}

/** All tests, including those of the evaluation and type checking suites: each contains the tree of its source. */
export const SYNTAX_TESTS: readonly SyntaxTest[] = Object.entries<Suite>({
  parsing,
  comprehension,
  checking,
  conformance,
}).flatMap(([suite, root]) => collect(suite, root));

function collect(suite: string, { suites = [], tests = [] }: Suite): SyntaxTest[] {
  const own = tests.map(({ original, ast, error }) => ({ suite, source: original.expr, ast, error }));
  return [...own, ...suites.flatMap(inner => collect(suite, inner))];
}
