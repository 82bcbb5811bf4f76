import { EvaluationError } from '@tollgate/cel';
import { compilePattern } from '@tollgate/cel/tooling';
import { checkPatterns, patternTreeOf } from '../../analyses/patterns.ts';
import type { PatternTree } from '../../readers/pattern-tree.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Strings that have nothing in common. */
const SAMPLES = ['', '/', 'Zq0 ~', 'https://a.example/?b=c', '\n\u{2603}', 'x'.repeat(5000)];

/** Quick tests: without a match of the first there is no empty alternative, without one of the second the pattern is not optional. */
const EDGE_BAR = /(?:^(?:\(\?\w+\))?|\|)\||\|$/;
const MAY_BE_EMPTY = /[*]|[^(]\?|\{0|^[\^$]?$/;

/** Reports `req.Path.matches('/admin|')`. */
export const OVERBROAD: LintRule = {
  id: 'regex/overbroad',
  severity: 'warning',
  summary: 'pattern that matches every string',
  rationale:
    'A pattern matches anywhere in a string, and the empty string occurs everywhere. If one alternative is empty, or every part of the ' +
    'pattern is optional, the test holds for every value.',
  bad: {
    policy: `\
inbound:
  - name: internal pages
    expressions: ["req.Path.matches('«^/admin/|^/internal/|»')"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: internal pages
    expressions: ["req.Path.matches('^/admin/|^/internal/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: checkPatterns(({ pattern, rangeOf, purpose }, context) => {
    const isEmptyBranch = EDGE_BAR.test(pattern) && hasEmptyBranch(patternTreeOf(pattern, context.file));
    // `.*` is the normal way to rewrite or redirect every URL.
    if (!isEmptyBranch && (purpose === 'replace' || !MAY_BE_EMPTY.test(pattern) || !matchesAll(pattern))) return;
    const reason = isEmptyBranch
      ? 'an alternative is empty; remove it'
      : 'every part of it is optional; require something';
    context.report({
      range: rangeOf({ start: 0, end: pattern.length }),
      message: `\`${pattern}\` matches every string: ${reason}`,
      args: { found: pattern },
    });
  }),
};

function hasEmptyBranch(tree: PatternTree | undefined): boolean {
  const branches = tree?.root.alternatives ?? [];
  return branches.length > 1 && branches.some(branch => branch.elements.length === 0);
}

/** True if the pattern matches all samples, among them the empty string: unanchored, such a pattern matches every string. */
function matchesAll(pattern: string): boolean {
  const compiled = compilePattern(pattern);
  return !(compiled instanceof EvaluationError) && SAMPLES.every(compiled.test);
}
