import { EDGE_V2, EDGE_V2_SNAKE, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { applyEdits } from '../document/edits.ts';
import { type AnalysisOptions, analyzePolicy } from './analyze-policy.ts';
import { detectProfile } from './detect-profile.ts';

function errors(text: string, profile: Profile, more: Partial<AnalysisOptions> = {}) {
  const options = { profile, endpoint: 'https-route', ...more } as const;
  return analyzePolicy(new SourceText('p.yaml', text), options).diagnostics.filter(one => one.severity === 'error');
}

const messages = (text: string, profile: Profile) => errors(text, profile).map(one => one.message);
const action = (type: string, phase: string) => `${phase}:\n  - actions:\n      - type: ${type}\n`;

it.each([
  ['block', 'inbound', EDGE_V2, 'deny'],
  ['Deny', 'inbound', EDGE_V2, 'deny'],
  ['add_headers', 'inbound', EDGE_V2_SNAKE, 'add-headers'],
  ['addHeaders', 'on_http_request', MODERN, 'add-headers'],
  ['oidc', 'on_http_request', MODERN, 'openid-connect'],
  ['webhook-verification', 'on_http_request', MODERN, 'verify-webhook'],
  ['waf', 'on_http_request', MODERN, 'owasp-crs-request'],
  ['waf', 'on_http_response', MODERN, 'owasp-crs-response'],
  ['gzip', 'outbound', EDGE_V2, 'compress-response'],
])('suggests the action that `%s` in `%s` means', (type, phase, profile, meant) => {
  expect(messages(action(type, phase), profile)).toEqual([`unknown action \`${type}\`; did you mean \`${meant}\`?`]);
});

it('names the profile that has an action, and suggests only available ones', () => {
  expect(messages(action('oidc', 'inbound'), EDGE_V2)).toEqual([
    expect.stringMatching(/^unknown action `oidc`; `openid-connect` exists in profile `modern`; use `deny`, /),
  ]);
  expect(messages(action('oidc', 'on_http_response'), MODERN)[0]).not.toContain('openid-connect');
});

it('reports configuration next to `config` once, with a fix that moves it', () => {
  const text = 'on_http_request:\n  - actions:\n      - type: deny\n        status_code: 404\n';
  const found = errors(text, MODERN);
  expect(found.map(({ message, range }) => [message, text.slice(range.start, range.end)])).toEqual([
    ['`status_code` is next to `config`; move it inside `config`', 'status_code'],
  ]);
  const fixed = applyEdits(text, found[0]!.fixes![0]!.edits);
  expect(fixed).toBe(
    'on_http_request:\n  - actions:\n      - type: deny\n        config:\n          status_code: 404\n',
  );
  expect(messages(fixed, MODERN)).toEqual([]);
  const required = 'on_http_request:\n  - actions:\n      - type: custom-response\n        status_code: 200\n';
  expect(messages(required, MODERN)).toEqual(['`status_code` is next to `config`; move it inside `config`']);
});

it.each(['        config: {}\n        status_code: 404\n', '        status_code: 404\n        config: {}\n'])(
  'does not offer a second `config` for %j',
  keys => {
    const found = errors(`on_http_request:\n  - actions:\n      - type: deny\n${keys}#${' x'.repeat(500)}\n`, MODERN);
    expect(found.map(({ message, fixes }) => [message, fixes])).toEqual([
      ['`status_code` is next to `config`; move it inside `config`', undefined],
    ]);
  },
);

it('reports an action directly in a rule once', () => {
  expect(messages('inbound:\n  - name: a\n    type: deny\n    config: { status_code: 404 }\n', EDGE_V2)).toEqual([
    '`type` belongs to an action; put it below `actions`, after a `-`',
  ]);
});

it.each([
  ["request.path == '/a'", EDGE_V2, 'inbound', '`request.path` is not declared; write `req.Path`'],
  ["req.path == '/a'", MODERN, 'on_http_request', '`req` has no field `path`; write `req.url.path`'],
  ["conn.ClientIP == '1.2.3.4'", MODERN, 'on_http_request', '`conn` has no field `ClientIP`; write `conn.client_ip`'],
  [
    "http.request.method == 'GET'",
    MODERN,
    'on_http_request',
    '`http.request.method` is not declared; write `req.method`',
  ],
  ["conn.client_ip == '1.2.3.4'", EDGE_V2, 'inbound', '`conn` has no field `client_ip`; write `conn.ClientIP`'],
])('suggests the equivalent of a foreign variable: %s', (condition, profile, phase, message) => {
  expect(messages(`${phase}:\n  - expressions: ["${condition}"]\n    actions: [{ type: deny }]\n`, profile)).toEqual([
    message,
  ]);
});

it('lists the phases of all profiles if none is detected or given, else those of the profile', () => {
  const guessed = { detected: detectProfile('') };
  expect(errors('', EDGE_V2, guessed)[0]!.message).toBe(
    'empty document; write rules below `inbound`, `outbound`, `on_tcp_connect`, `on_http_request`, `on_http_response` or `on_event_stream_message`',
  );
  expect(errors('', EDGE_V2)[0]!.message).toBe('empty document; write rules below `inbound` or `outbound`');
  expect(errors('', MODERN)[0]!.message).toContain('below `on_tcp_connect`');
  expect(errors('zzz: 1\n', EDGE_V2, guessed)[0]!.message).toContain('`on_http_request`');
});

it.each([
  ["req.headers.get('x-a') == 'b'", "maps have no `get`; write `'x-a' in req.headers && 'b' in req.headers['x-a']`"],
  ["req.headers.get('x-a', '')[0] == 'b'", "maps have no `get`; write `req.headers['x-a']`"],
  ["re.search(r'^/a', req.url.path)", "`matches` is a method; write `req.url.path.matches(r'^/a')`"],
  [
    "req.headers?.['x-a'] == 'b'",
    "CEL has no `?.`: reading an absent value is an error, and the condition does not hold; write `'x-a' in req.headers && 'b' in req.headers['x-a']`",
  ],
])('reports a habit of another language once, with a form that checks: %s', (expression, message) => {
  const text = `on_http_request:\n  - expressions:\n      - ${JSON.stringify(expression)}\n    actions: [{ type: deny }]\n`;
  const found = errors(text, MODERN);
  expect(found.map(one => one.message)).toEqual([message]);
  expect(messages(applyEdits(text, found[0]!.fixes![0]!.edits), MODERN)).toEqual([]);
});
