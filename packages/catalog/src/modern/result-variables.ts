import { resultVariables } from '../snake-case/result-variables.ts';
import { ACTIONS } from './actions.ts';
import { PLACES } from './availability.ts';

/** What the actions of this profile leave behind. */
export const RESULT_VARIABLES = resultVariables(
  PLACES,
  ACTIONS.map(action => action.type),
);
