import type { CallExpr } from '@tollgate/cel';
import { CREDENTIAL_HEADERS, CREDENTIAL_PARAMETERS } from '../../readers/http-names.ts';
import { fieldNamed } from '../../readers/profile-roles.ts';
import { originsIn, type ValueOrigin } from '../../readers/value-origin.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Functions whose results identify a value without revealing it. */
const DIGEST = /^(?:hash\.)?(?:md5|sha1|sha256|sha512|crc32|crc64|xxhash64)$|^size$/;

/** Reports `metadata: { auth: ${req.headers['authorization'][0]} }`. */
export const LOG_SENSITIVE: LintRule = {
  id: 'sec/log-sensitive',
  severity: 'warning',
  summary: 'client credentials written to the log',
  rationale:
    'Logs are kept for a long time, copied, and read by people who may not act on behalf of users. Credentials do not belong there: ' +
    'log the identity of the client, or a digest.',
  bad: {
    policy: `\
on_http_request:
  - name: log the caller
    actions: [{ type: log, config: { metadata: { auth: "\${«getReqHeader('authorization').join(',')»}" } } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: log the caller
    actions: [{ type: log, config: { metadata: { auth: "\${getReqHeader('authorization').join(',').sha256()}" } } }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      const field = at.config && fieldNamed(at.config.action.fact?.config, at.config.path[0]!);
      if (at.role !== 'interpolation' || field?.role !== 'note') return;
      for (const { node, origin } of originsIn(at.typed, context.file.roles, isDigest)) {
        const sensitive = sensitivePart(origin);
        if (sensitive === undefined) continue;
        context.report({
          range: rangeInDocument(at, node.range),
          message: `\`${sourceOf(at, node.range)}\` contains ${sensitive}; do not log it, or log a digest`,
          args: { found: sourceOf(at, node.range) },
        });
      }
    },
  },
};

function isDigest(call: CallExpr): boolean {
  return DIGEST.test(call.function);
}

/** Describes the credentials that an input contains; undefined for inputs that may be logged. */
function sensitivePart({ role, name }: ValueOrigin): string | undefined {
  const lower = name?.toLowerCase();
  switch (role) {
    case 'request-headers':
    case 'response-headers':
      if (lower === undefined) return 'all headers, including `Authorization` and `Cookie`';
      return CREDENTIAL_HEADERS.has(lower) ? 'credentials' : undefined;
    case 'request-cookies':
    case 'response-cookies':
      return 'cookies';
    case 'query-parameters':
      return lower !== undefined && CREDENTIAL_PARAMETERS.has(lower) ? 'credentials' : undefined;
    default:
      return undefined;
  }
}
