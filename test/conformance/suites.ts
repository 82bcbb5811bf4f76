import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehension } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';

/** A test of the official suites, as far as parsing goes. */
export interface SyntaxTest {
  readonly suite: string;
  readonly source: string;
  /** The tree in the debug form; undefined when the reference implementation refused the text. */
  readonly ast: string | undefined;
  /** What it said then, one error in a line that starts with `ERROR: `, the place as `line:column`. */
  readonly error: string | undefined;
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { original: { expr: string }; ast?: string; error?: string }[];
}

/** All tests, those of the evaluation and type checking suites as well: every one has the tree that its text parses to. */
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
