import type { Policy, Rule } from '@tollgate/policy';
import { headerOf, headersOf, stringOf } from '../../readers/actions.ts';
import { isResponsePhase } from '../../readers/profile-roles.ts';
import type { LintedFile } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `Cache-Control: public` for the pages of users who signed in. */
export const PRIVATE_MADE_PUBLIC: LintRule = {
  id: 'header/private-made-public',
  severity: 'warning',
  summary: 'responses for signed-in users that shared caches may keep',
  rationale:
    'A policy that signs users in and marks all responses as `public` lets every cache on the way keep the page of one user and hand ' +
    'it to the next, who may not even have signed in. Write `private` or `no-store`, or add the header only to paths that are the same ' +
    'for everyone.',
  bad: {
    policy: `\
on_http_request:
  - name: staff only
    actions: [{ type: basic-auth, config: { credentials: ["\${secrets.get('staff', 'login')}"] } }]
on_http_response:
  - name: cache for an hour
    actions: [{ type: add-headers, config: { headers: { cache-control: «"public, max-age=3600"» } } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: staff only
    actions: [{ type: basic-auth, config: { credentials: ["\${secrets.get('staff', 'login')}"] } }]
on_http_response:
  - name: cache for an hour
    actions: [{ type: add-headers, config: { headers: { cache-control: "private, max-age=3600" } } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, { file, report }) => {
      const check = checksIn(policy, file)[0];
      if (check === undefined) return;
      const rules = file.profile.phases.flatMap(phase =>
        isResponsePhase(file.profile, phase) ? policy.rules[phase] : [],
      );
      for (const rule of rules.filter(isForAll)) {
        for (const action of rule.actions) {
          const entry = headerOf(headersOf(action), 'cache-control');
          const text = entry && stringOf(entry.value);
          if (!text || !/(?:^|[\s,])(?:public|s-maxage=[1-9]\d*)(?:$|[\s,])/i.test(text.value)) continue;
          report({
            range: entry.value.range,
            message: `shared caches may hand pages behind \`${check}\` to others; write \`private\`, or add the header only to public paths`,
            args: { action: check },
          });
        }
      }
    },
  },
};

/** Returns the types of the actions that identify users. */
function checksIn(policy: Policy, { profile }: LintedFile): readonly string[] {
  const actions = profile.phases.flatMap(phase => policy.rules[phase]).flatMap(rule => rule.actions);
  return actions.flatMap(({ fact, type }) =>
    fact?.onlyOneOf === 'authentication' || type.value === 'jwt-validation' ? [type.value] : [],
  );
}

/** True if the rule does not select responses by what was requested or by what they are. */
function isForAll({ expressions }: Rule): boolean {
  return expressions.every(({ source }) => /^\s*res\.(?:status_code|StatusCode)\s*[=<>!]+\s*\d+\s*$/.test(source));
}
