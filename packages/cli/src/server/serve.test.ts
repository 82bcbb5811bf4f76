import { describe, expect, it } from 'vitest';
import { readableLog } from './serve.ts';

describe('the readable log', () => {
  it.each([
    [
      {
        level: 30,
        time: 1,
        op: 'op_1',
        key: 'ak_1',
        method: 'GET',
        path: '/x',
        operation: 'XGet',
        status: 200,
        ms: 1.2,
        msg: 'request',
      },
      '200 GET /x (XGet, 1.2 ms)\n',
    ],
    [
      { level: 40, time: 1, event: 'ev_1', outcome: 'retried', msg: 'event' },
      'warn: event event=ev_1 outcome=retried\n',
    ],
    [
      { level: 50, msg: 'request failed', err: { message: 'no', stack: 'Error: no\n  at x' } },
      'error: request failed err=Error: no\n  at x\n',
    ],
    [{ level: 30, msg: 'Server listening at http://127.0.0.1:1' }, ''],
  ])('shows %j', (entry, expected) => {
    expect(readableLog(`${JSON.stringify(entry)}\n`)).toBe(expected);
  });

  it('leaves lines that are not JSON unchanged', () => {
    expect(readableLog('(node:1) a warning\n')).toBe('(node:1) a warning\n');
  });
});
