import { describe, expect, it } from 'vitest';
import { exampleId } from '../contract/examples.ts';
import type { OperationId } from '../contract/operations.ts';
import { validateQuery } from './query.ts';

const ID = exampleId('ip_policy');

describe('a query', () => {
  it.each([
    ['', { limit: 100, filters: {} }],
    ['limit=1', { limit: 1, filters: {} }],
    ['limit=100', { limit: 100, filters: {} }],
    ['limit=', { limit: 100, filters: {} }],
    [`before_id=${ID}`, { limit: 100, beforeId: ID, filters: {} }],
    [`beforeId=${ID}&limit=7`, { limit: 7, beforeId: ID, filters: {} }],
  ])('`%s` requests a page', (text, asked) => {
    expect(validateQuery('IpPoliciesList', new URLSearchParams(text))).toEqual({ ok: true, ...asked });
  });

  it('returns the filters of endpoints', () => {
    expect(validateQuery('EndpointsList', new URLSearchParams('ids=a,b&urls=c'))).toEqual({
      ok: true,
      limit: 100,
      filters: { ids: 'a,b', urls: 'c' },
    });
  });

  it.each<readonly [OperationId, string, readonly string[]]>([
    ['IpPoliciesList', 'limit=0', ['limit 233']],
    ['IpPoliciesList', 'limit=101', ['limit 233']],
    ['IpPoliciesList', 'limit=-1', ['limit 233']],
    ['IpPoliciesList', 'limit=ten', ['limit 244']],
    ['IpPoliciesList', 'limit=1.5', ['limit 244']],
    ['IpPoliciesList', 'before_id=x', ['before_id 227']],
    ['IpPoliciesList', 'limit=1&limit=1', ['limit 232']],
    ['IpPoliciesList', `before_id=${ID}&beforeId=${ID}`, ['beforeId 232']],
    ['IpPoliciesList', 'offset=1&limit=x', ['offset 231', 'limit 244']],
    ['IpPoliciesGet', 'limit=1', ['limit 231']],
    ['EventSourcesList', 'limit=1', ['limit 231']],
  ])('of %s, `%s`, has all its faults reported', (operation, text, expected) => {
    const result = validateQuery(operation, new URLSearchParams(text));
    expect(result.ok ? [] : result.faults.map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
  });
});
