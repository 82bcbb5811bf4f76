import { withLazyMembers } from '../schema/lazy-members.ts';
import type { Profile } from '../schema/profile.ts';
import { resultVariables } from '../snake-case/result-variables.ts';
import { ACTIONS } from './actions.ts';
import { PLACES } from './availability.ts';

/** What the actions of this profile leave behind. */
export const RESULTS = withLazyMembers<Pick<Profile, 'variables'>, 'variables'>(
  {},
  {
    variables: () =>
      resultVariables(
        PLACES,
        ACTIONS.map(action => action.type),
      ),
  },
);
