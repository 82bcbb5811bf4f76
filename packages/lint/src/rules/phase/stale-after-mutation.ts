import type { ValueRole } from '@tollgate/catalog';
import { readsOf } from '@tollgate/cel';
import type { Action, Rule } from '@tollgate/policy';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports a rule that tests the path after another has rewritten it. */
export const STALE_AFTER_MUTATION: LintRule = {
  id: 'phase/stale-after-mutation',
  severity: 'info',
  summary: 'URL test after an action that rewrites the URL',
  rationale:
    'Rules run in order, and later rules see the URL as earlier ones left it. A test meant for the path that the client requested does ' +
    'not match after the rewrite. If the rewritten URL is meant, the order is right; otherwise, move the test first.',
  bad: {
    policy: `\
inbound:
  - name: map the old API to the new one
    expressions: ["req.Path.startsWith('/v1/')"]
    actions: [{ type: url-rewrite, config: { from: "/v1/", to: "/v2/" } }]
  - name: no admin in the old API
    expressions: [«"req.Path.startsWith('/v1/admin/')"»]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no admin in the old API
    expressions: ["req.Path.startsWith('/v1/admin/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['strict'],
  check: {
    policy: (policy, context) => {
      for (const phase of context.file.profile.phases) checkPhase(policy.rules[phase], context);
    },
  },
};

const URL_ROLES: ReadonlySet<ValueRole> = new Set(['url', 'path', 'path-and-query', 'query', 'query-parameters']);

function checkPhase(rules: readonly Rule[], context: LintContext): void {
  let rewriting: Action | undefined;
  for (const rule of rules) {
    if (rewriting) reportTests(rule, rewriting, context);
    // Report at most once for each rewrite.
    if (rewriting && readsUrl(rule, context)) rewriting = undefined;
    rewriting = rule.actions.find(action => action.type.value === 'url-rewrite') ?? rewriting;
  }
}

function readsUrl({ expressions }: Rule, context: LintContext): boolean {
  return expressions.some(({ typed }) => readOfUrl(typed, context) !== undefined);
}

function reportTests(rule: Rule, { type }: Action, context: LintContext): void {
  for (const { typed, range } of rule.expressions) {
    const read = readOfUrl(typed, context);
    if (read === undefined) continue;
    context.report({
      range,
      message: `\`${read}\` may have been rewritten by \`${type.value}\` before; to test the client's URL, move this rule first`,
      args: { read },
      related: [{ range: type.range, message: 'URL is rewritten here' }],
    });
    return;
  }
}

function readOfUrl(typed: Rule['expressions'][number]['typed'], { file }: LintContext): string | undefined {
  const reads = typed ? readsOf(typed) : [];
  return reads.find(({ text }) => {
    const role = file.roles.variables.get(text.replace(/\[.*$/, ''))?.role;
    return role !== undefined && URL_ROLES.has(role);
  })?.text;
}
