import { type Action, entryOf, type Policy } from '@tollgate/policy';
import { resultReads } from '../../analyses/access.ts';
import { configNodeAt } from '../../readers/actions.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `jwt-validation` without `audience`. */
export const JWT_AUDIENCE_MISSING: LintRule = {
  id: 'sec/jwt-audience-missing',
  severity: 'warning',
  summary: 'JWT validation without an audience',
  rationale:
    'An issuer signs tokens for many services. Without an audience list, a token that was issued for another service, even a malicious ' +
    'one, is accepted here too (RFC 8725, section 3.9). List the audiences that identify this service.',
  bad: {
    policy: `\
on_http_request:
  - name: require a token
    actions:
      - type: «jwt-validation»
        config:
          issuer: { allow_list: [{ value: https://id.example.com/ }] }
          http: { tokens: [{ type: jwt, method: header, name: authorization, prefix: "Bearer " }] }
          jws: { allowed_algorithms: [RS256] }
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: require a token
    actions:
      - type: jwt-validation
        config:
          issuer: { allow_list: [{ value: https://id.example.com/ }] }
          audience: { allow_list: [{ value: https://api.example.com }] }
          http: { tokens: [{ type: jwt, method: header, name: authorization, prefix: "Bearer " }] }
          jws: { allowed_algorithms: [RS256] }
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, context) => {
      const rules = context.file.profile.phases.flatMap(phase => policy.rules[phase]);
      const open = rules.flatMap(rule => rule.actions).filter(action => takesAudience(action) && !hasAudience(action));
      if (open.length === 0 || checksAudience(open[0]!, policy, context)) return;
      for (const action of open) {
        context.report({
          range: action.type.range,
          message:
            'tokens issued for any other service are accepted; list the audiences of this one in `audience.allow_list`',
        });
      }
    },
  },
};

function takesAudience({ fact, configNode }: Action): boolean {
  return (
    configNode !== undefined && (fact?.config.some(field => field.name === 'audience' && !field.required) ?? false)
  );
}

function hasAudience(action: Action): boolean {
  const audience = configNodeAt(action, 'audience');
  return audience?.kind === 'map' && entryOf(audience, 'allow_list') !== undefined;
}

/** True if a rule that decides about traffic reads the claim. */
function checksAudience({ type }: Action, policy: Policy, { file }: LintContext): boolean {
  return resultReads(policy, type.value, file).some(
    ({ decides, typed }) => decides && /\baud\b/.test(typed.ast.source),
  );
}
