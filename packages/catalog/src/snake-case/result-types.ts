import type { ObjectFact } from '../fact.ts';
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

/** The objects in what actions leave behind, beside those on the way to it, by action. */
export const RESULT_TYPES: Readonly<Record<string, readonly ObjectFact[]>> = {
  'http-request': HTTP_REQUEST,
  'jwt-validation': [TOKEN],
  'owasp-crs-request': [CORE_RULE_MATCH],
  'owasp-crs-response': [CORE_RULE_MATCH],
  'request-body-find-replace': [REPLACEMENT],
  'response-body-find-replace': [REPLACEMENT],
  'sse-find-replace': [REPLACEMENT],
};
