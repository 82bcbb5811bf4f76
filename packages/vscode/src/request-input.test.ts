import { describe, expect, it } from 'vitest';
import { parseRequest } from './request-input.ts';

describe('a described request', () => {
  it.each([
    ['https://a.example/', ['--url', 'https://a.example/']],
    ['curl -X POST https://a.example/', ['-X', 'POST', '--url', 'https://a.example/']],
    [`-H 'X-Key: "1"' /a`, ['-H', 'X-Key: "1"', '--url', '/a']],
    [`-H "X-Key: \\"1\\"" /a`, ['-H', 'X-Key: "1"', '--url', '/a']],
    ["-H 'back\\slash' /a", ['-H', 'back\\slash', '--url', '/a']],
    ['-d "" /a\\ b', ['-d', '', '--url', '/a b']],
    ['--incomplete  --client-ip 192.0.2.1 /', ['--incomplete', '--client-ip', '192.0.2.1', '--url', '/']],
    ["/a'b'c", ['--url', '/abc']],
  ])('%s', (line, args) => {
    expect(parseRequest(line)).toEqual({ args });
  });

  it.each([
    ['', 'enter a URL, such as https://shop.example/admin'],
    ["-H 'X", 'unclosed quote'],
    ['/ -H', '`-H` needs a value'],
    ['/ --env ./evil.mjs', '`--env` is not an option of a request'],
    ['/ --trust', '`--trust` is not an option of a request'],
  ])('is rejected: %s', (line, problem) => {
    expect(parseRequest(line)).toEqual({ problem });
  });
});
