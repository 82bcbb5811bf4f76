import type { ActionFact } from '../schema/action-fact.ts';
import type { FunctionFact, ObjectFact, VariableFact } from '../schema/fact.ts';
import { connectionVariables } from '../snake-case/connection-variables.ts';
import { messageFunctions } from '../snake-case/message-functions.ts';
import { requestVariables } from '../snake-case/request-variables.ts';
import { responseVariables } from '../snake-case/response-variables.ts';
import { stringFunctions } from '../snake-case/string-functions.ts';
import { tlsVariables } from '../snake-case/tls-variables.ts';
import { ACTIONS } from './actions.ts';
import { ADDRESS_VARIABLES } from './address-variables.ts';
import { AVAILABILITY, EVERYWHERE, HTTP, RESPONSE } from './availability.ts';
import { EDGE_VARIABLES } from './edge-variables.ts';
import { modernObjects } from './objects.ts';
import { RESULTS } from './result-variables.ts';

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
