import type { Action, Policy } from '@tollgate/policy';
import { textNamed } from '../../actions/action-parts.ts';
import { resultReads } from '../../analyses/access/result-reads.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Issuers with whom anybody may have an account. */
const PUBLIC_ISSUERS =
  /^https?:\/\/(?:accounts\.google\.com|appleid\.apple\.com|gitlab\.com|www\.facebook\.com|www\.linkedin\.com|id\.twitch\.tv|github\.com|token\.actions\.githubusercontent\.com|api\.login\.yahoo\.com|login\.microsoftonline\.com\/(?:common|organizations|consumers)|login\.live\.com|slack\.com|login\.salesforce\.com)(?:\/|$)/i;

/** `oauth` and nothing that asks who it was. */
export const IDENTITY_UNCHECKED: LintRule = {
  id: 'sec/identity-unchecked',
  severity: 'warning',
  summary: 'anyone with an account at the provider is let in',
  rationale:
    'Signing in proves that someone has an account with Google, GitHub or another provider, and anyone can create one there. Who may use the ' +
    'service is a second question: a later rule has to compare the identity with the people or the domain that are expected, and refuse ' +
    'the rest.',
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
  check: {
    policy: (policy, context) => {
      const known = new Map<string, boolean>();
      for (const action of actionsIn(policy, context)) {
        const { value } = action.type;
        if (!signsIn(action, context)) continue;
        const isChecked = known.get(value) ?? usesIdentity(policy, value, context);
        known.set(value, isChecked);
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

/** Whether a rule decides by who has signed in, or that is passed on to somebody who may. Notes decide nothing. */
function usesIdentity(policy: Policy, type: string, { file }: LintContext): boolean {
  return resultReads(policy, type, file).some(({ decides, action, typed }) => {
    const { source } = typed.ast;
    if (!/\.(?:identity\b|identity_token\b|access_token\b)/.test(source)) return false;
    if (!action) return decides && !asksForPresence(source);
    return action.fact?.config.every(field => field.role !== 'note' && field.role !== 'body') ?? true;
  });
}

/** Whether a condition only asks whether there is an identity: `has(…)`, `… != ''`, `size(…) == 0`. */
function asksForPresence(source: string): boolean {
  const rest = source
    .replaceAll(/\bhas\([^()]*\)/g, '')
    .replaceAll(/\bsize\([^()]*\)\s*[=!<>]+\s*\d+|[\w.]+\.size\(\)\s*[=!<>]+\s*\d+/g, '')
    .replaceAll(/[\w.]+\s*[=!]=\s*(?:''|"")|(?:''|"")\s*[=!]=\s*[\w.]+/g, '');
  return !/\.(?:identity|identity_token|access_token)\b/.test(rest);
}

function report(action: Action, context: LintContext): void {
  const issuer = textNamed(action, 'issuer_url')?.value;
  const provider = textNamed(action, 'provider')?.value;
  const who = provider === undefined ? 'the issuer' : `\`${provider}\``;
  const isOpen = issuer === undefined || PUBLIC_ISSUERS.test(issuer);
  context.report({
    range: action.type.range,
    message: `anyone with an account at ${who} is let in; add a rule that compares \`identity.email\` and refuses the rest`,
    args: { action: action.type.value, ...(provider !== undefined && { provider }) },
    ...(!isOpen && { severity: 'info' }),
  });
}
