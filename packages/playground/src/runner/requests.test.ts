import { describe, expect, it } from 'vitest';
import { readRequests } from './requests.ts';

/** Returns what is known about the only request of a text. */
function only(text: string) {
  const [found, ...others] = readRequests(text);
  expect(others).toEqual([]);
  const { method, url, target, clientIp, protocol, requestHeaders } = found!.exchange;
  const headers = Object.fromEntries(requestHeaders.fields.map(({ name, value }) => [name.toLowerCase(), value]));
  return { method, url: url ?? target, clientIp, protocol, headers };
}

describe('requests as people write them', () => {
  it.each([
    ["curl https://e.co/a -H 'X-Key: 1'", { method: 'GET', url: 'https://e.co/a' }, { 'x-key': '1', host: 'e.co' }],
    ['$ curl -sSL -XPOST https://e.co/a', { method: 'POST' }, {}],
    ['curl https://e.co/a -d a=1 -d b=2', { method: 'POST' }, { 'content-length': '7' }],
    ['curl -G https://e.co/a -d q=1', { method: 'GET', url: 'https://e.co/a?q=1' }, {}],
    ['curl -I e.co', { method: 'HEAD' }, { host: 'e.co' }],
    ['curl https://e.co/ \\\n  -A "a \\"b\\"" \\\n  --http2', { protocol: 'HTTP/2.0' }, { 'user-agent': 'a "b"' }],
    ['curl https://e.co/ -u me:secret', {}, { authorization: 'Basic bWU6c2VjcmV0' }],
    [
      "curl https://e.co/ -b 's=1' --json '{}'",
      { method: 'POST' },
      { cookie: 's=1', 'content-type': 'application/json' },
    ],
    ['https://e.co/a?b', { method: 'GET', url: 'https://e.co/a?b' }, { host: 'e.co' }],
    ['GET /a HTTP/1.1\nHost: e.co\nX-A: b', { url: 'https://e.co/a', protocol: 'HTTP/1.1' }, { 'x-a': 'b' }],
    ['GET /a HTTP/1.1\nHost: e.co/?', { url: '/a' }, { host: 'e.co/?' }],
    ['# from: 203.0.113.9\ncurl https://e.co/', { clientIp: '203.0.113.9' }, {}],
  ])('reads %j', (text, facts, headers) => {
    const found = only(text);
    expect(found).toMatchObject(facts);
    expect(found.headers).toMatchObject(headers);
  });

  it('reads several requests with their lines', () => {
    const text =
      'curl https://e.co/1\n# from: 10.0.0.1\n\n# a note\n\ncurl https://e.co/2\ncurl https://e.co/3\n\nhttps://e.co/4\n';
    expect(readRequests(text).map(({ title, line }) => [title, line])).toEqual([
      ['GET https://e.co/1', 1],
      ['GET https://e.co/2', 6],
      ['GET https://e.co/3', 7],
      ['GET https://e.co/4', 9],
    ]);
  });

  it.each([
    [
      'hello there',
      'line 1: expected a curl command, or a request such as `GET https://example.com/`, found `hello there`',
    ],
    ['\ncurl', 'line 2: expected a URL in the curl command'],
    ["curl 'https://e.co/", "line 1: expected a closing '"],
    ['curl https://e.co/ -H', 'line 1: expected a value after `-H`'],
    ["curl https://e.co/ -H 'a b'", 'line 1: expected a header such as `Accept: */*`, found `a b`'],
    ['curl ftp://e.co/', 'line 1: expected a URL such as `https://example.com/a`, found `ftp://e.co/`'],
    ['# from: home\ncurl https://e.co/', 'line 1: expected an IP address after `# from:`, found `home`'],
    [
      '# port: 1\ncurl https://e.co/',
      'line 1: expected one of `# from:`, `# country:`, `# time:`, `# tls:`, `# status:`, found `# port:`',
    ],
  ])('refuses %j', (text, message) => {
    expect(() => readRequests(text)).toThrow(message);
  });
});
