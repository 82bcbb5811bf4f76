import type { ObjectFact } from '../schema/fact.ts';
import { type Profile, withLazyMembers } from '../schema/profile.ts';
import { certificateObjects, SNAKE_OBJECTS } from '../snake-case/objects.ts';
import { resultObjects, resultVariables } from '../snake-case/result-variables.ts';
import { ACTIONS } from './actions.ts';
import { AVAILABILITY } from './availability.ts';

/** Variables with the results of this profile's actions. */
export const RESULTS = withLazyMembers<Pick<Profile, 'variables'>, 'variables'>(
  {},
  {
    variables: () =>
      resultVariables(
        AVAILABILITY,
        ACTIONS.map(action => action.type),
      ),
  },
);

export function modernObjects(): readonly ObjectFact[] {
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
