import type { Action, Policy, Rule } from '@tollgate/policy';
import { conditionTests } from '../../analyses/access.ts';
import { configNodeAt, headersOf } from '../../readers/actions.ts';
import { isResponsePhase } from '../../readers/profile-roles.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `jwt-validation` for all methods in a policy that allows requests from other origins. */
export const PREFLIGHT_DENIED: LintRule = {
  id: 'sec/preflight-denied',
  severity: 'warning',
  summary: 'authentication of CORS preflight requests, which carry no credentials',
  rationale:
    'Before a request from another origin with a token, a browser sends an `OPTIONS` request without one. If that is refused, the ' +
    'browser never sends the request itself, and the CORS headers of the policy have no effect. Check all methods but `OPTIONS`.',
  bad: {
    policy: `\
on_http_request:
  - name: members only
    actions: [{ type: «basic-auth», config: { credentials: ["\${secrets.get('a', 'login')}"] } }]
on_http_response:
  - name: allow the web application
    actions:
      - type: add-headers
        config: { headers: { access-control-allow-origin: https://app.example.com } }
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: members only
    expressions: ["req.method != 'OPTIONS'"]
    actions: [{ type: basic-auth, config: { credentials: ["\${secrets.get('a', 'login')}"] } }]
on_http_response:
  - name: allow the web application
    actions:
      - type: add-headers
        config: { headers: { access-control-allow-origin: https://app.example.com } }
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    policy: (policy, context) => {
      const { phases } = context.file.profile;
      if (!phases.some(phase => policy.rules[phase].some(allowsOrigins))) return;
      for (const phase of phases)
        if (!isResponsePhase(context.file.profile, phase)) checkPhase(policy.rules[phase], context);
    },
  },
};

function allowsOrigins({ actions }: Policy['rules'][keyof Policy['rules']][number]): boolean {
  return actions.some(action =>
    headersOf(action)?.entries.some(({ key }) => /^access-control-allow-(?:origin|headers)$/i.test(key)),
  );
}

/** A rule that tests the method may answer preflight requests, or exempt them from its own check. */
function checkPhase(rules: readonly Rule[], { file, report }: LintContext): void {
  for (const rule of rules) {
    if (conditionTests(rule, file.roles).some(({ origin }) => origin.role === 'method')) return;
    const action = rule.actions.find(asksForCredentials);
    if (!action) continue;
    report({
      range: action.type.range,
      message: `\`${action.type.value}\` refuses CORS preflight requests, which carry no credentials; check only if the method is not \`OPTIONS\``,
      args: { action: action.type.value },
    });
  }
}

/** Passwords, tokens and sign-ins; sign-ins can be told to admit preflight requests. */
function asksForCredentials(action: Action): boolean {
  const { fact, type } = action;
  const isAuthentication = fact?.onlyOneOf === 'authentication' || type.value === 'jwt-validation';
  const admits = configNodeAt(action, 'allow_cors_preflight');
  const enforced = configNodeAt(action, 'enforce');
  const isOff = (node: typeof admits, value: boolean) => node?.kind === 'scalar' && node.value === value;
  return isAuthentication && !isOff(admits, true) && !isOff(enforced, false);
}
