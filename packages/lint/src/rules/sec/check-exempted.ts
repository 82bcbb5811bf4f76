import type { ValueRole } from '@tollgate/catalog';
import { accessOf, isCheck, keepsOut } from '../../analyses/access.ts';
import { checkLiterals } from '../../analyses/literals.ts';
import { markedNode, type ValueTest } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

const ROLES = ['path', 'path-and-query', 'url'] as const satisfies readonly ValueRole[];

/** Reports `basic-auth` for paths that do not end in `.css`. */
export const CHECK_EXEMPTED: LintRule = {
  id: 'sec/check-exempted',
  severity: 'warning',
  summary: 'security check that clients can skip with a made-up path',
  rationale:
    'Clients choose the path. If a check is skipped for every path that ends in `.css` or contains `/health`, then `/account/x.css` and ' +
    '`/admin/health` skip it too, and many applications serve `/account` for them. Exempt complete paths, or a directory by its start.',
  bad: {
    policy: `\
on_http_request:
  - name: staff only
    expressions: ["!«req.url.path.endsWith('.css')»"]
    actions: [{ type: basic-auth, config: { credentials: ["\${secrets.get('staff', 'login')}"] } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: staff only
    expressions: ["!req.url.path.startsWith('/assets/')"]
    actions: [{ type: basic-auth, config: { credentials: ["\${secrets.get('staff', 'login')}"] } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: checkLiterals(
    [...ROLES],
    ({ text, test, at }) => {
      if (at.role !== 'condition' || text === '' || !keepsOut(at.rule) || accessOf(at, test) !== 'spares')
        return undefined;
      // What is anchored elsewhere in the same rule is not open: `startsWith('/static/') && endsWith('.css')`.
      if (isAnchored(at.analysis.testsOf(...ROLES), test)) return undefined;
      const check = at.rule.actions.find(action => isCheck(action))?.type.value ?? at.rule.actions[0]!.type.value;
      const example = exampleOf(test, text);
      return {
        range: rangeInDocument(at, markedNode(test).range),
        message: `\`${example}\` skips \`${check}\` too; exempt complete paths, or a directory with \`startsWith\``,
        args: { found: text, witness: example },
      };
    },
    ({ kind, isListed }) => !isListed && (kind === 'endsWith' || kind === 'contains'),
  ),
};

/** True if another test of the path joined to this one fixes its start. */
function isAnchored(tests: readonly ValueTest[], { isNegated, call }: ValueTest): boolean {
  return tests.some(
    other => other.call !== call && other.isNegated === isNegated && /^(?:startsWith|matches)$/.test(other.kind),
  );
}

function exampleOf({ kind }: ValueTest, text: string): string {
  if (kind === 'endsWith') return text.startsWith('/') ? `/private${text}` : `/private/x${text}`;
  return text.startsWith('/') ? `/private${text}` : `/private/${text}`;
}
