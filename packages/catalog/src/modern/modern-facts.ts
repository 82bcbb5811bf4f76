import type { ActionFact } from '../schema/action-fact.ts';
import type { FunctionFact, ObjectFact, VariableFact } from '../schema/fact.ts';
import { connectionVariables, tlsVariables } from '../snake-case/connection-variables.ts';
import { messageFunctions, stringFunctions } from '../snake-case/functions.ts';
import { requestVariables, responseVariables } from '../snake-case/message-variables.ts';
import { ACTIONS } from './actions.ts';
import { AVAILABILITY, EVERYWHERE, HTTP, RESPONSE } from './availability.ts';
import { modernObjects, RESULTS } from './objects.ts';
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
