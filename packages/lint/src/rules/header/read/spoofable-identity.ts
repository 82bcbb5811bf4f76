import { terminationOf } from '@tollgate/catalog';
import type { Action, MapEntryNode, Rule } from '@tollgate/policy';
import { headersOf, removedHeadersOf, textOf, textsIn } from '../../../actions/action-parts.ts';
import { conditionTests } from '../../../analyses/access/rule-conditions.ts';
import { isResponsePhase } from '../../../profile/response-phase.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';

/** Names under which upstreams are told who the client is. */
const IDENTITY_NAME =
  /^(?:x-)?(?:auth(?:enticated)?|forwarded|remote|webauth|auth-request|goog(?:le)?-(?:iap|authenticated)|internal|verified|jwt|token|oidc|oauth|saml|sso|client|ssl|tls)?-?(?:client-)?(?:(?:is-)?(?:admin|staff|internal|verified|authenticated)|users?|user-?(?:id|name|email|info|roles?|groups?)|e-?mail|roles?|groups?|scopes?|permissions|tenant(?:-id)?|account(?:-id)?|subject|sub|principal|identity|preferred-username|claims?|cert(?:-[a-z-]+)?|cn|dn|verify)$/i;

/** `add-headers: { X-User-Email: … }` without removing the client's own first. */
export const SPOOFABLE_IDENTITY: LintRule = {
  id: 'header/spoofable-identity',
  severity: 'warning',
  summary: 'an identity header that clients can send themselves',
  rationale:
    'An upstream that trusts `X-User-Email` from the edge trusts it from everybody unless the edge removes it first. `add-headers` does not ' +
    'replace what the client sent, and a rule with conditions adds nothing to the requests that it does not match. Remove such headers ' +
    'from all requests in the first rule.',
  bad: {
    policy: `\
inbound:
  - name: who it is
    expressions: ["req.ClientTLS.CertCN != ''"]
    actions: [{ type: add-headers, config: { headers: { «X-User-Role»: partner } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: clients do not say who they are
    actions: [{ type: remove-headers, config: { headers: [X-User-Role] } }]
  - name: who it is
    expressions: ["req.ClientTLS.CertCN != ''"]
    actions: [{ type: add-headers, config: { headers: { X-User-Role: partner } } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['security'],
  check: {
    policy: (policy, context) => {
      for (const phase of context.file.profile.phases) {
        if (!isResponsePhase(context.file.profile, phase)) checkPhase(policy.rules[phase], context);
      }
    },
  },
};

function checkPhase(rules: readonly Rule[], context: LintContext): void {
  // Removed from all requests before.
  const removed = new Set<string>();
  for (const rule of rules) {
    const isForAll = rule.expressions.length === 0;
    const here = new Set<string>();
    for (const action of rule.actions) {
      for (const entry of headersOfRequest(action)) {
        const name = entry.key.toLowerCase();
        if (removed.has(name) || (here.has(name) && (isForAll || isRoute(rule, context)))) continue;
        if (!IDENTITY_NAME.test(name) && !isResult(entry)) continue;
        report(entry, here.has(name) || isForAll ? 'add' : 'rule', context);
      }
      for (const { value } of textsIn(removedHeadersOf(action))) {
        here.add(value.toLowerCase());
        if (isForAll) removed.add(value.toLowerCase());
      }
    }
  }
}

/** Headers of answers are for the client. */
function headersOfRequest(action: Action): readonly MapEntryNode[] {
  return terminationOf(action) === 'never' ? (headersOf(action)?.entries ?? []) : [];
}

/** Conditions about where a request goes, and not about who sends it: nobody else trusts the header there. */
function isRoute(rule: Rule, { file }: LintContext): boolean {
  const tests = conditionTests(rule, file.roles);
  return tests.length > 0 && tests.every(({ origin }) => ROUTING.has(origin.role ?? ''));
}

const ROUTING: ReadonlySet<string> = new Set(['path', 'path-and-query', 'url', 'host', 'method']);

/** What a check of the policy found out about the client: who signed in, the claims of a token, a certificate. */
const RESULT =
  /\$\{[^}]*(?:\.identity\b|\bjwt_validation\.|\bbasic_auth\.|tls\.client\b|\.oauth\.user\b|tls\.client_cert\b)/;

function isResult({ value }: MapEntryNode): boolean {
  return RESULT.test(textOf(value)?.value ?? '');
}

function report({ key, keyRange }: MapEntryNode, reason: 'add' | 'rule', context: LintContext): void {
  const why =
    reason === 'add'
      ? 'is added next to what the client sent'
      : 'is set for some requests, and clients can send it in the others';
  context.report({
    range: keyRange,
    message: `\`${key}\` ${why}; remove it from all requests in an earlier rule`,
    args: { header: key },
  });
}
