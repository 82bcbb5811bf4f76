import type { VariableFact } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { documentRange, type Policy, type Rule } from '@tollgate/policy';
import { sourceNodes, variablePath } from '../../readers/source-nodes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `actions.ngrok.oauth.identity.email` before an `oauth` action. */
export const RESULT_BEFORE_ACTION: LintRule = {
  id: 'phase/result-before-action',
  severity: 'error',
  summary: 'action result read before the action runs',
  rationale:
    'Some variables have a value only after a certain action has run. Reading one earlier is an error, and a condition that ends in an ' +
    'error does not match, so the rule never takes effect.',
  bad: {
    policy: `\
on_http_request:
  - name: staff only
    expressions: ["!«actions.ngrok.oauth.identity.email».endsWith('@example.com')"]
    actions: [{ type: deny }]
  - name: sign in
    actions: [{ type: oauth, config: { provider: google } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: sign in
    actions: [{ type: oauth, config: { provider: google } }]
  - name: staff only
    expressions: ["!actions.ngrok.oauth.identity.email.endsWith('@example.com')"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      // Most profiles have no such variables.
      if (!context.file.profile.variables.some(({ setBy }) => setBy !== undefined)) return;
      const run = new Set<string>();
      for (const phase of context.file.profile.phases) {
        for (const rule of policy.rules[phase]) checkRule(rule, run, policy, context);
      }
    },
  },
};

/** Checks the conditions, then the interpolations of each action, in the order in which they are evaluated. */
function checkRule(rule: Rule, run: Set<string>, policy: Policy, context: LintContext): void {
  for (const { typed, text } of rule.expressions) {
    if (typed) checkReads(typed, range => documentRange(text, range), { run, policy, context });
  }
  for (const action of rule.actions) {
    for (const { typed, text, offset } of action.expressions) {
      const place = ({ start, end }: Range) => documentRange(text, { start: start + offset, end: end + offset });
      if (typed) checkReads(typed, place, { run, policy, context });
    }
    run.add(action.type.value);
  }
}

interface ReadContext {
  /** Types of the actions that may have run before. */
  readonly run: ReadonlySet<string>;
  readonly policy: Policy;
  readonly context: LintContext;
}

function checkReads(typed: TypedAst, place: (range: Range) => Range, reads: ReadContext): void {
  for (const { node, fact } of readsIn(typed, reads.context)) {
    const { setBy = '' } = fact;
    if (reads.run.has(setBy)) continue;
    const later = laterAction(setBy, reads.policy);
    const reason = later ? 'runs later' : 'is not in this policy';
    reads.context.report({
      range: place(node.range),
      message: `\`${fact.path}\` is set by the action \`${setBy}\`, which ${reason}; run that action first`,
      args: { path: fact.path, action: setBy },
      ...(later && { related: [{ range: later, message: 'the action is here' }] }),
    });
  }
}

/** Lists reads of variables that an action sets, except in `has(…)`, which allows them to be missing. */
function readsIn(
  typed: TypedAst,
  { file }: LintContext,
): readonly { readonly node: Expr; readonly fact: VariableFact }[] {
  const nodes = sourceNodes(typed.ast).map(({ node }) => node);
  const presenceTests = new Set(
    nodes.flatMap(node => (node.kind === 'call' && node.function === 'has' ? node.args : [])),
  );
  return nodes.flatMap(node => {
    const path = node.kind === 'select' && !presenceTests.has(node) ? variablePath(typed, node) : undefined;
    const fact = path === undefined ? undefined : file.roles.variables.get(path);
    return fact?.setBy === undefined ? [] : [{ node, fact }];
  });
}

function laterAction(type: string, { rules }: Policy): Range | undefined {
  const actions = Object.values(rules).flatMap(list => list.flatMap(rule => rule.actions));
  return actions.find(action => action.type.value === type)?.type.range;
}
