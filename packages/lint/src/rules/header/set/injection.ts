import type { ValueRole } from '@tollgate/catalog';
import type { CallExpr } from '@tollgate/cel';
import { isAtHost } from '../../../analyses/urls/redirect-host.ts';
import { originsIn } from '../../../expressions/value-origin.ts';
import { sourceFix } from '../../../fixes/literal-fix.ts';
import { fieldNamed } from '../../../profile/profile-roles.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf, sourceOf } from '../../../rule-api/linted-expression.ts';

/** What the edge has decoded: any sign may be in it, line breaks and `&` too. */
const DECODED: ReadonlySet<ValueRole> = new Set(['query-parameters', 'path']);

/** After these, no sign is left that means something to a header or a URL. */
const CLEANING =
  /^(?:escapeUrl|encodeBase64|encodeJson|encode|escape|md5|sha1|sha256|sha512|crc32|crc64|xxhash64|size|hash\..*|quote)$/;

/** `X-Next: ${req.url.query_params['next'][0]}`. */
export const INJECTION: LintRule = {
  id: 'header/injection',
  severity: 'warning',
  summary: 'decoded text of the client in a header or a URL',
  rationale:
    'Parameters and paths are decoded: `%0d%0a` has become a line break, `%26` an `&`. Put into a header or a URL as they are, such ' +
    'signs end the header or the parameter, and the client writes the next one.',
  bad: {
    policy: `\
on_http_request:
  - name: pass the shop on
    actions:
      - type: add-headers
        config: { headers: { x-shop: "\${«getQueryParam('shop').join(',')»}" } }
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: pass the shop on
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
      // Who chooses the host of a redirect needs no line breaks: that is said by itself.
      if (at.role !== 'interpolation' || !flowsIntoMessage(at) || isAtHost(at)) return;
      const escapes = context.file.profile.functions.some(fact => fact.name === 'escapeUrl' && fact.member);
      for (const { node, origin } of originsIn(at.typed, context.file.roles, isCleaning)) {
        if (!origin.role || !DECODED.has(origin.role)) continue;
        const source = sourceOf(at, node.range);
        const newText = `${source}.escapeUrl()`;
        const isText = at.typed.types[node.id]?.kind === 'string';
        context.report({
          range: placeOf(at, node.range),
          message: `\`${source}\` is decoded text of the client, which can hold line breaks and \`&\`; encode it${escapes ? ' with `escapeUrl()`' : ' before'}`,
          args: { found: source },
          fixes:
            escapes && isText
              ? [sourceFix(at, node, { newText, title: 'encode it', applicability: 'suggestion' })]
              : [],
        });
      }
    },
  },
};

/** Headers, and the URLs of rewrites and redirects. */
function flowsIntoMessage({ config }: LintedExpression): boolean {
  const field = config && fieldNamed(config.action.fact?.config, config.path[0]!);
  return field?.role === 'url-replacement' || (field?.type.kind === 'map' && field.type.key === 'header-name');
}

function isCleaning(call: CallExpr): boolean {
  return CLEANING.test(call.function);
}
