import type { CallExpr, TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import type { Action, Policy, Rule } from '@tollgate/policy';
import { documentRange } from '@tollgate/policy';
import { takesRole } from '../../actions/action-parts.ts';
import { isCheck, keepsOut } from '../../analyses/access/access.ts';
import { type Lookup, lookupsIn } from '../../expressions/lookups.ts';
import { written, writtenNodes } from '../../expressions/source-nodes.ts';
import { mayRead } from '../../profile/role-words.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

const SENT = ['request-headers', 'request-cookies', 'query-parameters'] as const;

/** `jwt-validation` where there is an `Authorization` header. */
export const CHECK_SKIPPED: LintRule = {
  id: 'sec/check-skipped',
  severity: 'warning',
  summary: 'a check that clients skip by leaving something out',
  rationale:
    'A rule that validates tokens only where there is an `Authorization` header lets every request without one pass unchecked. The same holds ' +
    'for signatures of webhooks and passwords. Check all requests, or refuse those without the header in another rule.',
  bad: {
    policy: `\
on_http_request:
  - name: signed deliveries
    expressions: ["«hasReqHeader('x-hub-signature-256')»"]
    actions:
      - type: verify-webhook
        config: { provider: github, secret: "\${secrets.get('hooks', 'github')}" }
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: signed deliveries
    actions:
      - type: verify-webhook
        config: { provider: github, secret: "\${secrets.get('hooks', 'github')}" }
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, context) => {
      const rules = context.file.profile.phases.flatMap(phase => policy.rules[phase]);
      const skipped = rules.filter(rule => rule.expressions.length > 0).flatMap(rule => presenceOf(rule, context));
      if (skipped.length === 0) return;
      const refused = refusedNames(policy, context);
      for (const { action, read, range } of skipped) {
        const name = read.name.toLowerCase();
        if (refused.has(name)) continue;
        context.report({
          range,
          message: `requests without \`${read.name}\` skip \`${action.type.value}\`; check all requests, or refuse those without it`,
          args: { name: read.name, action: action.type.value },
        });
      }
    },
  },
};

interface Skipped {
  readonly action: Action;
  readonly read: Lookup;
  readonly range: Range;
}

/** What must be there for a check to run, where the rule says so by itself. */
function presenceOf({ actions, expressions }: Rule, { file }: LintContext): readonly Skipped[] {
  const action = actions.find(one => isCheck(one) && !takesRole(one, 'allowed-addresses'));
  if (!action) return [];
  return expressions.flatMap(({ typed, text }) => {
    if (!typed || !mayRead(typed.ast.source, file.roles.words, SENT)) return [];
    const required = requiredIn(typed);
    return presencesIn(typed, file)
      .filter(({ node }) => required.has(node.id))
      .map(read => ({ action, read, range: documentRange(text, read.node.range) }));
  });
}

/** Look-ups that ask whether something is there, and tests of credentials that do not hold without them; each by what must hold. */
function presencesIn(typed: TypedAst, { roles }: LintContext['file']): readonly Lookup[] {
  const lookups = lookupsIn(typed, roles).filter(({ role }) => SENT.some(one => one === role));
  const asked = lookups.filter(({ node }) => typed.types[node.id]?.kind === 'bool');
  const tested = writtenNodes(typed.ast).flatMap(({ node }) => {
    if (node.kind !== 'call' || !needsValue(node)) return [];
    const within = lookups.find(one => contains(node.range, one.node.range) && one.node !== node);
    return within && CREDENTIAL.test(within.name) ? [{ ...within, node }] : [];
  });
  return [...asked, ...tested];
}

function contains(outer: Range, inner: Range): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** Names of what lets somebody in. */
const CREDENTIAL = /auth|token|signature|secret|session|\bkey\b|api-?key|jwt|^x-hub|^cookie$/i;

/** Whether a test does not hold for what is missing: `x.startsWith('Bearer ')`, `size(x) > 0`. */
function needsValue({ function: name, args }: CallExpr): boolean {
  const isNothing = args.some(
    one => one.kind === 'literal' && (one.literal.value === '' || Number(one.literal.value) === 0),
  );
  if (name === '_!=_' || name === '_>_') return isNothing;
  if (name === '_==_' || name === '_>=_') return !isNothing;
  return /^(?:exists|exists_one|startsWith|endsWith|contains|matches|@in)$/.test(name);
}

/** Parts that must hold for the whole to hold: operands of `&&`. */
function requiredIn({ ast }: TypedAst): ReadonlySet<number> {
  const required = new Set<number>([ast.root.id]);
  for (const { node } of writtenNodes(ast)) {
    if (node.kind === 'call' && node.function === '_&&_' && required.has(node.id))
      for (const part of node.args) required.add(part.id).add(written(ast, part).id);
  }
  return required;
}

/** Names that rules without such a check ask for where they keep traffic out: those without are thought of. */
function refusedNames(policy: Policy, { file }: LintContext): ReadonlySet<string> {
  const rules = file.profile.phases.flatMap(phase => policy.rules[phase]).filter(keepsOut);
  const names = rules.flatMap(rule =>
    rule.expressions.flatMap(({ typed }) => {
      if (!typed || !mayRead(typed.ast.source, file.roles.words, SENT)) return [];
      const required = requiredIn(typed);
      const wanted = presencesIn(typed, file).filter(({ node }) => required.has(node.id));
      return lookupsIn(typed, file.roles).filter(
        ({ node }) => !wanted.some(one => contains(one.node.range, node.range)),
      );
    }),
  );
  return new Set(names.map(({ name }) => name.toLowerCase()));
}
