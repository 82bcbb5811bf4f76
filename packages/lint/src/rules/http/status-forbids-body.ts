import { removeEntries } from '@tollgate/policy';
import { entryOfRole, statusOf, textOfRole } from '../../actions/action-parts.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** `status_code: 204` with `content`. */
export const STATUS_FORBIDS_BODY: LintRule = {
  id: 'http/status-forbids-body',
  severity: 'warning',
  summary: 'a body where the status allows none',
  rationale:
    'A response with status 204, 205 or 304 has no body (RFC 9110). What is written here is never sent, or breaks the connection.',
  bad: {
    policy: `\
inbound:
  - name: preflight
    expressions: ["req.Method == 'OPTIONS'"]
    actions: [{ type: custom-response, config: { status_code: 204, content: «fine» } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: preflight
    expressions: ["req.Method == 'OPTIONS'"]
    actions: [{ type: custom-response, config: { status_code: 204 } }]
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const status = statusOf(action) ?? 0;
      const body = BODILESS.has(status) ? textOfRole(action, 'body') : undefined;
      const entry = entryOfRole(action, 'body');
      if (!body || body.value === '' || !entry || !action.configNode) return;
      const [edit] = removeEntries(context.file.source.text, action.configNode, [entry]);
      context.report({
        range: body.place,
        message: `a response with status ${status} has no body; leave \`${entry.key}\` out, or answer with 200`,
        args: { status, key: entry.key },
        fixes: edit ? [{ title: `leave \`${entry.key}\` out`, applicability: 'safe', edits: [edit] }] : [],
      });
    },
  },
};
