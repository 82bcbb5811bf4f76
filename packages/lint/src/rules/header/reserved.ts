import type { Action } from '@tollgate/policy';
import { type NamedHeader, namedHeaders } from '../../readers/actions.ts';
import { FRAMING_HEADERS } from '../../readers/http-names.ts';
import { isResponsePhase } from '../../readers/profile-roles.ts';
import type { ActionLocation, LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `Content-Length: "0"`. */
export const RESERVED: LintRule = {
  id: 'header/reserved',
  severity: 'warning',
  maxSeverity: 'error',
  summary: 'header that policies cannot set or remove',
  rationale:
    'The edge computes Content-Length and Date itself. A policy that sets them contradicts the message, and clients truncate it or ' +
    'wait for more. Some headers are rejected by the service in any policy, so publishing fails.',
  bad: {
    policy: `\
on_http_request:
  - name: hide the client
    actions: [{ type: remove-headers, config: { headers: [«user-agent»] } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: hide the client
    actions: [{ type: remove-headers, config: { headers: [x-client] } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    action: (action, place, context) => {
      for (const header of namedHeaders(action)) report(header, action, { place, context });
    },
  },
};

function report(
  { name, range, verb }: NamedHeader,
  action: Action,
  { place, context }: { readonly place: ActionLocation; readonly context: LintContext },
): void {
  const lower = name.toLowerCase();
  const args = { header: name, action: action.type.value };
  if (action.fact?.config.some(field => field.refusedHeaders?.includes(lower))) {
    const message = `service rejects policies that ${verb} \`${name}\`; remove it`;
    context.report({ range, message, args, severity: 'error' });
  } else if (FRAMING_HEADERS.has(lower)) {
    context.report({ range, message: `the edge computes \`${name}\` itself; do not ${verb} it`, args });
  } else if (lower === 'host' && isResponsePhase(context.file.profile, place.rule.phase)) {
    context.report({ range, message: `responses have no \`${name}\` header; ${verb} it in the request phase`, args });
  }
}
