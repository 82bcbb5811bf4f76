import type { ObjectFact } from '../schema/fact.ts';
import { object } from './object.ts';

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

const AI_GATEWAY = [
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
