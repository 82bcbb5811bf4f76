import type { Action, Policy } from '@tollgate/policy';
import { resultReads } from '../../analyses/access.ts';
import { stringNamed } from '../../readers/actions.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Issuers with which anyone can create an account. */
const PUBLIC_ISSUERS =
  /^https?:\/\/(?:accounts\.google\.com|appleid\.apple\.com|gitlab\.com|www\.facebook\.com|www\.linkedin\.com|id\.twitch\.tv|github\.com|token\.actions\.githubusercontent\.com|api\.login\.yahoo\.com|login\.microsoftonline\.com\/(?:common|organizations|consumers)|login\.live\.com|slack\.com|login\.salesforce\.com)(?:\/|$)/i;

/** Reports `oauth` in a policy that never checks who signed in. */
export const IDENTITY_UNCHECKED: LintRule = {
  id: 'sec/identity-unchecked',
  severity: 'warning',
  summary: 'sign-in that admits anyone with an account at the provider',
  rationale:
    'Signing in proves that someone has an account with Google, GitHub or another provider, where anyone can create one. It does not ' +
    'prove that they may use this service. Add a later rule that compares the identity with the expected people or domain and denies ' +
    'everyone else.',
  bad: {
    policy: `\
on_http_request:
  - name: staff only
    actions: [{ type: «oauth», config: { provider: google } }]
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
  presets: ['recommended', 'security'],
  options: [
    {
      name: 'managed',
      type: { kind: 'bool' },
      default: false,
      doc: 'Whether to report providers that admit only the people of one organisation, or can be told to, with the severity `info`.',
    },
  ],
  check: {
    policy: (policy, context) => {
      const checkedTypes = new Map<string, boolean>();
      for (const action of actionsIn(policy, context)) {
        const { value } = action.type;
        if (!signsIn(action, context)) continue;
        const isChecked = checkedTypes.get(value) ?? usesIdentity(policy, value, context);
        checkedTypes.set(value, isChecked);
        if (!isChecked) report(action, context);
      }
    },
  },
};

function actionsIn(policy: Policy, { file }: LintContext): readonly Action[] {
  const rules = file.profile.phases.flatMap(phase => policy.rules[phase]);
  return rules.flatMap(rule => rule.actions);
}

function signsIn({ type }: Action, { file }: LintContext): boolean {
  return file.profile.variables.some(({ setBy, path }) => setBy === type.value && path.endsWith('.identity.email'));
}

/** True if a rule decides by identity or passes it to the upstream. Log metadata and bodies do not count. */
function usesIdentity(policy: Policy, type: string, { file }: LintContext): boolean {
  return resultReads(policy, type, file).some(({ decides, action, typed }) => {
    const { source } = typed.ast;
    if (!/\.(?:identity\b|identity_token\b|access_token\b)/.test(source)) return false;
    if (!action) return decides && !testsPresenceOnly(source);
    return action.fact?.config.every(field => field.role !== 'note' && field.role !== 'body') ?? true;
  });
}

/** True if a condition only tests that there is an identity: `has(…)`, `… != ''`, `size(…) == 0`. */
function testsPresenceOnly(source: string): boolean {
  const rest = source
    .replaceAll(/\bhas\([^()]*\)/g, '')
    .replaceAll(/\bsize\([^()]*\)\s*[=!<>]+\s*\d+|[\w.]+\.size\(\)\s*[=!<>]+\s*\d+/g, '')
    .replaceAll(/[\w.]+\s*[=!]=\s*(?:''|"")|(?:''|"")\s*[=!]=\s*[\w.]+/g, '');
  return !/\.(?:identity|identity_token|access_token)\b/.test(rest);
}

function report(action: Action, context: LintContext): void {
  const issuer = stringNamed(action, 'issuer_url')?.value;
  const provider = stringNamed(action, 'provider')?.value;
  const who = provider === undefined ? 'the issuer' : `\`${provider}\``;
  const isOpen = issuer === undefined ? !mayBeRestricted(action) : PUBLIC_ISSUERS.test(issuer);
  if (!isOpen && context.options.managed !== true) return;
  context.report({
    range: action.type.range,
    message: `anyone with an account at ${who} can sign in; add a rule that checks \`identity.email\` and denies everyone else`,
    args: { action: action.type.value, ...(provider !== undefined && { provider }) },
    ...(!isOpen && { severity: 'info' }),
  });
}

/** True for an application of one's own at a provider that can restrict it to one organisation. */
function mayBeRestricted(action: Action): boolean {
  const provider = stringNamed(action, 'provider')?.value;
  return /^(?:google|microsoft)$/.test(provider ?? '') && stringNamed(action, 'client_id') !== undefined;
}
