import { withLazyMembers } from '../schema/lazy-members.ts';
import type { Profile } from '../schema/profile.ts';
import { resultVariables } from '../snake-case/result-variables.ts';
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
