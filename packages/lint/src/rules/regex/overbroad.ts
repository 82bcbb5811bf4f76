import { compilePattern, EvaluationError } from '@tollgate/cel';
import { patternTreeOf } from '../../analyses/file/pattern-trees.ts';
import { checkPatterns } from '../../analyses/literals/pattern-uses.ts';
import type { PatternTree } from '../../regex/pattern-tree.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Texts that have nothing in common. */
const SAMPLES = ['', '/', 'Zq0 ~', 'https://a.example/?b=c', '\n\u{2603}', 'x'.repeat(5000)];

/** Without one of these no alternative is empty, and nothing may be missing. */
const EDGE_BAR = /(?:^(?:\(\?\w+\))?|\|)\||\|$/;
const MAY_BE_EMPTY = /[*]|[^(]\?|\{0|^[\^$]?$/;

/** `req.Path.matches('/admin|')`. */
export const OVERBROAD: LintRule = {
  id: 'regex/overbroad',
  severity: 'warning',
  summary: 'a pattern that every text matches',
  rationale:
    'A pattern is looked for anywhere in a text, and the empty text is everywhere: with an alternative of nothing, or when all parts of ' +
    'the pattern may be missing, the test holds for everything.',
  bad: {
    policy: `\
inbound:
  - name: closed areas
    expressions: ["req.Path.matches('«^/admin/|^/internal/|»')"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: closed areas
    expressions: ["req.Path.matches('^/admin/|^/internal/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: checkPatterns(({ pattern, placeOf, purpose }, context) => {
    const isEmptyBranch = EDGE_BAR.test(pattern) && hasEmptyBranch(patternTreeOf(pattern, context.file));
    // To rewrite or redirect all there is, `.*` is how it is said.
    if (!isEmptyBranch && (purpose === 'replace' || !MAY_BE_EMPTY.test(pattern) || !matchesAll(pattern))) return;
    const why = isEmptyBranch
      ? 'one of its alternatives is empty; leave that out'
      : 'all of it may be missing; ask for something that must be there';
    context.report({
      range: placeOf({ start: 0, end: pattern.length }),
      message: `every text matches \`${pattern}\`: ${why}`,
      args: { found: pattern },
    });
  }),
};

function hasEmptyBranch(tree: PatternTree | undefined): boolean {
  const branches = tree?.root.alternatives ?? [];
  return branches.length > 1 && branches.some(branch => branch.elements.length === 0);
}

/** An unanchored match of the empty text is one of every text; with anchors the samples tell. */
function matchesAll(pattern: string): boolean {
  const compiled = compilePattern(pattern);
  return !(compiled instanceof EvaluationError) && SAMPLES.every(compiled.test);
}
