import type { ValueRole } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { documentRange, type Policy, type Rule } from '@tollgate/policy';
import { accessOf, keepsOut } from '../../analyses/access.ts';
import { removedHeadersOf, stringsIn } from '../../readers/actions.ts';
import { lookupsIn } from '../../readers/lookups.ts';
import { mayRead } from '../../readers/profile-roles.ts';
import { valueTestsIn } from '../../readers/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Headers that frameworks and gateways use instead of the method or URL. */
const OVERRIDES: readonly {
  readonly roles: readonly ValueRole[];
  readonly what: string;
  readonly names: readonly string[];
}[] = [
  {
    roles: ['method'],
    what: 'method',
    names: ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'],
  },
  {
    roles: ['path', 'path-and-query', 'url'],
    what: 'path',
    names: ['X-Original-URL', 'X-Rewrite-URL'],
  },
];

const ALL_NAMES = new Set(OVERRIDES.flatMap(({ names }) => names.map(name => name.toLowerCase())));

/** Reports a rule that denies by method in a policy that lets `X-HTTP-Method-Override` reach the upstream. */
export const OVERRIDE_HEADERS: LintRule = {
  id: 'header/override-headers',
  severity: 'info',
  maxSeverity: 'warning',
  summary: 'headers that let clients override the method or path upstream',
  rationale:
    'Many frameworks take the method from `X-HTTP-Method-Override`, and some gateways take the path from `X-Original-URL` or ' +
    '`X-Rewrite-URL`. The policy then sees `POST /` while the application handles `DELETE /admin`. Remove these headers from all ' +
    'requests unless the upstream is known to ignore them, and never base a decision on them.',
  bad: {
    policy: `\
inbound:
  - name: deny DELETE
    expressions: ["«req.Method == 'DELETE'»"]
    actions: [{ type: deny, config: { status_code: 405 } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: remove method overrides
    actions:
      - type: remove-headers
        config: { headers: [X-HTTP-Method-Override, X-HTTP-Method, X-Method-Override] }
  - name: deny DELETE
    expressions: ["req.Method == 'DELETE'"]
    actions: [{ type: deny, config: { status_code: 405 } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['security'],
  check: {
    policy: (policy, context) => {
      const handled = handledHeaders(policy, context);
      for (const { roles, what, names } of OVERRIDES) {
        const open = names.filter(name => !handled.has(name.toLowerCase()));
        const guard = open.length > 0 ? firstGuard(policy, roles, context) : undefined;
        if (!guard) continue;
        context.report({
          range: guard,
          message: `upstream may take the ${what} from ${open.map(name => `\`${name}\``).join(', ')}; remove ${open.length === 1 ? 'this header' : 'these headers'} from all requests`,
          args: { headers: open.join() },
        });
      }
    },
    expression: (at, context) => {
      if (at.role !== 'condition') return;
      for (const { origin, call, kind, isNegated } of at.analysis.testsOf('request-headers')) {
        const name = origin.name ?? '';
        if (!ALL_NAMES.has(name.toLowerCase()) || accessOf(at, { kind, isNegated }) !== 'spares') continue;
        context.report({
          range: rangeInDocument(at, call.range),
          message: `clients can set \`${name}\` to any value, so anyone can pass; test the request itself`,
          args: { headers: name },
          severity: 'warning',
        });
      }
    },
  },
};

/** Returns the headers that the policy removes from all requests or denies. */
function handledHeaders(policy: Policy, { file }: LintContext): ReadonlySet<string> {
  const handled = new Set<string>();
  const rules = file.profile.phases.flatMap(phase => policy.rules[phase]);
  for (const rule of rules) {
    if (rule.expressions.length === 0)
      for (const { value } of rule.actions.flatMap(action => stringsIn(removedHeadersOf(action))))
        handled.add(value.toLowerCase());
    if (!keepsOut(rule)) continue;
    for (const { typed } of rule.expressions) {
      if (!typed || !mayRead(typed.ast.source, file.roles.words, ['request-headers'])) continue;
      for (const { name } of lookupsIn(typed, file.roles)) handled.add(name.toLowerCase());
    }
  }
  return handled;
}

/** Returns the range of the first test of such an input in a rule that keeps traffic out. */
function firstGuard(policy: Policy, roles: readonly ValueRole[], { file }: LintContext): Range | undefined {
  const rules: readonly Rule[] = file.profile.phases.flatMap(phase => policy.rules[phase]);
  for (const rule of rules.filter(keepsOut)) {
    for (const { typed, text } of rule.expressions) {
      if (!typed || !mayRead(typed.ast.source, file.roles.words, roles)) continue;
      const test = valueTestsIn(typed, file.roles).find(({ origin }) => roles.includes(origin.role ?? 'status'));
      if (test) return documentRange(text, test.call.range);
    }
  }
  return undefined;
}
