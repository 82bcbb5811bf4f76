import { onDemand } from '../on-demand.ts';
import type { Profile } from '../profile.ts';
import { resultVariables } from '../snake-case/result-variables.ts';
import { ACTIONS } from './actions.ts';
import { PLACES } from './availability.ts';

/** What the actions of this profile leave behind. */
export const RESULTS = onDemand<Pick<Profile, 'variables'>, 'variables'>(
  {},
  {
    variables: () =>
      resultVariables(
        PLACES,
        ACTIONS.map(action => action.type),
      ),
  },
);
