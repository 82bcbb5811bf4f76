import type { ValueRole } from '@tollgate/catalog';
import type { CallExpr } from '@tollgate/cel';
import { isAtHost } from '../../analyses/url-walk.ts';
import { fieldNamed } from '../../readers/profile-roles.ts';
import { originsIn } from '../../readers/value-origin.ts';
import { sourceFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Inputs that the edge has decoded: they may contain any character, including line breaks and `&`. */
const DECODED: ReadonlySet<ValueRole> = new Set(['query-parameters', 'path']);

/** Functions whose results contain no character with a meaning in a header or URL. */
const CLEANING =
  /^(?:escapeUrl|encodeBase64|encodeJson|encode|escape|md5|sha1|sha256|sha512|crc32|crc64|xxhash64|size|hash\..*|quote)$/;

/** Reports `X-Next: ${req.url.query_params['next'][0]}`. */
export const INJECTION: LintRule = {
  id: 'header/injection',
  severity: 'warning',
  summary: 'decoded client input in a header or URL',
  rationale:
    'Query parameters and paths arrive decoded: `%0d%0a` has become a line break, `%26` an `&`. Copied unescaped into a header or URL, ' +
    'such characters end the value and let the client append headers or parameters.',
  bad: {
    policy: `\
on_http_request:
  - name: forward the shop
    actions:
      - type: add-headers
        config: { headers: { x-shop: "\${«getQueryParam('shop').join(',')»}" } }
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: forward the shop
    actions:
      - type: add-headers
        config: { headers: { x-shop: "\${getQueryParam('shop').join(',').escapeUrl()}" } }
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      // A redirect to a host chosen by the client is reported by `url/open-redirect`.
      if (at.role !== 'interpolation' || !flowsIntoMessage(at) || isAtHost(at)) return;
      const escapes = context.file.profile.functions.some(({ name, member }) => name === 'escapeUrl' && member);
      for (const { node, origin } of originsIn(at.typed, context.file.roles, isCleaning)) {
        if (!origin.role || !DECODED.has(origin.role)) continue;
        const source = sourceOf(at, node.range);
        const newText = `${source}.escapeUrl()`;
        const isString = at.typed.types[node.id]?.kind === 'string';
        context.report({
          range: rangeInDocument(at, node.range),
          message: `\`${source}\` is decoded client input, which may contain line breaks and \`&\`; escape it${escapes ? ' with `escapeUrl()`' : ' first'}`,
          args: { found: source },
          fixes:
            escapes && isString
              ? [sourceFix(at, node, { newText, title: 'escape it with `escapeUrl()`', applicability: 'suggestion' })]
              : [],
        });
      }
    },
  },
};

/** True for header values and the URLs of rewrites and redirects. */
function flowsIntoMessage({ config }: LintedExpression): boolean {
  const field = config && fieldNamed(config.action.fact?.config, config.path[0]!);
  return field?.role === 'url-replacement' || (field?.type.kind === 'map' && field.type.key === 'header-name');
}

function isCleaning(call: CallExpr): boolean {
  return CLEANING.test(call.function);
}
