import { fieldNamed } from '../../readers/profile-roles.ts';
import { originsIn } from '../../readers/value-origin.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

const WHOLE_MESSAGES: ReadonlySet<string> = new Set([
  ...['request-headers', 'response-headers', 'request-cookies', 'response-cookies'],
]);

/** Reports `body: ${req.headers.encodeJson()}`. */
export const DEBUG_ECHO: LintRule = {
  id: 'sec/debug-echo',
  severity: 'warning',
  summary: 'response body that contains all headers or cookies',
  rationale:
    'Echoing the request is handy for debugging. Left in place, it exposes HttpOnly cookies to scripts and reveals headers that ' +
    'proxies added on the way.',
  bad: {
    policy: `\
on_http_request:
  - name: debug
    expressions: ["req.url.path == '/debug'"]
    actions: [{ type: custom-response, config: { body: "\${json.encode(«req.headers»)}" } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: debug
    expressions: ["req.url.path == '/debug'"]
    actions: [{ type: custom-response, config: { body: "\${req.method}" } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      const field = at.config && fieldNamed(at.config.action.fact?.config, at.config.path[0]!);
      if (at.role !== 'interpolation' || field?.role !== 'body') return;
      for (const { node, origin } of originsIn(at.typed, context.file.roles)) {
        if (origin.name !== undefined || !WHOLE_MESSAGES.has(origin.role ?? '')) continue;
        const source = sourceOf(at, node.range);
        context.report({
          range: rangeInDocument(at, node.range),
          message: `response exposes all of \`${source}\`; return single values, or remove the rule`,
          args: { found: source },
        });
      }
    },
  },
};
