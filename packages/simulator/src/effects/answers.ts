import { intOr } from './config.ts';
import type { PrepareAction } from './effect.ts';
import { refusal } from './effect.ts';

export const deny: PrepareAction = (config, context) => {
  const status = intOr(config.status_code, 999);
  const outcome = refusal({ kind: 'denied', status, action: 'deny' }, context);
  return () => ({ kind: 'ends', outcome });
};

export const customResponse: PrepareAction = (config, context) => {
  const kind = context.phase === 'inbound' ? 'answered' : 'replaced';
  const status = intOr(config.status_code, 200);
  return () => ({ kind: 'ends', outcome: { kind, status, action: 'custom-response' } });
};

/** Notes of the log do not change what happens to the traffic. */
export const log: PrepareAction = () => state => ({ kind: 'continues', state });
