import type { Availability, ObjectFact, Sample, ValueRole, VariableFact } from '../schema/fact.ts';
import { certificateVariables } from './connection-variables.ts';
import { object, type SnakeAvailability } from './objects.ts';

const HEADERS = 'map(string, list(string))';

const HTTP_REQUEST = [
  object('http_request_attempt', 'One attempt of an `http-request` action.', [
    ['resolved_ip', 'string', 'The resolved address of the server.'],
    ['response_header', HEADERS, 'The response headers.'],
    ['response_status_code', 'int', 'The response status.'],
    ['response_time_ms', 'int', 'The response time in milliseconds.'],
    ['req', 'http_request_request', 'The request that was sent.'],
    ['res', 'http_request_response', 'The response that was received.'],
    ['error', 'action_error', 'The error, if any.'],
  ]),
  object('http_request_request', 'The request that an `http-request` action sent.', [
    ['method', 'string', 'The request method.'],
    ['header', HEADERS, 'The request headers.'],
    ['url', 'string', 'The request URL.'],
    ['body', 'string', 'The request body.'],
  ]),
  object('http_request_response', 'The response that an `http-request` action received.', [
    ['resolved_ip', 'string', 'The resolved address of the server.'],
    ['header', HEADERS, 'The response headers.'],
    ['status_code', 'int', 'The response status.'],
    ['time_ms', 'int', 'The response time in milliseconds.'],
    ['body', 'string', 'The response body.'],
  ]),
  object('action_error', 'An error in an action.', [
    ['code', 'string', 'The error code.'],
    ['message', 'string', 'The error message.'],
  ]),
];

const TOKEN = object('jwt_token', 'A token that `jwt-validation` has checked.', [
  ['header', 'map(string, dyn)', 'The header of the token.'],
  ['location', 'string', 'The location of the token: `header` or `body`.'],
  ['location_property', 'string', 'The name of the header or form field.'],
  ['payload', 'map(string, dyn)', 'The claims of the token.'],
  ['signature', 'string', 'The signature of the token.'],
  ['verified', 'bool', 'Whether the signature is valid.'],
]);

const CORE_RULE_MATCH = object('core_rule_match', 'A matching rule of the core rule set.', [
  ['id', 'int', 'The rule id.'],
  ['message', 'string', 'The message of the rule.'],
  ['severity', 'string', 'The severity.'],
  ['data', 'string', 'The matched content.'],
]);

const REPLACEMENT = object('replacement', 'A replacement that an action made.', [
  ['replacement_index', 'int', 'The zero-based index of the replacement.'],
  ['matched_content', 'string', 'The matched content.'],
]);

const AI_GATEWAY_TYPES = [
  object('ai_rejected_model', 'A requested model that was rejected.', [
    ['model', 'string', 'The model.'],
    ['reason', 'string', 'The reason for the rejection.'],
  ]),
  object('ai_model_selection', 'One step of model selection.', [
    ['strategy', 'string', 'The strategy.'],
    ['error', 'string', 'The error, if any.'],
    ['candidates_returned', 'list(string)', 'The models that the strategy returned.'],
    ['candidates_after_allowed_filter', 'list(string)', 'The candidates that are allowed.'],
    ['candidates_after_client_filter', 'list(string)', 'The candidates that the client requested.'],
    ['models_to_try', 'list(string)', 'The models to try, in order.'],
  ]),
  object('ai_model_tried', 'A model that was tried.', [
    ['model', 'string', 'The model.'],
    ['provider', 'string', 'The provider of the model.'],
    ['author', 'string', 'The author of the model.'],
    ['api_key_selection', 'list(ai_key_selection)', 'The steps of key selection.'],
    ['requests_made', 'list(ai_request_made)', 'The requests to the provider.'],
  ]),
  object('ai_key_selection', 'One step of selecting a provider key.', [
    ['strategy', 'string', 'The strategy.'],
    ['error', 'string', 'The error, if any.'],
    ['keys_to_try', 'list(string)', 'The keys to try, in order.'],
  ]),
  object('ai_request_made', 'A request to a provider.', [
    ['status', 'string', 'The final status.'],
    ['error', 'string', 'The error, if any.'],
    ['upstream_input_tokens', 'int', 'The number of input tokens reported by the provider.'],
    ['upstream_output_tokens', 'int', 'The number of output tokens reported by the provider.'],
    ['request', 'ai_provider_request', 'The request that was sent.'],
    ['response', 'ai_provider_response', 'The response that was received.'],
    ['upstream_latency', 'ai_latency', 'The latency of the provider.'],
  ]),
  object('ai_provider_request', 'A request to a provider.', [
    ['url', 'string', 'The request URL.'],
    ['api_key', 'string', 'The key that was used.'],
  ]),
  object('ai_provider_response', 'A response from a provider.', [
    ['status_code', 'int', 'The status of the response.'],
    ['headers', 'map(string, dyn)', 'The response headers.'],
    ['body_on_error', 'string', 'The response body if it is an error.'],
  ]),
  object('ai_latency', 'The latency of a provider.', [
    ['time_to_first_byte_ms', 'int', 'The time to the first byte in milliseconds.'],
    ['total_ms', 'int', 'The total time in milliseconds.'],
  ]),
];

/** Object types that occur in the results of actions, by action. */
const RESULT_TYPES: Readonly<Record<string, readonly ObjectFact[]>> = {
  'ai-gateway': AI_GATEWAY_TYPES,
  'http-request': HTTP_REQUEST,
  'jwt-validation': [TOKEN],
  'owasp-crs-request': [CORE_RULE_MATCH],
  'owasp-crs-response': [CORE_RULE_MATCH],
  'request-body-find-replace': [REPLACEMENT],
  'response-body-find-replace': [REPLACEMENT],
  'sse-find-replace': [REPLACEMENT],
};

/** Path below `actions.ngrok.<name>`, type, documentation and role. */
type Row = readonly [path: string, type: string, doc: string, role?: ValueRole];

const SAMPLES: Readonly<Record<string, Sample>> = {
  string: 'x',
  bool: true,
  int: 3,
  'tls-version': '1.3',
};

const ERROR: readonly Row[] = [
  ['error.code', 'string', 'The error code, if there was an error.'],
  ['error.message', 'string', 'The error message, if there was an error.'],
];

const REWRITE: readonly Row[] = [
  ['matches', 'list(string)', 'The matches of the pattern.'],
  ['url', 'string', 'The URL after the replacement.'],
  ...ERROR,
];

const SIGN_IN: readonly Row[] = [
  ['identity.id', 'string', 'The id of the signed-in user.'],
  ['identity.email', 'string', 'The email address of the signed-in user.'],
  ['identity.name', 'string', 'The name of the signed-in user.'],
  ['identity.provider_user_id', 'string', "The provider's id of the user."],
  ['access_token', 'string', 'The access token for the provider.'],
  ['refresh_token', 'string', 'The refresh token for the provider.'],
  ['expires_at', 'string', 'The time at which the access token expires.'],
  ['session_timed_out', 'bool', 'Whether the session expired because it was idle.'],
  ['session_max_duration_reached', 'bool', 'Whether the session reached its maximum duration.'],
  ...ERROR,
];

const CORE_RULES: readonly Row[] = [
  ['decision', 'string', '`allow` or `deny`.'],
  ['anomaly_score', 'int', 'The sum of the scores of the matching rules.'],
  ['anomaly_score_threshold', 'int', 'The score from which traffic is refused.'],
  ['matched_rules', 'list(core_rule_match)', 'The matching rules.'],
  ...ERROR,
];

const REPLACED: readonly Row[] = [['replacements', 'list(replacement)', 'The replacements that were made.']];

const AI_GATEWAY: readonly Row[] = [
  ['status', 'string', 'The final status.'],
  ...ERROR,
  ['client.method', 'string', 'The request method.'],
  ['client.path', 'string', 'The request path.'],
  ['client.request_headers', 'map(string, dyn)', 'The request headers.'],
  ['client.user_agent', 'string', 'The User-Agent header of the request.'],
  ['client.model', 'string', 'The requested model.'],
  ['client.models', 'list(string)', 'The requested models.'],
  ['client.api_key_hash', 'string', 'The hash of the API key in the request.'],
  ['client.rejected_models', 'list(ai_rejected_model)', 'The requested models that were rejected.'],
  ['input_ngrok_tokens', 'int', 'The number of input tokens.'],
  ['output_ngrok_tokens', 'int', 'The number of output tokens.'],
  ['gateway_latency_ms', 'int', 'The latency of the gateway in milliseconds.'],
  ['model_selection', 'list(ai_model_selection)', 'The steps of model selection.'],
  ['models_tried', 'list(ai_model_tried)', 'The models that were tried, in order.'],
  ['success.model_index', 'int', 'The index of the model in `models_tried`.'],
  ['success.request_index', 'int', 'The index of the request in `requests_made`.'],
  ['success.model', 'string', 'The model that responded.'],
  ['success.provider', 'string', 'The provider that responded.'],
  ['success.author', 'string', 'The author of the model that responded.'],
];

/** Results of actions, by action: the name below `actions.ngrok`, where it is available, and its variables. */
const RESULTS: Readonly<Record<string, readonly [name: string, where: keyof SnakeAvailability, rows: readonly Row[]]>> =
  {
    'add-headers': [
      'add_headers',
      'http',
      [['headers_added', 'map(string, list(string))', 'The headers that were added.']],
    ],
    'ai-gateway': ['ai_gateway', 'http', AI_GATEWAY],
    'basic-auth': [
      'basic_auth',
      'http',
      [
        ['credentials.presented', 'bool', 'Whether the request has credentials.'],
        ['credentials.username', 'string', 'The user name in the credentials.'],
        ['credentials.authorized', 'bool', 'Whether the credentials are accepted.'],
      ],
    ],
    'compress-response': [
      'compress',
      'response',
      [
        ['already_compressed', 'bool', 'Whether the body was already compressed.'],
        ['negotiated_algorithm', 'string', 'The algorithm that compressed the body.'],
      ],
    ],
    'forward-internal': [
      'forward_internal',
      'connection',
      [['url', 'string', 'The URL that the traffic was forwarded to.'], ...ERROR],
    ],
    'http-request': [
      'http_request',
      'http',
      [
        ['attempts', 'list(http_request_attempt)', 'All attempts, in order.'],
        ['req', 'http_request_request', 'The request that was sent.'],
        ['res', 'http_request_response', 'The response that was received.'],
        ...ERROR,
      ],
    ],
    'jwt-validation': ['jwt_validation', 'http', [['tokens', 'list(jwt_token)', 'The tokens.'], ...ERROR]],
    log: ['log', 'connection', [['metadata', 'map(string, dyn)', 'The metadata that was logged.']]],
    oauth: [
      'oauth',
      'http',
      [
        ...SIGN_IN,
        ['identity.current_provider_session_id', 'string', 'The id of the session.'],
        ['userinfo_refreshed', 'bool', 'Whether user information was refreshed.'],
      ],
    ],
    'openid-connect': [
      'oidc',
      'http',
      [
        ...SIGN_IN,
        ['identity.current_session_id', 'string', 'The id of the session.'],
        ['identity_token', 'string', 'The identity token.'],
        ['user_info_refreshed', 'bool', 'Whether user information was refreshed.'],
      ],
    ],
    'owasp-crs-request': ['owasp_crs_request', 'http', CORE_RULES],
    'owasp-crs-response': ['owasp_crs_response', 'response', CORE_RULES],
    'rate-limit': [
      'rate_limit',
      'http',
      [
        ['bucket_key', 'string', 'The bucket key of the request.'],
        ['limited', 'bool', 'Whether the request exceeded the limit.'],
        ...ERROR,
      ],
    ],
    redirect: ['redirect', 'http', REWRITE],
    'remove-headers': [
      'remove_headers',
      'http',
      [['headers_removed', 'list(string)', 'The headers that were removed.']],
    ],
    'restrict-ips': [
      'restrict_ips',
      'connection',
      [['action', 'string', '`allow` or `deny`.'], ['matched_cidr', 'string', 'The range that decided.'], ...ERROR],
    ],
    'terminate-tls': [
      'terminate_tls',
      'connection',
      [
        ['cipher_suite', 'string', 'The cipher suite of the TLS connection.'],
        ['sni', 'string', 'The server name (SNI) that the client requested.'],
        ['version', 'string', 'The TLS version.', 'tls-version'],
        ['warnings', 'list(string)', 'The warnings.'],
        ...ERROR,
      ],
    ],
    'url-rewrite': ['url_rewrite', 'http', REWRITE],
    'verify-webhook': ['verify_webhook', 'http', [['verified', 'bool', 'Whether the signature is valid.'], ...ERROR]],
    'request-body-find-replace': ['request_body_find_replace', 'http', REPLACED],
    'response-body-find-replace': ['response_body_find_replace', 'response', REPLACED],
    'sse-find-replace': ['sse_find_replace', 'response', REPLACED],
  };

const ROOT = 'actions.ngrok';

/** Returns the variables with the results of these actions. If an action has run more than once, its last run counts. */
export function resultVariables(
  availability: SnakeAvailability,
  actionTypes: readonly string[],
): readonly VariableFact[] {
  const rows = Object.entries(RESULTS).flatMap(([action, [name, where, ofAction]]) =>
    ofAction.map(row => resultVariable({ ...availability[where], setBy: action }, `${ROOT}.${name}`, row)),
  );
  const certificates = certificateVariables(
    { ...availability.connection, setBy: 'terminate-tls' },
    `${ROOT}.terminate_tls`,
  );
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
    absent: { when: `no \`${shared.setBy}\` action has run` },
    source: 'documented',
    ...(role && { role }),
  };
}

/** Returns the objects that contain {@link resultVariables}. */
export function resultObjects(variables: readonly VariableFact[]): readonly ObjectFact[] {
  const actionTypes = new Set(variables.map(fact => fact.setBy));
  const results = Object.entries(RESULTS).filter(([action]) => actionTypes.has(action));
  return [
    { name: 'actions', doc: 'The results of earlier actions.' },
    { name: ROOT, doc: 'The results of earlier actions, by action.' },
    ...results.map(([action, [name]]) => ({
      name: `${ROOT}.${name}`,
      doc: `The result of the last \`${action}\` action.`,
    })),
    ...resultParts(variables),
    ...new Set(results.flatMap(([action]) => RESULT_TYPES[action] ?? [])),
  ];
}

/** Returns the objects within results: `error`, `identity`, `credentials`. */
function resultParts(variables: readonly VariableFact[]): readonly ObjectFact[] {
  // The objects of certificates are documented with certificates.
  const own = variables.filter(({ path }) => !/^actions\.ngrok\.terminate_tls\.(?:client|server)\./.test(path));
  const owners = own.map(({ path }) => path.split('.')).filter(parts => parts.length === 5);
  const names = owners.filter(parts => ['error', 'identity', 'credentials', 'client', 'success'].includes(parts[3]!));
  return [...new Set(names.map(parts => parts.slice(0, 4).join('.')))].map(name => ({
    name,
    doc: `The ${name.split('.').at(-1)} part of the result.`,
  }));
}
