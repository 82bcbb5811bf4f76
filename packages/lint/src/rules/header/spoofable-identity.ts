import { terminationOf } from '@tollgate/catalog';
import type { Action, MapEntryNode, Rule } from '@tollgate/policy';
import { conditionTests } from '../../analyses/access.ts';
import { headersOf, removedHeadersOf, stringOf, stringsIn } from '../../readers/actions.ts';
import { isResponsePhase } from '../../readers/profile-roles.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Header names that commonly carry the identity of the client. */
const IDENTITY_NAME =
  /^(?:x-)?(?:auth(?:enticated)?|forwarded|remote|webauth|auth-request|goog(?:le)?-(?:iap|authenticated)|internal|verified|jwt|token|oidc|oauth|saml|sso|client|ssl|tls)?-?(?:client-)?(?:(?:is-)?(?:admin|staff|internal|verified|authenticated)|users?|user-?(?:id|name|email|info|roles?|groups?)|e-?mail|roles?|groups?|scopes?|permissions|tenant(?:-id)?|account(?:-id)?|subject|sub|principal|identity|preferred-username|claims?|cert(?:-[a-z-]+)?|cn|dn|verify)$/i;

/** Reports `add-headers: { X-User-Email: … }` when no rule first removes the client's own header. */
export const SPOOFABLE_IDENTITY: LintRule = {
  id: 'header/spoofable-identity',
  severity: 'warning',
  summary: 'identity header that clients can also send',
  rationale:
    "An upstream that trusts `X-User-Email` from the edge trusts it from everyone, unless the edge removes the client's own header " +
    'first. `add-headers` does not replace it, and a conditional rule leaves requests that do not match untouched. Remove such headers ' +
    'from all requests in the first rule.',
  bad: {
    policy: `\
inbound:
  - name: pass the role
    expressions: ["req.ClientTLS.CertCN != ''"]
    actions: [{ type: add-headers, config: { headers: { «X-User-Role»: partner } } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: remove the client's own header
    actions: [{ type: remove-headers, config: { headers: [X-User-Role] } }]
  - name: pass the role
    expressions: ["req.ClientTLS.CertCN != ''"]
    actions: [{ type: add-headers, config: { headers: { X-User-Role: partner } } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, context) => {
      for (const phase of context.file.profile.phases) {
        if (!isResponsePhase(context.file.profile, phase)) checkPhase(policy.rules[phase], context);
      }
    },
  },
};

function checkPhase(rules: readonly Rule[], context: LintContext): void {
  // Headers that earlier rules remove from all requests.
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
      for (const { value } of stringsIn(removedHeadersOf(action))) {
        here.add(value.toLowerCase());
        if (isForAll) removed.add(value.toLowerCase());
      }
    }
  }
}

/** Returns the headers added to the request; headers of a response go to the client. */
function headersOfRequest(action: Action): readonly MapEntryNode[] {
  return terminationOf(action) === 'never' ? (headersOf(action)?.entries ?? []) : [];
}

/** True if the conditions test only where a request goes, not who sent it: only that route trusts the header. */
function isRoute(rule: Rule, { file }: LintContext): boolean {
  const tests = conditionTests(rule, file.roles);
  return tests.length > 0 && tests.every(({ origin }) => ROUTING.has(origin.role ?? ''));
}

const ROUTING: ReadonlySet<string> = new Set(['path', 'path-and-query', 'url', 'host', 'method']);

/** Results of authentication: the signed-in user, the claims of a token, a certificate. */
const RESULT =
  /\$\{[^}]*(?:\.identity\b|\bjwt_validation\.|\bbasic_auth\.|tls\.client\b|\.oauth\.user\b|tls\.client_cert\b)/;

function isResult({ value }: MapEntryNode): boolean {
  return RESULT.test(stringOf(value)?.value ?? '');
}

function report({ key, keyRange }: MapEntryNode, reason: 'add' | 'rule', context: LintContext): void {
  const why =
    reason === 'add' ? "keeps the client's value" : 'is set only for some requests, so clients can send it in others';
  context.report({
    range: keyRange,
    message: `\`${key}\` ${why}; remove it from all requests first`,
    args: { header: key },
  });
}
