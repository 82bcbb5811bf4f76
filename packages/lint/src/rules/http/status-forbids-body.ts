import { removeEntries } from '@tollgate/policy';
import { entryOfRole, statusOf, stringOfRole } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Reports `status_code: 204` with `content`. */
export const STATUS_FORBIDS_BODY: LintRule = {
  id: 'http/status-forbids-body',
  severity: 'warning',
  summary: 'body in a response whose status does not allow one',
  rationale:
    'Responses with status 204, 205 or 304 have no body (RFC 9110). The body is never sent, or it breaks the connection.',
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
      const body = BODILESS.has(status) ? stringOfRole(action, 'body') : undefined;
      const entry = entryOfRole(action, 'body');
      if (!body || body.value === '' || !entry || !action.configNode) return;
      const [edit] = removeEntries(context.file.source.text, action.configNode, [entry]);
      context.report({
        range: body.place,
        message: `response with status ${status} cannot have a body; remove \`${entry.key}\`, or use status 200`,
        args: { status, key: entry.key },
        fixes: edit ? [{ title: `remove \`${entry.key}\``, applicability: 'safe', edits: [edit] }] : [],
      });
    },
  },
};
