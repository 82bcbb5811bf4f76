import type { CallExpr } from '@tollgate/cel';
import { CREDENTIAL_HEADERS, CREDENTIAL_PARAMETERS } from '../../data/header-names.ts';
import { originsIn, type ValueOrigin } from '../../expressions/value-origin.ts';
import { fieldNamed } from '../../profile/profile-roles.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf, sourceOf } from '../../rule-api/linted-expression.ts';

/** A digest tells two apart, and nothing more. */
const DIGEST = /^(?:hash\.)?(?:md5|sha1|sha256|sha512|crc32|crc64|xxhash64)$|^size$/;

/** `metadata: { auth: ${req.headers['authorization'][0]} }`. */
export const LOG_SENSITIVE: LintRule = {
  id: 'sec/log-sensitive',
  severity: 'warning',
  summary: 'credentials of clients written to the log',
  rationale:
    'Logs are kept for long, copied, and read by many who may not act for their users. What lets someone in does not belong there: ' +
    'note who it is, or a digest.',
  bad: {
    policy: `\
on_http_request:
  - name: who asks
    actions: [{ type: log, config: { metadata: { auth: "\${«getReqHeader('authorization').join(',')»}" } } }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: who asks
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
        const what = sensitivePart(origin);
        if (what === undefined) continue;
        context.report({
          range: placeOf(at, node.range),
          message: `\`${sourceOf(at, node.range)}\` holds ${what}, which let others in; leave it out, or note a digest of it`,
          args: { found: sourceOf(at, node.range) },
        });
      }
    },
  },
};

function isDigest(call: CallExpr): boolean {
  return DIGEST.test(call.function);
}

/** Undefined for what may be written. */
function sensitivePart({ role, name }: ValueOrigin): string | undefined {
  const lower = name?.toLowerCase();
  switch (role) {
    case 'request-headers':
    case 'response-headers':
      if (lower === undefined) return 'all headers, `Authorization` and `Cookie` among them';
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
