import { expect, it } from 'vitest';
import { commandEnvironment } from './environment.ts';

const EDITOR = { PATH: '/bin', NODE_OPTIONS: '--require ./evil.cjs', EMPTY: undefined, TOLLGATE_TRUST: '1' };

it('trusts no code in an untrusted workspace, whatever the environment says', () => {
  expect(commandEnvironment(EDITOR, false)).toEqual({ PATH: '/bin', ELECTRON_RUN_AS_NODE: '1', TOLLGATE_TRUST: '0' });
});

it('runs code of a trusted workspace', () => {
  expect(commandEnvironment(EDITOR, true).TOLLGATE_TRUST).toBe('1');
});
