import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { analyzePolicy } from '../analysis/analyze-policy.ts';

function errorsOf(expression: string) {
  const text = JSON.stringify({ on_http_request: [{ expressions: [expression], actions: [{ type: 'deny' }] }] });
  const { diagnostics } = analyzePolicy(new SourceText('p.json', text), { profile: MODERN, endpoint: 'http-endpoint' });
  const fixed = diagnostics[0]?.fixes?.[0]?.edits
    .toReversed()
    .reduce((before, { range, newText }) => before.slice(0, range.start) + newText + before.slice(range.end), text);
  const [condition] = fixed === undefined ? [] : JSON.parse(fixed).on_http_request[0].expressions;
  return { messages: diagnostics.map(({ message }) => message), condition };
}

/** A habit of JavaScript, Python, PHP, SQL or nginx, and the whole expression that is right. */
it.each([
  ["req.headers.get('x-key')[0] == 'a'", "req.headers['x-key'][0] == 'a'"],
  ["not req.headers.get('x-key')", "!('x-key' in req.headers)"],
  ["!req.headers.get('x-key')", "!('x-key' in req.headers)"],
  ["req.headers.get('x-key') and req.method == 'GET'", "'x-key' in req.headers && req.method == 'GET'"],
  ["req.headers.has('x')", "'x' in req.headers"],
  ["!req.headers.hasOwnProperty('x')", "!('x' in req.headers)"],
  ["req.headers.has_key('x')", "'x' in req.headers"],
  ["req.headers.includes('x')", "'x' in req.headers"],
  ["'x' in req.headers.keys()", "'x' in req.headers"],
  ["req.headers['x'].includes('a')", "'a' in req.headers['x']"],
  ["req.url.path.includes('/admin')", "req.url.path.contains('/admin')"],
  ["isset(req.headers['x'])", "'x' in req.headers"],
  ["!defined(req.headers['x'])", "!('x' in req.headers)"],
  ['exists(req.headers)', 'has(req.headers)'],
  ["req.method in ('GET', 'POST')", "req.method in ['GET', 'POST']"],
  ["req.method IN ('GET')", "req.method in ['GET']"],
  ["req.method in ('GET')", "req.method == 'GET'"],
  ["req.method in 'GET,POST'", "req.method in ['GET', 'POST']"],
  ["'/admin' in req.url.path", "req.url.path.contains('/admin')"],
  ["`${req.method}` == 'GET'", "req.method == 'GET'"],
  ["typeof req.headers['x'] == 'undefined'", "!('x' in req.headers)"],
  ["lower(req.url.path) == '/a'", "req.url.path.lower() == '/a'"],
  ["startsWith(req.url.path, '/a')", "req.url.path.startsWith('/a')"],
  ["req.url.path[0] == '/'", "req.url.path.charAt(0) == '/'"],
  ["req.url.path.slice(0, 2) == '/a'", "req.url.path.substring(0, 2) == '/a'"],
  ['req.method == POST', "req.method == 'POST'"],
  ["http_user_agent == 'curl'", "req.headers['user-agent'][0] == 'curl'"],
])('one message and one fix lead from %s to %s', (habit, right) => {
  const { messages, condition } = errorsOf(habit);
  expect([messages.length, condition]).toEqual([1, right]);
  expect(messages[0]).toMatch(/; write `/);
  expect(errorsOf(right).messages).toEqual([]);
});

it('proposes nothing that would not check', () => {
  expect(errorsOf("req.method.get('x')").messages).toEqual(['unknown method `get`']);
  expect(errorsOf('isset(1)').messages).toEqual(['unknown function `isset`']);
});
