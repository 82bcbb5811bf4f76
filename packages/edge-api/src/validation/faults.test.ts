import { expect, it } from 'vitest';
import { errorCode, faultAt, faultsBody } from './faults.ts';

const ONE = faultAt(['hostports', 0], 7104, { value: 'x' });

it('reports a single fault with its code, status and field', () => {
  expect(faultsBody([ONE], { operationId: 'op_1' })).toEqual({
    error_code: 'ERR_EDGE_7104',
    status_code: 400,
    msg: "The hostport 'x' must have the form 'host:port'.",
    details: { operation_id: 'op_1', field: 'hostports[0]' },
  });
});

it('reports several faults with the code of the first, one line each, and all of them as JSON', () => {
  const body = faultsBody([ONE, faultAt(['x'], 214, { value: 'x', expected: "'y'" })], {
    operationId: 'op_1',
    prefix: 'ERR_X_',
  });
  expect(body.error_code).toBe('ERR_X_7104');
  expect(body.msg.split('\n')).toHaveLength(2);
  expect(JSON.parse(body.details.faults!)).toEqual([
    { field: 'hostports[0]', code: 'ERR_X_7104', message: ONE.message },
    { field: 'x', code: 'ERR_X_214', message: "The field 'x' is unknown; supported are 'y'." },
  ]);
});

it('lists at most fifty faults and counts the rest', () => {
  const body = faultsBody([ONE, ...Array.from({ length: 99 }, () => ONE)], { operationId: 'op_1' });
  expect(body.msg.split('\n')).toHaveLength(51);
  expect(body.msg.endsWith('And 50 more.')).toBe(true);
});

it('repeats at most 1,000 characters of a request, and counts the faults that it leaves out', () => {
  const long = faultAt(['hostports', 0], 7104, { value: 'Q'.repeat(100_000) });
  const named = faultAt(['Q'.repeat(100_000)], 214, { value: 'Q'.repeat(100), expected: 'none' });
  for (const faults of [
    [long, ONE],
    [named],
    [named, named],
    Array(90).fill(faultAt([], 215, { value: 'Q'.repeat(100) })),
  ]) {
    const body = faultsBody(faults as [typeof ONE], { operationId: 'op_1' });
    expect(JSON.stringify(body).match(/Q/g)?.length).toBeLessThanOrEqual(1000);
    const left = Number(/And (\d+) more/.exec(body.msg)?.[1] ?? 0);
    expect(body.msg.split('\n').length - Number(left > 0) + left).toBe(faults.length);
  }
});

it('uses a custom prefix for codes', () => {
  expect([errorCode(7117), errorCode(7117, 'ERR_OTHER_')]).toEqual(['ERR_EDGE_7117', 'ERR_OTHER_7117']);
});
