import type { Availability, ObjectFact, Sample, VariableFact } from '../schema/fact.ts';
import type { ValueRole } from '../schema/role.ts';
import { RESULT_TYPES } from './result-types.ts';
import type { SnakePlaces } from './snake-availability.ts';
import { certificateVariables } from './tls-variables.ts';

/** Path below `actions.ngrok`, type, description, and role. */
type Row = readonly [path: string, type: string, doc: string, role?: ValueRole];

const SAMPLES: Readonly<Record<string, Sample>> = {
  string: 'x',
  bool: true,
  int: 3,
  'tls-version': '1.3',
};

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

const AI_GATEWAY: readonly Row[] = [
  ['status', 'string', 'How it ended.'],
  ...ERROR,
  ['client.method', 'string', 'Method of the request.'],
  ['client.path', 'string', 'Path of the request.'],
  ['client.request_headers', 'map(string, dyn)', 'Headers of the request.'],
  ['client.user_agent', 'string', 'User-Agent header of the request.'],
  ['client.model', 'string', 'The model that the request asks for.'],
  ['client.models', 'list(string)', 'The models that the request asks for.'],
  ['client.api_key_hash', 'string', 'Hash of the key that the request carries.'],
  ['client.rejected_models', 'list(ai_rejected_model)', 'Models that were asked for and not accepted.'],
  ['input_ngrok_tokens', 'int', 'Tokens of the input.'],
  ['output_ngrok_tokens', 'int', 'Tokens of the output.'],
  ['gateway_latency_ms', 'int', 'Milliseconds that the gateway took.'],
  ['model_selection', 'list(ai_model_selection)', 'How models were selected.'],
  ['models_tried', 'list(ai_model_tried)', 'The models that were tried, in order.'],
  ['success.model_index', 'int', 'Index of the model in `models_tried`.'],
  ['success.request_index', 'int', 'Index of the request in `requests_made`.'],
  ['success.model', 'string', 'The model that answered.'],
  ['success.provider', 'string', 'The provider that answered.'],
  ['success.author', 'string', 'The author of the model that answered.'],
];

/** What actions leave behind, by action: the name below `actions.ngrok`, where it may be read, and what there is. */
const RESULTS: Readonly<Record<string, readonly [name: string, where: keyof SnakePlaces, rows: readonly Row[]]>> = {
  'add-headers': ['add_headers', 'http', [['headers_added', 'map(string, list(string))', 'What was added.']]],
  'ai-gateway': ['ai_gateway', 'http', AI_GATEWAY],
  'basic-auth': [
    'basic_auth',
    'http',
    [
      ['credentials.presented', 'bool', 'The request has credentials.'],
      ['credentials.username', 'string', 'Its user.'],
      ['credentials.authorized', 'bool', 'They are among those that may pass.'],
    ],
  ],
  'compress-response': [
    'compress',
    'response',
    [
      ['already_compressed', 'bool', 'The body was compressed already.'],
      ['negotiated_algorithm', 'string', 'What the body was compressed with.'],
    ],
  ],
  'forward-internal': [
    'forward_internal',
    'connection',
    [['url', 'string', 'Where it was to be handed to.'], ...ERROR],
  ],
  'http-request': [
    'http_request',
    'http',
    [
      ['attempts', 'list(http_request_attempt)', 'All attempts, in order.'],
      ['req', 'http_request_request', 'What was asked.'],
      ['res', 'http_request_response', 'What was answered.'],
      ...ERROR,
    ],
  ],
  'jwt-validation': ['jwt_validation', 'http', [['tokens', 'list(jwt_token)', 'The tokens.'], ...ERROR]],
  log: ['log', 'connection', [['metadata', 'map(string, dyn)', 'What was noted.']]],
  oauth: [
    'oauth',
    'http',
    [
      ...SIGN_IN,
      ['identity.current_provider_session_id', 'string', 'Id of the session.'],
      ['userinfo_refreshed', 'bool', 'It was asked anew who it is.'],
    ],
  ],
  'openid-connect': [
    'oidc',
    'http',
    [
      ...SIGN_IN,
      ['identity.current_session_id', 'string', 'Id of the session.'],
      ['identity_token', 'string', 'The token that tells who it is.'],
      ['user_info_refreshed', 'bool', 'It was asked anew who it is.'],
    ],
  ],
  'owasp-crs-request': ['owasp_crs_request', 'http', CORE_RULES],
  'owasp-crs-response': ['owasp_crs_response', 'response', CORE_RULES],
  'rate-limit': [
    'rate_limit',
    'http',
    [['bucket_key', 'string', 'Key of the request.'], ['limited', 'bool', 'It is one too many.'], ...ERROR],
  ],
  redirect: ['redirect', 'http', REWRITE],
  'remove-headers': ['remove_headers', 'http', [['headers_removed', 'list(string)', 'What was removed.']]],
  'restrict-ips': [
    'restrict_ips',
    'connection',
    [['action', 'string', '`allow` or `deny`.'], ['matched_cidr', 'string', 'The range that decided.'], ...ERROR],
  ],
  'terminate-tls': [
    'terminate_tls',
    'connection',
    [
      ['cipher_suite', 'string', 'Cipher suite of the TLS connection.'],
      ['sni', 'string', 'Server name that the client asked for.'],
      ['version', 'string', 'Version of TLS.', 'tls-version'],
      ['warnings', 'list(string)', 'What was noticed.'],
      ...ERROR,
    ],
  ],
  'url-rewrite': ['url_rewrite', 'http', REWRITE],
  'verify-webhook': ['verify_webhook', 'http', [['verified', 'bool', 'The signature is right.'], ...ERROR]],
  'request-body-find-replace': ['request_body_find_replace', 'http', REPLACED],
  'response-body-find-replace': ['response_body_find_replace', 'response', REPLACED],
  'sse-find-replace': ['sse_find_replace', 'response', REPLACED],
};

const ROOT = 'actions.ngrok';

/** What earlier actions of these types have left behind. Of an action that has run more than once, the last time counts. */
export function resultVariables(places: SnakePlaces, actionTypes: readonly string[]): readonly VariableFact[] {
  const rows = Object.entries(RESULTS).flatMap(([action, [name, where, ofAction]]) =>
    ofAction.map(row => resultVariable({ ...places[where], setBy: action }, `${ROOT}.${name}`, row)),
  );
  const certificates = certificateVariables({ ...places.connection, setBy: 'terminate-tls' }, `${ROOT}.terminate_tls`);
  return [...rows, ...certificates].filter(({ setBy }) => setBy !== undefined && actionTypes.includes(setBy));
}

function resultVariable(
  shared: Availability & { readonly setBy: string },
  root: string,
  [name, type, doc, role]: Row,
): VariableFact {
  const path = `${root}.${name}`;
  const sample = (role && SAMPLES[role]) ?? SAMPLES[type] ?? (type.startsWith('list') ? [] : {});
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
    ...(role && { role }),
  };
}

/** The objects on the way to {@link resultVariables}. */
export function resultObjects(variables: readonly VariableFact[]): readonly ObjectFact[] {
  const actionTypes = new Set(variables.map(fact => fact.setBy));
  const results = Object.entries(RESULTS).filter(([action]) => actionTypes.has(action));
  return [
    { name: 'actions', doc: 'What earlier actions have left behind.' },
    { name: ROOT, doc: 'What earlier actions have left behind, by action.' },
    ...results.map(([action, [name]]) => ({
      name: `${ROOT}.${name}`,
      doc: `What the last \`${action}\` has left behind.`,
    })),
    ...resultParts(variables),
    ...new Set(results.flatMap(([action]) => RESULT_TYPES[action] ?? [])),
  ];
}

/** The groups within a result: `error`, `identity`, `credentials`. */
function resultParts(variables: readonly VariableFact[]): readonly ObjectFact[] {
  // Those of certificates are described with certificates.
  const own = variables.filter(({ path }) => !/^actions\.ngrok\.terminate_tls\.(?:client|server)\./.test(path));
  const owners = own.map(({ path }) => path.split('.')).filter(parts => parts.length === 5);
  const names = owners.filter(parts => ['error', 'identity', 'credentials', 'client', 'success'].includes(parts[3]!));
  return [...new Set(names.map(parts => parts.slice(0, 4).join('.')))].map(name => ({
    name,
    doc: `${name.split('.').at(-1)} of the action.`,
  }));
}
