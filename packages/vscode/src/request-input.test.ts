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
    ['curl https://a.example/ --compressed', ['--url', 'https://a.example/']],
    // As Chromium copies it for Bash, in a field that takes the line breaks away.
    [
      "curl 'https://a.example/api?x=1' \\   -X 'PUT' \\   -H 'accept: */*' \\   -b 'a=1; b=2' \\   --data-raw $'{\"it\\'s\":\"\\u00e9\"}' \\   --insecure",
      [
        ...['--url', 'https://a.example/api?x=1', '-X', 'PUT', '-H', 'accept: */*', '-H', 'Cookie: a=1; b=2'],
        ...['-d', '{"it\'s":"é"}'],
      ],
    ],
    [
      'curl \\\n  -sSLXPOST \\\n  -d a=1 \\\n  http://a.example/',
      ['-X', 'POST', '-d', 'a=1', '--url', 'http://a.example/'],
    ],
    [
      'curl -A bot -e /b -u me:it -I a.example',
      [
        '-H',
        'User-Agent: bot',
        '-H',
        'Referer: /b',
        '-H',
        'Authorization: Basic bWU6aXQ=',
        '-X',
        'HEAD',
        '--url',
        'a.example',
      ],
    ],
  ])('is a pasted command: %s', (line, args) => {
    expect(parseRequest(line)).toEqual({ args });
  });

  it.each([
    ['curl -s', 'the command has no URL'],
    ['curl --form a=@b /', '`--form` of curl is not known here; remove it'],
    ['', 'enter a URL, such as https://shop.example/admin'],
    ["-H 'X", 'unclosed quote'],
    ['/ -H', '`-H` needs a value'],
    ['/ --env ./evil.mjs', '`--env` is not an option of a request'],
    ['/ --trust', '`--trust` is not an option of a request'],
  ])('is rejected: %s', (line, problem) => {
    expect(parseRequest(line)).toEqual({ problem });
  });
});
