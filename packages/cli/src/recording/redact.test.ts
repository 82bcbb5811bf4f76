import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Exchange, type HeaderField, TLS_UNKNOWN } from '@tollgate/traffic';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';
import { createRedactor, type Redactions, wordsOf } from './redact.ts';

const redact = (given: Exchange, redactions: Redactions) => createRedactor(redactions)(given);
const NOTHING: Redactions = { named: new Set(), kept: new Set(), clients: false, policyWords: new Set() };

const exchange = (target: string, fields: readonly HeaderField[] = []): Exchange => ({
  ...{ place: { file: 'a.log', number: 1, unit: 'line' }, time: 0, clientIp: '203.0.113.9', tls: TLS_UNKNOWN },
  ...{ method: 'GET', target, url: `https://ada:pass@a.example${target}`, protocol: undefined },
  requestHeaders: { fields, absent: ['origin'], complete: true, withheld: [] },
  response: undefined,
});

const redactedHeader = (name: string, value: string, options: Partial<Redactions> = {}) => {
  const [field] = redact(exchange('/', [{ name, value }]), { ...NOTHING, ...options }).requestHeaders.fields;
  return `${field?.name}: ${field?.value}`;
};

describe('redaction', () => {
  it.each([
    ['Authorization', 'Bearer aB3', 'Authorization: Bearer xX0'],
    ['Authorization', 'TOKEN hunter2', 'Authorization: TOKEN xxxxxx0'],
    ['X-Authorization', 'abc', 'X-Authorization: xxx'],
    ['Client-Cert', ':MIIB0zCC:', 'Client-Cert: :XXXX0xXX:'],
    ['X-Forwarded-Tls-Client-Cert', 'MIIB', 'X-Forwarded-Tls-Client-Cert: XXXX'],
    ['Cookie', 'id=1b; theme=dark; hunter2', 'Cookie: id=0x; theme=xxxx; xxxxxx0'],
    ['Set-Cookie', 'id=1b; Path=/; HttpOnly', 'Set-Cookie: id=0x; Path=/; HttpOnly'],
    ['Referer', 'https://b.example/?q=12&token=abc', 'Referer: https://b.example/?q=12&token=xxx'],
    ['Location', '/done#access_token=abc&state=x9', 'Location: /done#access_token=xxx&state=x0'],
    [
      'User-Agent',
      'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0',
      'User-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0',
    ],
    ['Accept', 'text/html, */*;q=0.8', 'Accept: text/html, */*;q=0.8'],
    ['X-Forwarded-For', '203.0.113.9, 2001:db8::7', 'X-Forwarded-For: 203.0.113.9, 2001:db8::7'],
    ['X-Forwarded-For', 'unknown-9f8e', 'X-Forwarded-For: xxxxxxx-0x0x'],
  ])('of %s: %s', (name, value, expected) => {
    expect(redactedHeader(name, value)).toBe(expected);
  });

  it('keeps words of the policy, also inside of others', () => {
    const policyWords = wordsOf(JSON.stringify(`req.Headers['X-Env'] == 'staging' || x.matches('(?i)\\bbot|^eu-\\d')`));
    expect(redactedHeader('X-Env', 'staging', { policyWords })).toBe('X-Env: staging');
    expect(redactedHeader('X-Env', 'Somebot/2', { policyWords })).toBe('X-Env: Xxxxbot/2');
    expect(redactedHeader('X-Env', 'EU-77x', { policyWords })).toBe('X-Env: EU-00x');
  });

  it('of headers that are named, except for those to keep', () => {
    expect(redactedHeader('X-User', 'user', { named: new Set(['x-user']) })).toBe('X-User: xxxx');
    expect(redactedHeader('X-CSRF-Token', 'abc', { kept: new Set(['x-csrf-token']) })).toBe('X-CSRF-Token: abc');
  });

  it.each([
    ['/a?q=1&token=abc&Api_Key=x7#f', '/a?q=1&token=xxx&Api_Key=x0#x'],
    ['/a?SAMLResponse=PHNh&pass=hunter2&%74oken=abc', '/a?SAMLResponse=XXXx&pass=xxxxxx0&%78oken=xxx'],
    ['/a?next=https%3A%2F%2Fb.example%2F%3Ftoken%3Dabc9', '/a?next=https%3A%2F%2Fx.example%2F%3Ftoken%3Dxxx0'],
    ['/a;token=abc9/b;hunter2', '/a;token=xxx0/b;xxxxxx0'],
    ['/reset/9f8e7d6c5b4a/x', '/reset/0x0x0x0x0x0x/x'],
    ['/correct-horse-battery-staple', '/xxxxxxx-xxxxx-xxxxxxx-xxxxxx'],
    ['/api/v2/orders/12345/items', '/api/v2/orders/00000/items'],
    ['/wp-login.php', '/wp-login.php'],
    ['/%70assword-hunter2', '/%78xxxxxxx-xxxxxx0'],
    ['*', '*'],
  ])('of the target %s', (target, expected) => {
    expect(redact(exchange(target), NOTHING).target).toBe(expected);
  });

  it('of passwords in URLs, and of addresses if asked to', () => {
    expect(redact(exchange('/'), NOTHING)).toMatchObject({ url: 'https://a.example/', clientIp: '203.0.113.9' });
    expect(redact(exchange('/'), { ...NOTHING, clients: true }).clientIp).toBe('192.0.2.1');
    const forwarded = { clients: true };
    expect(redactedHeader('X-Forwarded-For', '203.0.113.9', forwarded)).toBe('X-Forwarded-For: 192.0.2.1');
  });

  it('keeps what is known to be absent', () => {
    expect(redact(exchange('/'), NOTHING).requestHeaders).toMatchObject({ absent: ['origin'], complete: true });
  });
});

/** Reads everything that a secret may be in, and decides by some of it. */
const POLICY = `inbound:
  - name: no scanners
    expressions: ["req.Path.startsWith('/wp-') || req.Path.endsWith('.php')"]
    actions: [{ type: deny, config: { status_code: 404 } }]
  - name: signed in
    expressions: ["req.Headers.exists(h, h.matches('(?i)^(authorization|x-.*)$'))"]
    actions: [{ type: log, config: { metadata: { a: b } } }]
  - name: long path
    expressions: ["req.Path.size() > 30"]
    actions: [{ type: log, config: { metadata: { a: b } } }]
  - name: token in the query
    expressions: ["req.URL.contains('token=')"]
    actions: [{ type: deny, config: { status_code: 400 } }]
  - name: hexadecimal
    expressions: ["req.URL.matches('[0-9a-f]{16}')"]
    actions: [{ type: deny }]
outbound: []
`;

const letters = (set: string) =>
  fc.array(fc.constantFrom(...set), { minLength: 16, maxLength: 48 }).map(all => all.join(''));
const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const LARGE = SMALL.toUpperCase();
const DIGITS = '0123456789';

/** Credentials as systems make them. */
const secret = fc.oneof(
  letters(`${SMALL.slice(0, 6)}${DIGITS}`),
  letters(`${SMALL}${LARGE}${DIGITS}-_`),
  letters(`${SMALL}${LARGE}${DIGITS}+/`).map(text => `${text}==`),
  letters(`${LARGE}234567`),
  letters(DIGITS),
  letters(DIGITS).map(text => text.match(/.{1,4}/g)!.join('-')),
  letters(DIGITS).map(text => text.match(/.{1,2}/g)!.join('.')),
  letters(SMALL),
  letters('äöüßéабвгд漢字'),
  letters(`${SMALL.slice(0, 6)}${DIGITS.slice(1)}`).map(
    text => `${text.slice(0, 8)}-${text.slice(8, 12)}-4abc-89de-${text.slice(-12)}`,
  ),
  fc
    .tuple(letters(`${SMALL}${DIGITS}`), letters(`${LARGE}${DIGITS}`))
    .map(parts => `eyJhbGciOi${parts.join('.eyJ')}.x`),
  letters(`${SMALL}${DIGITS}`).map(text => `ghp_${text}`),
  letters(`${SMALL}${LARGE}`).map(text => `sk_live_${text}`),
  letters(`${LARGE}${DIGITS}`).map(text => `AKIA${text}`),
  fc
    .array(fc.constantFrom('correct', 'horse', 'battery', 'staple', 'violin'), { minLength: 3, maxLength: 6 })
    .map(all => all.join('-')),
);

const name = fc.oneof(
  fc.constantFrom(
    'token',
    'pass',
    'code',
    'SAMLResponse',
    'k',
    'q',
    'page',
    '%74oken',
    'x[y]',
    'id',
    'sessionid',
    'state',
  ),
  letters(SMALL).map(text => text.slice(0, 6)),
);
const header = fc.oneof(
  fc.constantFrom(
    ...[
      'Authorization',
      'X-Authorization',
      'Client-Cert',
      'X-Forwarded-Tls-Client-Cert',
      'X-Api-Key',
      'User-Agent',
      'Accept',
      'ETag',
    ],
    ...[
      'If-None-Match',
      'Content-Type',
      'X-Forwarded-For',
      'Forwarded',
      'Via',
      'Host',
      'Origin',
      'X-Request-Id',
      'Proxy-Authorization',
    ],
  ),
  letters(SMALL).map(text => `X-${text.slice(0, 7)}`),
);

interface Case {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly response: Readonly<Record<string, string>>;
}

const inTarget = (target: string): Case => ({ target, headers: {}, response: {} });
const inHeader = (key: string, value: string): Case => ({ target: '/', headers: { [key]: value }, response: {} });
const inResponse = (key: string, value: string): Case => ({ target: '/', headers: {}, response: { [key]: value } });
const encoded = (text: string) => encodeURIComponent(text);
const escaped = (text: string) => Array.from(new TextEncoder().encode(text), one => `%${one.toString(16)}`).join('');

/** Where a secret may be. Not in `=` and `;`, which the text itself would not survive. */
const PLACES: Readonly<Record<string, (secret: string, name: string, header: string) => Case>> = {
  header: (text, _, key) => inHeader(key, text),
  'header with a scheme': (text, key, one) => inHeader(one, `${key} ${text}`),
  'header with parameters': (text, key, one) => inHeader(one, `Digest username="a", ${key}="${text}"; q=1`),
  'name of a header': text => inHeader(`X-${text.replace(/[^\w]/g, '')}`, '1'),
  cookie: (text, key) => inHeader('Cookie', `theme=dark; ${key}=${text}`),
  'cookie without a name': text => inHeader('Cookie', `a=1; ${text}`),
  'name of a cookie': text => inHeader('Cookie', `${text}=1`),
  'cookie that is set': (text, key) => inResponse('Set-Cookie', `${key}=${text}; Path=/; HttpOnly`),
  'header of the response': (text, _, key) => inResponse(key, text),
  'fragment of a location': (text, key) => inResponse('Location', `https://b.example/#${key}=${text}`),
  'query of a referrer': (text, key) => inHeader('Referer', `https://b.example/a?${key}=${text}`),
  'user of a referrer': text => inHeader('Referer', `https://${encoded(text)}:${encoded(text)}@b.example/`),
  query: (text, key) => inTarget(`/a?b=1&${key}=${encoded(text)}`),
  'raw query': (text, key) => inTarget(`/a?${key}=${text.replaceAll('#', '')}`),
  'query without a name': text => inTarget(`/a?${encoded(text)}`),
  'name of a parameter': text => inTarget(`/a?${encoded(text)}=1`),
  'nested query': (text, key) => inTarget(`/a?next=${encoded(`https://b.example/?${key}=${text}`)}`),
  'query nested twice': (text, key) => inTarget(`/a?next=${encoded(`/?next=${encoded(`/?${key}=${text}`)}`)}`),
  'escaped query': (text, key) => inTarget(`/a?${key}=${escaped(text)}`),
  'JSON in a query': (text, key) => inTarget(`/a?data=${encoded(JSON.stringify({ [key]: text }))}`),
  fragment: (text, key) => inTarget(`/a#${key}=${encoded(text)}`),
  path: text => inTarget(`/reset/${encoded(text)}/now`),
  'raw path': text => inTarget(`/reset/${text.replace(/[?#;]/g, '')}`),
  'escaped path': text => inTarget(`/reset/${escaped(text)}`),
  'scanned path': text => inTarget(`/wp-${encoded(text)}`),
  'end of a path': text => inTarget(`/${encoded(text)}.php`),
  'matrix parameter': (text, key) => inTarget(`/a;${key}=${encoded(text)}/b`),
  'matrix parameter without a name': text => inTarget(`/a;${encoded(text)}`),
};

const oneCase = fc
  .tuple(fc.constantFrom(...Object.entries(PLACES)), secret, name, header)
  .map(([[place, make], text, key, one]) => ({ place, text, made: make(text, key, one) }));

/** What would reveal a secret: 12 characters of it in any of its spellings. */
function revealing(text: string): readonly string[] {
  const parts = Array.from({ length: Math.max(0, text.length - 11) }, (_, at) => text.slice(at, at + 12));
  // What looks like a stand-in cannot be told from one.
  const telling = parts.filter(part => /[1-9a-wyzA-WYZ]|[^\p{ASCII}]/u.test(part));
  return telling.flatMap(part => [part, encoded(part), encoded(encoded(part)), escaped(part)]);
}

describe('a recorded secret', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'tollgate-redact-'));
    writeFileSync(join(directory, 'policy.yaml'), POLICY);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const at = (file: string) => join(directory, file);
  const lineOf = ({ target, headers, response }: Case): string =>
    JSON.stringify({
      ...{ method: 'GET', url: `https://a.example${target}`, status: 200, client_ip: '203.0.113.9' },
      ...{ request_headers: { Host: 'a.example', ...headers }, response_headers: response },
    });

  /** Each file of this many exchanges is recorded at once. */
  const FILE = 50;

  it('of any kind, in any place, is in no test and in no snapshot, and the tests pass', async () => {
    const files = inject('isDeep') ? 200 : 8;
    let cases = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(oneCase, { minLength: FILE, maxLength: FILE }), async all => {
        writeFileSync(at('traffic.jsonl'), all.map(({ made }) => `${lineOf(made)}\n`).join(''));
        const runs = [
          await runCaptured(['record', '-o', at('recorded.test.yaml'), at('policy.yaml'), at('traffic.jsonl')]),
          await runCaptured(['snapshot', '--update', at('policy.yaml'), at('traffic.jsonl')]),
          await runCaptured(['test', at('recorded.test.yaml')]),
        ];
        expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
        const written = ['recorded.test.yaml', 'policy.yaml.snapshot'].map(file => readFileSync(at(file), 'utf8'));
        const text = `${written.join('\n')}${runs.map(({ output, errors }) => output + errors).join('\n')}`;
        const lower = text.toLowerCase();
        for (const { place, text: one } of all) {
          const found = revealing(one).find(part => text.includes(part) || lower.includes(part.toLowerCase()));
          expect(found && { place, secret: one, found }).toBeUndefined();
        }
        cases += all.length;
      }),
      { numRuns: files, endOnFailure: true },
    );
    expect(cases).toBe(files * FILE);
  });

  it('of any kind, in any place, is in no redacted exchange, whatever a test leaves out of it', () => {
    const numRuns = inject('isDeep') ? 10_000 : 300;
    const policyWords = wordsOf(JSON.stringify(POLICY));
    fc.assert(
      fc.property(oneCase, ({ text, made }) => {
        const fields = (headers: Case['headers']) =>
          Object.entries(headers).map(([key, value]) => ({ name: key, value }));
        const given: Exchange = {
          ...exchange(made.target, fields(made.headers)),
          url: `https://a.example${made.target}`,
          response: {
            status: 200,
            headers: { fields: fields(made.response), absent: [], complete: true, withheld: [] },
            bodySize: undefined,
          },
        };
        const shown = JSON.stringify(redact(given, { ...NOTHING, policyWords }));
        expect(revealing(text).find(part => shown.toLowerCase().includes(part.toLowerCase()))).toBeUndefined();
      }),
      { numRuns },
    );
  });
});
