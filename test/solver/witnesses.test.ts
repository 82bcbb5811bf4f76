import { exchangeText, PolicyQuestions, SolverSession } from '@tollgate/solver';
import { expect, it } from 'vitest';
import { CONTEXT, policyOf } from './random-policies.ts';

/** Conditions, and the request that shows that they can hold. */
const WITNESSES: Readonly<Record<string, string>> = {
  "req.Path.startsWith('/admin')": 'GET https://example.com/admin from 198.51.100.7',
  "req.URL.matches('/admin')": 'GET https://example.com/admin from 198.51.100.7',
  "req.URL.contains('internal')": 'GET https://example.com/internal from 198.51.100.7',
  "req.URL.matches('[?]debug=')": 'GET https://example.com/?debug= from 198.51.100.7',
  "req.URL.startsWith('http://')": 'GET http://example.com/ from 198.51.100.7',
  "req.Host.startsWith('admin')": 'GET https://admin.example.com/ from 198.51.100.7',
  "req.Host.matches('^shop[.]') && req.Path.endsWith('.php')": 'GET https://shop.example.com/.php from 198.51.100.7',
  "req.Host == 'books.test'": 'GET https://books.test/ from 198.51.100.7',
  "req.Path.matches('(?i)wp-login')": 'GET https://example.com/wp-login from 198.51.100.7',
  "req.Method != 'GET'": 'POST https://example.com/ from 198.51.100.7',
  "!inCidrRange(conn.ClientIP, '198.51.100.0/24')": 'GET https://example.com/ from 203.0.113.7',
  'double(conn.Geo.Latitude) > 5.0': 'GET https://example.com/ from 198.51.100.7',
  'size(req.Params) > 0': 'GET https://example.com/?a1=1 from 198.51.100.7',
};

it.each(Object.entries(WITNESSES))('shows %s with an ordinary request', (condition, expected) => {
  const policy = policyOf([{ expressions: [condition], actions: [{ type: 'deny' }] }]);
  const answer = new PolicyQuestions(new SolverSession(CONTEXT), policy).canMatch(policy.rules.inbound[0]!);
  expect(answer.kind === 'possible' ? exchangeText(answer.exchange) : answer).toBe(expected);
});
