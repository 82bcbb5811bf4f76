import { originsIn } from '../../expressions/value-origin.ts';
import { fieldNamed } from '../../profile/profile-roles.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf, sourceOf } from '../../rule-api/linted-expression.ts';

const WHOLE_MESSAGES: ReadonlySet<string> = new Set([
  ...['request-headers', 'response-headers', 'request-cookies', 'response-cookies'],
]);

/** `body: ${req.headers.encodeJson()}`. */
export const DEBUG_ECHO: LintRule = {
  id: 'sec/debug-echo',
  severity: 'warning',
  summary: 'an answer that shows all headers or cookies',
  rationale:
    'Sending back what came in is handy while one looks for a fault. Left in, it hands cookies that scripts must not read to ' +
    'scripts, and shows what proxies on the way have added.',
  bad: {
    policy: `\
on_http_request:
  - name: what has come
    expressions: ["req.url.path == '/debug'"]
    actions: [{ type: custom-response, config: { body: "\${json.encode(«req.headers»)}" } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: what has come
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
          range: placeOf(at, node.range),
          message: `all of \`${source}\` is sent back to whoever asks; name what is meant, or take the rule out again`,
          args: { found: source },
        });
      }
    },
  },
};
