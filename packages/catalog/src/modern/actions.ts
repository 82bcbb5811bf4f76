import type { ActionFact } from '../schema/action-fact.ts';
import { ACCESS_ACTIONS } from './access-actions.ts';
import { ANSWER_ACTIONS } from './answer-actions.ts';
import { GATEWAY_ACTIONS } from './gateway-actions.ts';
import { IDENTITY_ACTIONS } from './identity-actions.ts';
import { MESSAGE_ACTIONS } from './message-actions.ts';

export const ACTIONS: readonly ActionFact[] = [
  ...ANSWER_ACTIONS,
  ...MESSAGE_ACTIONS,
  ...ACCESS_ACTIONS,
  ...IDENTITY_ACTIONS,
  ...GATEWAY_ACTIONS,
];
