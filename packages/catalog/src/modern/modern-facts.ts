import type { ActionFact } from '../schema/action-fact.ts';
import type { FunctionFact, ObjectFact, VariableFact } from '../schema/fact.ts';
import { type Profile, withLazyMembers } from '../schema/profile.ts';
import { connectionVariables, tlsVariables } from '../snake-case/connection-variables.ts';
import { messageFunctions, stringFunctions } from '../snake-case/functions.ts';
import { requestVariables, responseVariables } from '../snake-case/message-variables.ts';
import { certificateObjects, SNAKE_OBJECTS } from '../snake-case/objects.ts';
import { resultObjects, resultVariables } from '../snake-case/result-variables.ts';
import { ACTIONS } from './actions.ts';
import { AVAILABILITY, EVERYWHERE, HTTP, RESPONSE } from './availability.ts';
import { ADDRESS_VARIABLES, EDGE_VARIABLES } from './variables.ts';

const SECRETS: readonly FunctionFact[] = [
  {
    ...EVERYWHERE,
    name: 'secrets.get',
    overloadId: 'secrets_get_string_string',
    params: [
      { name: 'vault', type: 'string' },
      { name: 'name', type: 'string' },
    ],
    result: 'string',
    opaque: 'secrets are stored at the edge',
    doc: 'Returns a secret from a vault.',
    examples: [],
    source: 'documented',
  },
];

/** The facts of the profile, in a file that the bundled command loads only for policies of this profile. */
export const MODERN_FACTS = {
  variables: (): readonly VariableFact[] => [
    ...connectionVariables(AVAILABILITY),
    ...ADDRESS_VARIABLES,
    ...tlsVariables(AVAILABILITY.tls),
    ...EDGE_VARIABLES,
    ...requestVariables(HTTP),
    ...responseVariables(RESPONSE),
    ...RESULTS.variables,
  ],
  objects: (): readonly ObjectFact[] => modernObjects(),
  functions: (): readonly FunctionFact[] => [
    ...messageFunctions(AVAILABILITY),
    ...stringFunctions(EVERYWHERE),

    ...SECRETS,
  ],
  actions: (): readonly ActionFact[] => ACTIONS,
};

/** Variables with the results of this profile's actions. */
const RESULTS = withLazyMembers<Pick<Profile, 'variables'>, 'variables'>(
  {},
  {
    variables: () =>
      resultVariables(
        AVAILABILITY,
        ACTIONS.map(action => action.type),
      ),
  },
);

function modernObjects(): readonly ObjectFact[] {
  return [
    ...SNAKE_OBJECTS,
    ...['client', 'server'].flatMap(end => addressObjects(`conn.${end}_ip`, end)),
    { name: 'conn.k8s', doc: 'The Kubernetes source of the connection.' },
    { name: 'conn.k8s.pod', doc: 'The pod that the connection comes from.' },
    { name: 'conn.k8s.pod.metadata', doc: 'The metadata of the pod.' },
    { name: 'endpoint', doc: 'The endpoint that the policy is attached to.' },
    { name: 'time', doc: 'The current time.' },
    { name: 'req.user_agent', doc: 'The User-Agent header: a string with fields.' },
    ...resultObjects(RESULTS.variables),
    ...certificateObjects('actions.ngrok.terminate_tls'),
  ];
}

function addressObjects(path: string, end: string): readonly ObjectFact[] {
  return [
    { name: path, doc: `The address of the ${end}: a string with fields.` },
    { name: `${path}.as`, doc: `The autonomous system of the ${end} address.` },
    { name: `${path}.geo`, doc: `The location and registered location of the ${end} address.` },
    { name: `${path}.geo.location`, doc: `The location of the ${end} address.` },
    { name: `${path}.geo.registered_location`, doc: `The location in which the ${end} address is registered.` },
  ];
}
