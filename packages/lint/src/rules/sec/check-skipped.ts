import type { CallExpr, TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { type Action, documentRange, type Policy, type Rule } from '@tollgate/policy';
import { isCheck, keepsOut } from '../../analyses/access.ts';
import { takesRole } from '../../readers/actions.ts';
import { type Lookup, lookupsIn } from '../../readers/lookups.ts';
import { mayRead } from '../../readers/profile-roles.ts';
import { asWritten, sourceNodes } from '../../readers/source-nodes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

const SENT = ['request-headers', 'request-cookies', 'query-parameters'] as const;

/** Reports `jwt-validation` in a rule that requires an `Authorization` header. */
export const CHECK_SKIPPED: LintRule = {
  id: 'sec/check-skipped',
  severity: 'warning',
  summary: 'security check that clients can skip by omitting a header',
  rationale:
    'A rule that validates tokens only if an `Authorization` header is present lets every request without one pass unchecked. The same ' +
    'holds for webhook signatures and passwords. Check all requests, or deny those without the header in another rule.',
  bad: {
    policy: `\
on_http_request:
  - name: signed webhooks
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
  - name: signed webhooks
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
      const skippable = rules.filter(rule => rule.expressions.length > 0).flatMap(rule => presenceOf(rule, context));
      if (skippable.length === 0) return;
      const denied = deniedNames(policy, context);
      for (const { action, read, range } of skippable) {
        const name = read.name.toLowerCase();
        if (denied.has(name)) continue;
        context.report({
          range,
          message: `requests without \`${read.name}\` skip \`${action.type.value}\`; check all requests, or deny those without it`,
          args: { name: read.name, action: action.type.value },
        });
      }
    },
  },
};

interface SkippableCheck {
  readonly action: Action;
  readonly read: Lookup;
  readonly range: Range;
}

/** Lists what a request must contain for the rule's check to run. */
function presenceOf({ actions, expressions }: Rule, { file }: LintContext): readonly SkippableCheck[] {
  const action = actions.find(check => isCheck(check) && !takesRole(check, 'allowed-addresses'));
  if (!action) return [];
  return expressions.flatMap(({ typed, text }) => {
    if (!typed || !mayRead(typed.ast.source, file.roles.words, SENT)) return [];
    const required = requiredIn(typed);
    return presencesIn(typed, file)
      .filter(({ node }) => required.has(node.id))
      .map(read => ({ action, read, range: documentRange(text, read.node.range) }));
  });
}

/** Lists tests of presence, and tests of credentials that fail without them; the node of each is the test. */
function presencesIn(typed: TypedAst, { roles }: LintContext['file']): readonly Lookup[] {
  const lookups = lookupsIn(typed, roles).filter(({ role }) => SENT.some(sent => sent === role));
  const presenceTests = lookups.filter(({ node }) => typed.types[node.id]?.kind === 'bool');
  const credentialTests = sourceNodes(typed.ast).flatMap(({ node }) => {
    if (node.kind !== 'call' || !needsValue(node)) return [];
    const within = lookups.find(lookup => contains(node.range, lookup.node.range) && lookup.node !== node);
    return within && CREDENTIAL.test(within.name) ? [{ ...within, node }] : [];
  });
  return [...presenceTests, ...credentialTests];
}

function contains(outer: Range, inner: Range): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** Names of headers, cookies and parameters that carry credentials. */
const CREDENTIAL = /auth|token|signature|secret|session|\bkey\b|api-?key|jwt|^x-hub|^cookie$/i;

/** True if the test fails for a missing value: `x.startsWith('Bearer ')`, `size(x) > 0`. */
function needsValue({ function: name, args }: CallExpr): boolean {
  const comparesWithEmpty = args.some(
    arg => arg.kind === 'literal' && (arg.literal.value === '' || Number(arg.literal.value) === 0),
  );
  if (name === '_!=_' || name === '_>_') return comparesWithEmpty;
  if (name === '_==_' || name === '_>=_') return !comparesWithEmpty;
  return /^(?:exists|exists_one|startsWith|endsWith|contains|matches|@in)$/.test(name);
}

/** Returns the ids of the conjuncts: the parts that must hold for the whole to hold. */
function requiredIn({ ast }: TypedAst): ReadonlySet<number> {
  const required = new Set<number>([ast.root.id]);
  for (const { node } of sourceNodes(ast)) {
    if (node.kind === 'call' && node.function === '_&&_' && required.has(node.id))
      for (const part of node.args) required.add(part.id).add(asWritten(ast, part).id);
  }
  return required;
}

/** Returns the names tested by rules that deny traffic: requests without them are handled there. */
function deniedNames(policy: Policy, { file }: LintContext): ReadonlySet<string> {
  const rules = file.profile.phases.flatMap(phase => policy.rules[phase]).filter(keepsOut);
  const names = rules.flatMap(rule =>
    rule.expressions.flatMap(({ typed }) => {
      if (!typed || !mayRead(typed.ast.source, file.roles.words, SENT)) return [];
      const required = requiredIn(typed);
      const requiredPresences = presencesIn(typed, file).filter(({ node }) => required.has(node.id));
      return lookupsIn(typed, file.roles).filter(
        ({ node }) => !requiredPresences.some(presence => contains(presence.node.range, node.range)),
      );
    }),
  );
  return new Set(names.map(({ name }) => name.toLowerCase()));
}
