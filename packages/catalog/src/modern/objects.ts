import type { ObjectFact } from '../schema/fact.ts';
import { certificateObjects, SNAKE_OBJECTS } from '../snake-case/objects.ts';
import { resultObjects } from '../snake-case/result-variables.ts';
import { RESULTS } from './result-variables.ts';

export function modernObjects(): readonly ObjectFact[] {
  return [
    ...SNAKE_OBJECTS,
    ...['client', 'server'].flatMap(end => addressObjects(`conn.${end}_ip`, end)),
    { name: 'conn.k8s', doc: 'Where in Kubernetes the connection comes from.' },
    { name: 'conn.k8s.pod', doc: 'The pod that the connection comes from.' },
    { name: 'conn.k8s.pod.metadata', doc: 'The metadata of the pod.' },
    { name: 'endpoint', doc: 'The endpoint that the policy is attached to.' },
    { name: 'time', doc: 'The time.' },
    { name: 'req.user_agent', doc: 'The User-Agent header: a text, and an object.' },
    ...resultObjects(RESULTS.variables),
    ...certificateObjects('actions.ngrok.terminate_tls'),
  ];
}

function addressObjects(path: string, end: string): readonly ObjectFact[] {
  return [
    { name: path, doc: `The address of the ${end}: a text, and an object.` },
    { name: `${path}.as`, doc: `The autonomous system that the address of the ${end} belongs to.` },
    { name: `${path}.geo`, doc: `Where the address of the ${end} is and where it is registered.` },
    { name: `${path}.geo.location`, doc: `Where the address of the ${end} is.` },
    { name: `${path}.geo.registered_location`, doc: `Where the address of the ${end} is registered.` },
  ];
}
