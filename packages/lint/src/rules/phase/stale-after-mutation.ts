import type { ValueRole } from '@tollgate/catalog';
import { readsOf } from '@tollgate/cel';
import type { Action, Rule } from '@tollgate/policy';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** A rule that tests the path behind one that rewrites it. */
export const STALE_AFTER_MUTATION: LintRule = {
  id: 'phase/stale-after-mutation',
  severity: 'info',
  summary: 'a test of the URL behind an action that rewrites it',
  rationale:
    'Rules run in order, and later ones see the URL as earlier ones left it. A test of a path that was meant for what the client sent does not match ' +
    'once the path is rewritten. Where that is wanted, the order says so; where not, put the test first.',
  bad: {
    policy: `\
inbound:
  - name: the old API is the new one
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
    // One report for each action that rewrites is enough.
    if (rewriting && readsUrl(rule, context)) rewriting = undefined;
    rewriting = rule.actions.find(action => action.type.value === 'url-rewrite') ?? rewriting;
  }
}

function readsUrl({ expressions }: Rule, context: LintContext): boolean {
  return expressions.some(one => readOfUrl(one.typed, context) !== undefined);
}

function reportTests(rule: Rule, { type }: Action, context: LintContext): void {
  for (const { typed, range } of rule.expressions) {
    const read = readOfUrl(typed, context);
    if (read === undefined) continue;
    context.report({
      range,
      message: `\`${read}\` is what \`${type.value}\` before this made of it, where that ran; put the test first if the URL of the client is meant`,
      args: { read },
      related: [{ range: type.range, message: 'the URL is rewritten here' }],
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
