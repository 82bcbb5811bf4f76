import { STATUS_CODES as OF_NODE } from 'node:http';
import { expect, it } from 'vitest';
import { STATUS_CODES } from './http-names.ts';

it('has the reason phrases that Node has', () => {
  expect(STATUS_CODES).toEqual(OF_NODE);
});
