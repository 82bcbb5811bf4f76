import type { Availability, Sample, VariableFact } from '../fact.ts';
import type { ValueRole } from '../role.ts';
import { certificateVariables } from '../snake-case/tls-variables.ts';
import { EVERYWHERE, HTTP, RESPONSE } from './availability.ts';

/** Path below `actions.ngrok`, type, description, and role. */
type Row = readonly [path: string, type: string, doc: string, role?: ValueRole];

const SAMPLES: Readonly<Record<string, Sample>> = { string: 'x', bool: true, int: 3 };

const ERROR: readonly Row[] = [
  ['error.code', 'string', 'Code of the error, when there was one.'],
  ['error.message', 'string', 'Message of the error, when there was one.'],
];

const REWRITE: readonly Row[] = [
  ['matches', 'list(string)', 'What the pattern matched.'],
  ['url', 'string', 'The URL that replacing made.'],
  ...ERROR,
];

const SIGN_IN: readonly Row[] = [
  ['identity.id', 'string', 'Id of the one who has signed in.'],
  ['identity.email', 'string', 'Address of mail of the one who has signed in.'],
  ['identity.name', 'string', 'Name of the one who has signed in.'],
  ['identity.provider_user_id', 'string', 'Id with the provider.'],
  ['access_token', 'string', 'Token to ask the provider with.'],
  ['refresh_token', 'string', 'Token to get another token with.'],
  ['expires_at', 'string', 'When the token expires.'],
  ['session_timed_out', 'bool', 'The session had been without traffic for too long.'],
  ['session_max_duration_reached', 'bool', 'The session had lasted for too long.'],
  ...ERROR,
];

const CORE_RULES: readonly Row[] = [
  ['decision', 'string', '`allow` or `deny`.'],
  ['anomaly_score', 'int', 'Sum of the scores of the rules that matched.'],
  ['anomaly_score_threshold', 'int', 'Score at which it is refused.'],
  ['matched_rules', 'list(core_rule_match)', 'The rules that matched.'],
  ...ERROR,
];

const REPLACED: readonly Row[] = [['replacements', 'list(replacement)', 'What was replaced.']];

/** What actions leave behind, by action: the name below `actions.ngrok`, where it may be read, and what there is. */
const RESULTS: Readonly<Record<string, readonly [name: string, where: Availability, rows: readonly Row[]]>> = {
  'add-headers': ['add_headers', HTTP, [['headers_added', 'map(string, list(string))', 'What was added.']]],
  'basic-auth': [
    'basic_auth',
    HTTP,
    [
      ['credentials.presented', 'bool', 'The request has credentials.'],
      ['credentials.username', 'string', 'Its user.'],
      ['credentials.authorized', 'bool', 'They are among those that may pass.'],
    ],
  ],
  'compress-response': [
    'compress',
    RESPONSE,
    [
      ['already_compressed', 'bool', 'The body was compressed already.'],
      ['negotiated_algorithm', 'string', 'What the body was compressed with.'],
    ],
  ],
  'forward-internal': ['forward_internal', EVERYWHERE, [['url', 'string', 'Where it was to be handed to.'], ...ERROR]],
  'http-request': [
    'http_request',
    HTTP,
    [
      ['attempts', 'list(http_request_attempt)', 'All attempts, in order.'],
      ['req', 'http_request_request', 'What was asked.'],
      ['res', 'http_request_response', 'What was answered.'],
      ...ERROR,
    ],
  ],
  'jwt-validation': ['jwt_validation', HTTP, [['tokens', 'list(jwt_token)', 'The tokens.'], ...ERROR]],
  log: ['log', EVERYWHERE, [['metadata', 'map(string, dyn)', 'What was noted.']]],
  oauth: [
    'oauth',
    HTTP,
    [
      ...SIGN_IN,
      ['identity.current_provider_session_id', 'string', 'Id of the session.'],
      ['userinfo_refreshed', 'bool', 'It was asked anew who it is.'],
    ],
  ],
  'openid-connect': [
    'oidc',
    HTTP,
    [
      ...SIGN_IN,
      ['identity.current_session_id', 'string', 'Id of the session.'],
      ['identity_token', 'string', 'The token that tells who it is.'],
      ['user_info_refreshed', 'bool', 'It was asked anew who it is.'],
    ],
  ],
  'owasp-crs-request': ['owasp_crs_request', HTTP, CORE_RULES],
  'owasp-crs-response': ['owasp_crs_response', RESPONSE, CORE_RULES],
  'rate-limit': [
    'rate_limit',
    HTTP,
    [['bucket_key', 'string', 'Key of the request.'], ['limited', 'bool', 'It is one too many.'], ...ERROR],
  ],
  redirect: ['redirect', HTTP, REWRITE],
  'remove-headers': ['remove_headers', HTTP, [['headers_removed', 'list(string)', 'What was removed.']]],
  'restrict-ips': [
    'restrict_ips',
    EVERYWHERE,
    [['action', 'string', '`allow` or `deny`.'], ['matched_cidr', 'string', 'The range that decided.'], ...ERROR],
  ],
  'terminate-tls': [
    'terminate_tls',
    EVERYWHERE,
    [
      ['cipher_suite', 'string', 'Cipher suite of the TLS connection.'],
      ['sni', 'string', 'Server name that the client asked for.'],
      ['version', 'string', 'Version of TLS.', 'tls-version'],
      ['warnings', 'list(string)', 'What was noticed.'],
      ...ERROR,
    ],
  ],
  'url-rewrite': ['url_rewrite', HTTP, REWRITE],
  'verify-webhook': ['verify_webhook', HTTP, [['verified', 'bool', 'The signature is right.'], ...ERROR]],
  'request-body-find-replace': ['request_body_find_replace', HTTP, REPLACED],
  'response-body-find-replace': ['response_body_find_replace', RESPONSE, REPLACED],
  'sse-find-replace': ['sse_find_replace', { ...RESPONSE, phases: ['on_event_stream_message'] }, REPLACED],
};

const ROOT = 'actions.ngrok';

/** What earlier actions have left behind. Of an action that has run more than once, the last time counts. */
export const RESULT_VARIABLES: readonly VariableFact[] = [
  ...Object.entries(RESULTS).flatMap(([action, [name, where, rows]]) =>
    rows.map(([path, type, doc, role]) =>
      resultVariable({ ...where, setBy: action, ...(role && { role }) }, `${ROOT}.${name}.${path}`, { type, doc }),
    ),
  ),
  ...certificateVariables({ ...EVERYWHERE, setBy: 'terminate-tls' }, `${ROOT}.terminate_tls`),
];

function resultVariable(
  shared: Availability & Pick<VariableFact, 'role'> & { readonly setBy: string },
  path: string,
  { type, doc }: { type: string; doc: string },
): VariableFact {
  const sample = SAMPLES[type] ?? (type.startsWith('list') ? [] : {});
  const isScalar = type in SAMPLES;
  return {
    ...shared,
    path,
    type,
    doc,
    example: isScalar
      ? { expression: `has(${path}) && ${path} == ${JSON.stringify(sample)}`, value: 'true' }
      : { expression: `has(${path})`, value: 'true' },
    sample,
    absent: { when: `no \`${shared.setBy}\` has run` },
    source: 'documented',
  };
}

/** The objects on the way to {@link RESULT_VARIABLES}, by action. */
export const RESULT_NAMES: readonly (readonly [action: string, name: string])[] = Object.entries(RESULTS).map(
  ([action, [name]]) => [action, `${ROOT}.${name}`],
);
