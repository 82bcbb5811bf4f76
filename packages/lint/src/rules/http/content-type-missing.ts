import type { TextEdit } from '@tollgate/diagnostics';
import type { Action } from '@tollgate/policy';
import { headerOf, headersOf, isAnswer, textOfRole } from '../../facts/action-parts.ts';
import { isJson } from '../../facts/body-format.ts';
import { spelling } from '../../facts/phase-parts.ts';
import { insertEntry } from '../../rule/insert-entry.ts';
import type { LintContext } from '../../rule/lint-context.ts';
import type { LintRule } from '../../rule/lint-rule.ts';

const VALUE = 'application/json';

/** A body in JSON without a content type. */
export const CONTENT_TYPE_MISSING: LintRule = {
  id: 'http/content-type-missing',
  severity: 'info',
  summary: 'a body in JSON that is not said to be JSON',
  rationale:
    'Without a Content-Type header the edge guesses from the first signs of the body. HTML is found that way, JSON is not: it is sent ' +
    'as plain text, which programs refuse to parse.',
  bad: {
    policy: `\
inbound:
  - name: closed
    actions:
      - type: custom-response
        config:
          status_code: 403
          content: «'{"error": "closed"}'»
`,
  },
  good: {
    policy: `\
inbound:
  - name: closed
    actions:
      - type: custom-response
        config:
          status_code: 403
          content: '{"error": "closed"}'
          headers: { Content-Type: application/json }
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended'],
  check: {
    action: (action, _, context) => {
      const body = isAnswer(action) ? textOfRole(action, 'body') : undefined;
      if (!body || !isJson(body.value) || headerOf(headersOf(action), 'content-type')) return;
      const edit = insertType(action, context);
      context.report({
        range: body.node.range,
        message: `the body is JSON and will be sent as plain text; add \`Content-Type: ${VALUE}\` to \`headers\``,
        fixes: edit ? [{ title: 'add the content type', applicability: 'suggestion', edits: [edit] }] : [],
      });
    },
  },
};

function insertType(action: Action, { file }: LintContext): TextEdit | undefined {
  const { text } = file.source;
  const name = spelling(file, 'Content-Type');
  const headers = headersOf(action);
  if (headers) return insertEntry(text, headers, name, JSON.stringify(VALUE));
  return action.configNode && insertEntry(text, action.configNode, 'headers', `{ "${name}": "${VALUE}" }`);
}
