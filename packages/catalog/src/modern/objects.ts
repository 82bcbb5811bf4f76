import type { ObjectFact } from '../fact.ts';
import { object } from '../snake-case/object.ts';
import { certificateObjects, SNAKE_OBJECTS } from '../snake-case/objects.ts';
import { RESULT_NAMES, RESULT_VARIABLES } from './result-variables.ts';

const HEADERS = 'map(string, list(string))';

export const OBJECTS: readonly ObjectFact[] = [
  ...SNAKE_OBJECTS,
  ...['client', 'server'].flatMap(end => addressObjects(`conn.${end}_ip`, end)),
  { name: 'conn.k8s', doc: 'Where in Kubernetes the connection comes from.' },
  { name: 'conn.k8s.pod', doc: 'The pod that the connection comes from.' },
  { name: 'conn.k8s.pod.metadata', doc: 'The metadata of the pod.' },
  { name: 'endpoint', doc: 'The endpoint that the policy is attached to.' },
  { name: 'time', doc: 'The time.' },
  { name: 'req.user_agent', doc: 'The User-Agent header: a text, and an object.' },
  { name: 'actions', doc: 'What earlier actions have left behind.' },
  { name: 'actions.ngrok', doc: 'What earlier actions have left behind, by action.' },
  ...RESULT_NAMES.map(([action, name]) => ({ name, doc: `What the last \`${action}\` has left behind.` })),
  ...resultParts(),
  ...certificateObjects('actions.ngrok.terminate_tls'),
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
  object('jwt_token', 'A token that `jwt-validation` has looked at.', [
    ['header', 'map(string, dyn)', 'Header of the token.'],
    ['location', 'string', 'Where it was: `header` or `body`.'],
    ['location_property', 'string', 'Name of the header or field.'],
    ['payload', 'map(string, dyn)', 'Claims of the token.'],
    ['signature', 'string', 'Signature of the token.'],
    ['verified', 'bool', 'The signature is right.'],
  ]),
  object('core_rule_match', 'A rule of the core rule set that matched.', [
    ['id', 'int', 'Its id.'],
    ['message', 'string', 'What it says.'],
    ['severity', 'string', 'How bad it is.'],
    ['data', 'string', 'What it matched.'],
  ]),
  object('replacement', 'What an action replaced.', [
    ['replacement_index', 'int', 'Which of the replacements, from 0.'],
    ['matched_content', 'string', 'What it matched.'],
  ]),
];

function addressObjects(path: string, end: string): readonly ObjectFact[] {
  return [
    { name: path, doc: `The address of the ${end}: a text, and an object.` },
    { name: `${path}.as`, doc: `The autonomous system that the address of the ${end} belongs to.` },
    { name: `${path}.geo`, doc: `Where the address of the ${end} is and where it is registered.` },
    { name: `${path}.geo.location`, doc: `Where the address of the ${end} is.` },
    { name: `${path}.geo.registered_location`, doc: `Where the address of the ${end} is registered.` },
  ];
}

/** The groups within a result: `error`, `identity`, `credentials`. */
function resultParts(): readonly ObjectFact[] {
  const owners = RESULT_VARIABLES.map(({ path }) => path.split('.')).filter(parts => parts.length === 5);
  const names = owners.filter(parts => ['error', 'identity', 'credentials'].includes(parts[3]!));
  return [...new Set(names.map(parts => parts.slice(0, 4).join('.')))].map(name => ({
    name,
    doc: `${name.split('.').at(-1)} of the action.`,
  }));
}
