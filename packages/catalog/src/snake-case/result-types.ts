import type { ObjectFact } from '../schema/fact.ts';
import { object } from './object.ts';

const HEADERS = 'map(string, list(string))';

const HTTP_REQUEST = [
  object('http_request_attempt', 'One attempt of an `http-request`.', [
    ['resolved_ip', 'string', 'The address that was asked.'],
    ['response_header', HEADERS, 'Headers of the answer.'],
    ['response_status_code', 'int', 'Status of the answer.'],
    ['response_time_ms', 'int', 'Milliseconds until the answer.'],
    ['req', 'http_request_request', 'What was asked.'],
    ['res', 'http_request_response', 'What was answered.'],
    ['error', 'action_error', 'What went wrong.'],
  ]),
  object('http_request_request', 'What an `http-request` asked.', [
    ['method', 'string', 'Method of the request.'],
    ['header', HEADERS, 'Headers of the request.'],
    ['url', 'string', 'URL of the request.'],
    ['body', 'string', 'Body of the request.'],
  ]),
  object('http_request_response', 'What an `http-request` was answered.', [
    ['resolved_ip', 'string', 'The address that was asked.'],
    ['header', HEADERS, 'Headers of the answer.'],
    ['status_code', 'int', 'Status of the answer.'],
    ['time_ms', 'int', 'Milliseconds until the answer.'],
    ['body', 'string', 'Body of the answer.'],
  ]),
  object('action_error', 'What went wrong in an action.', [
    ['code', 'string', 'Its code.'],
    ['message', 'string', 'Its message.'],
  ]),
];

const TOKEN = object('jwt_token', 'A token that `jwt-validation` has looked at.', [
  ['header', 'map(string, dyn)', 'Header of the token.'],
  ['location', 'string', 'Where it was: `header` or `body`.'],
  ['location_property', 'string', 'Name of the header or field.'],
  ['payload', 'map(string, dyn)', 'Claims of the token.'],
  ['signature', 'string', 'Signature of the token.'],
  ['verified', 'bool', 'The signature is right.'],
]);

const CORE_RULE_MATCH = object('core_rule_match', 'A rule of the core rule set that matched.', [
  ['id', 'int', 'Its id.'],
  ['message', 'string', 'What it says.'],
  ['severity', 'string', 'How bad it is.'],
  ['data', 'string', 'What it matched.'],
]);

const REPLACEMENT = object('replacement', 'What an action replaced.', [
  ['replacement_index', 'int', 'Which of the replacements, from 0.'],
  ['matched_content', 'string', 'What it matched.'],
]);

const AI_GATEWAY = [
  object('ai_rejected_model', 'A model that was asked for and not accepted.', [
    ['model', 'string', 'The model.'],
    ['reason', 'string', 'Why it was not accepted.'],
  ]),
  object('ai_model_selection', 'One step of selecting models.', [
    ['strategy', 'string', 'The strategy.'],
    ['error', 'string', 'What went wrong.'],
    ['candidates_returned', 'list(string)', 'Models that the strategy returned.'],
    ['candidates_after_allowed_filter', 'list(string)', 'Those of them that are allowed.'],
    ['candidates_after_client_filter', 'list(string)', 'Those of them that the client asked for.'],
    ['models_to_try', 'list(string)', 'Models to try, in order.'],
  ]),
  object('ai_model_tried', 'A model that was tried.', [
    ['model', 'string', 'The model.'],
    ['provider', 'string', 'Its provider.'],
    ['author', 'string', 'Its author.'],
    ['api_key_selection', 'list(ai_key_selection)', 'How keys were selected.'],
    ['requests_made', 'list(ai_request_made)', 'The requests to the provider.'],
  ]),
  object('ai_key_selection', 'One step of selecting keys of a provider.', [
    ['strategy', 'string', 'The strategy.'],
    ['error', 'string', 'What went wrong.'],
    ['keys_to_try', 'list(string)', 'Keys to try, in order.'],
  ]),
  object('ai_request_made', 'A request to a provider.', [
    ['status', 'string', 'How it ended.'],
    ['error', 'string', 'What went wrong.'],
    ['upstream_input_tokens', 'int', 'Tokens of the input, as the provider counts.'],
    ['upstream_output_tokens', 'int', 'Tokens of the output, as the provider counts.'],
    ['request', 'ai_provider_request', 'What was sent.'],
    ['response', 'ai_provider_response', 'What came back.'],
    ['upstream_latency', 'ai_latency', 'How long it took.'],
  ]),
  object('ai_provider_request', 'What a provider was sent.', [
    ['url', 'string', 'URL of the request.'],
    ['api_key', 'string', 'The key that was used.'],
  ]),
  object('ai_provider_response', 'What a provider answered.', [
    ['status_code', 'int', 'Status of the response.'],
    ['headers', 'map(string, dyn)', 'Headers of the response.'],
    ['body_on_error', 'string', 'Body of the response, where it is an error.'],
  ]),
  object('ai_latency', 'How long a provider took.', [
    ['time_to_first_byte_ms', 'int', 'Milliseconds until the first byte.'],
    ['total_ms', 'int', 'Milliseconds until the end.'],
  ]),
];

/** The objects in what actions leave behind, beside those on the way to it, by action. */
export const RESULT_TYPES: Readonly<Record<string, readonly ObjectFact[]>> = {
  'ai-gateway': AI_GATEWAY,
  'http-request': HTTP_REQUEST,
  'jwt-validation': [TOKEN],
  'owasp-crs-request': [CORE_RULE_MATCH],
  'owasp-crs-response': [CORE_RULE_MATCH],
  'request-body-find-replace': [REPLACEMENT],
  'response-body-find-replace': [REPLACEMENT],
  'sse-find-replace': [REPLACEMENT],
};
