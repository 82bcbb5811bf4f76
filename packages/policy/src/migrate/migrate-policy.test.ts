import { EDGE_V2, EDGE_V2_SNAKE, type EndpointKind, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { parsePartPath } from '../document/select-part.ts';
import { migratePolicy } from './migrate-policy.ts';

interface Setting {
  readonly from?: Profile;
  readonly endpoint?: EndpointKind;
}

function migrate(text: string, { from = EDGE_V2, endpoint = 'https-route' }: Setting = {}) {
  const { text: result, diagnostics } = migratePolicy(new SourceText('p', text), { from, to: MODERN, endpoint });
  return {
    text: result,
    losses: diagnostics.map(({ severity, code, range }) => `${severity} ${code} ${text.slice(range.start, range.end)}`),
  };
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

describe('a policy of edge-v2 in modern', () => {
  it('keeps comments, order and layout', () => {
    const before = lines(
      '# what it is for',
      'outbound:   # after',
      '  - {name: "a",',
      "     expressions: [res.StatusCode >= '500'],  # bad",
      '     actions: [{type: log}]}',
      '',
      'inbound:',
      '  # the first',
      '  - expressions:',
      "      - 'req.Headers[''X-A''][0] == ''1'''",
      '      - >-',
      "        req.Path == '/a' ||",
      "        req.Path == '/b'",
      '    actions: [type: deny, ]',
    );
    expect(migrate(before)).toEqual({
      text: lines(
        '# what it is for',
        'on_http_response:   # after',
        '  - {name: "a",',
        '     expressions: [res.status_code >= 500],  # bad',
        '     actions: [{type: log}]}',
        '',
        'on_http_request:',
        '  # the first',
        '  - expressions:',
        "      - 'req.headers[''x-a''][0] == ''1'''",
        '      - >-',
        "        req.url.path == '/a' ||",
        "        req.url.path == '/b'",
        '    actions: [type: deny, ]',
      ),
      losses: ['warning migrate/default deny'],
    });
  });

  it('stays JSON', () => {
    const before =
      '{"enabled": true, "inbound": [{"expressions": ["req.Headers[\\"A\\"] == []"], "actions": [{"type": "log"}]}]}';
    const after =
      '{"on_http_request": [{"expressions": ["req.headers[\\"a\\"] == []"], "actions": [{"type": "log"}]}]}';
    expect(migrate(before)).toEqual({ text: after, losses: [] });
  });

  it('adds quotes where the new string needs them', () => {
    const before = lines('inbound:', '- expressions: [req.ContentLength > 1]', '  actions: [{type: log}]');
    const after = "'(has(req.content_length) ? req.content_length : -1) > 1'";
    expect(migrate(before).text).toBe(
      before.replace('inbound', 'on_http_request').replace('req.ContentLength > 1', after),
    );
  });

  it('drops what the target profile lacks, keeps its comments, and reports it', () => {
    const before = lines(
      'enabled: false # off',
      'inbound:',
      '  - actions:',
      '      - type: compress-response # soon',
      '        config:',
      '          algorithms: [gzip]',
      '      - type: log',
      '  - actions: [{type: compress-response}]',
      'outbound: []',
    );
    expect(migrate(before)).toEqual({
      text: lines(
        '# off',
        'on_http_request:',
        '  - actions:',
        '      # soon',
        '      - type: log',
        'on_http_response: []',
      ),
      losses: [
        'warning migrate/enabled enabled',
        'warning migrate/dropped-action compress-response',
        'warning migrate/dropped-action compress-response',
      ],
    });
  });

  it('has no response rules on connections', () => {
    const before = lines('inbound:', '- actions: [{type: deny}]', 'outbound:', '- actions: [{type: log}]');
    const setting = { endpoint: 'tcp-edge' } as const;
    expect(migrate(before, setting)).toEqual({
      text: lines('on_tcp_connect:', '- actions: [{type: deny}]'),
      losses: ['warning migrate/dropped-phase outbound'],
    });
    expect(migrate('{"outbound": []}', setting)).toEqual({ text: '{"on_tcp_connect": []}', losses: [] });
  });

  it('reads the results of `terminate-tls` on TLS edges', () => {
    const before = lines('inbound:', '- expressions: [conn.TLS.SNI == "a"]', '  actions: [{type: deny}]');
    expect(migrate(before, { endpoint: 'tls-edge' })).toEqual({
      text: lines(
        'on_tcp_connect:',
        '- expressions: [actions.ngrok.terminate_tls.sni == "a"]',
        '  actions: [{type: deny}]',
      ),
      losses: ['warning migrate/terminate-tls conn.TLS.SNI'],
    });
  });

  it('leaves the surroundings of a policy unchanged', () => {
    const before = lines('policy:', '  inbound:', '  - actions: [{type: log}]');
    const { text, losses } = migrate(before);
    expect(text).toBe(before.replace('inbound', 'on_http_request'));
    expect(losses).toEqual(['warning migrate/request ']);
  });

  it('does not migrate a policy with errors', () => {
    expect(migrate('inbund: []')).toEqual({ text: undefined, losses: ['error policy/unknown-key inbund'] });
  });

  it('edits the value behind an alias once', () => {
    const before = lines(
      'inbound:',
      '- expressions: &when [req.Method == "A"]',
      '  actions: [{type: log}]',
      '- expressions: *when',
      '  actions: [{type: log}]',
    );
    expect(migrate(before)).toEqual({
      text: before.replace('inbound', 'on_http_request').replace('req.Method', 'req.method'),
      losses: [],
    });
  });
});

/** The one action of a policy for requests. */
function action(type: string, config: object, setting?: Setting) {
  const { text, losses } = migrate(JSON.stringify({ inbound: [{ actions: [{ type, config }] }] }), setting);
  const parsed = JSON.parse(text!) as { on_http_request: [{ actions: [{ config: object }] }] };
  return [parsed.on_http_request[0].actions[0].config, ...losses];
}

describe('the configuration of an action of edge-v2 in modern', () => {
  it.each([
    ['/b?$args', '/b?${req.url.query}'],
    ['$scheme://$host$uri', '${req.url.scheme}://${req.url.host}${req.url.uri}'],
    ['$authority', '${req.url.host + (has(req.url.port) ? ":" + string(req.url.port) : "")}'],
    ['$port$is_args', '${has(req.url.port) ? string(req.url.port) : ""}${req.url.query != "" ? "?" : ""}'],
    ['$user$is_user', '${req.url.user_password}${req.url.user_password != "" ? "@" : ""}'],
    [
      '$arg_q$arg_args',
      '${hasQueryParam("q") ? getQueryParam("q")[0] : ""}${hasQueryParam("args") ? getQueryParam("args")[0] : ""}',
    ],
    ['$1/$$/$args_x/$name/${2}-', '$1/$$/$args_x/$name/$2-'],
    ['${1}a${', '${"${1}"}a${"$"}{'],
    ['$${1}', '${"$$"}{1}'],
  ])('migrates the replacement %s', (before, after) => {
    expect(action('url-rewrite', { from: 'a', to: before })).toEqual([{ from: 'a', to: after }]);
  });

  it.each([
    ['${.conn.client_ip} and ${.http.request.method}', '${conn.client_ip} and ${req.method}'],
    ['${.http.request.user_agent}', '${hasReqHeader("user-agent") ? getReqHeader("user-agent")[0] : ""}'],
    ['as ${it} is', 'as $${it} is'],
  ])('migrates the header %s', (before, after) => {
    expect(action('add-headers', { headers: { 'X-A': before } })).toEqual([{ headers: { 'X-A': after } }]);
  });

  it('reports templates without a counterpart', () => {
    const losses = ['error migrate/no-counterpart ${.backend.id}', 'warning migrate/template ${.tls.version}'];
    expect(action('add-headers', { headers: { A: 'a ${.backend.id}', B: '${.tls.version}' } })).toEqual([
      { headers: { A: 'a ${.backend.id}', B: '${conn.tls.version}' } },
      ...losses,
    ]);
  });

  it('keeps strings that look like expressions', () => {
    expect(action('custom-response', { content: 'a ${b}', headers: { C: '${d}' } })).toEqual([
      { body: 'a $${b}', headers: { C: '$${d}' } },
    ]);
    expect(action('log', { metadata: { a: ['${b}', 1] } })).toEqual([{ metadata: { a: ['$${b}', 1] } }]);
  });

  it.each([
    ['deny', { status_code: 999 }, { status_code: 403 }, 'warning migrate/number 999'],
    ['deny', { status_code: 404 }, { status_code: 404 }],
    [
      'redirect',
      { from: 'a', to: 'b', status_code: 304 },
      { from: 'a', to: 'b', status_code: 302 },
      'warning migrate/number 304',
    ],
    [
      'remove-headers',
      { headers: ['User-Agent'] },
      { headers: ['User-Agent'] },
      'error migrate/no-counterpart "User-Agent"',
    ],
  ] as const)('reports what `%s` no longer accepts: %j', (type, before, after, ...losses) => {
    expect(action(type, before)).toEqual([after, ...losses]);
  });

  it('keeps the keys of a rate limit', () => {
    const config = { name: 'a', algorithm: 'sliding_window', capacity: 1, rate: '60s' };
    const keys = ["req.Headers['X-Key']", "getReqHeader('X-Key')", 'conn.ClientIP', 'req.Host'];
    const after = ["req.headers['x-key']", "getReqHeader('X-Key')", 'conn.client_ip', 'req.host'];
    expect(action('rate-limit', { ...config, bucket_key: keys })).toEqual([{ ...config, bucket_key: after }]);
  });
});

describe('a file with several policies, or with other content', () => {
  const OLD = 'inbound:\n- expressions: [req.Method == "A"]\n  actions: [type: log]\n';
  const NEW = OLD.replace('inbound', 'on_http_request').replace('Method', 'method');
  const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '    ');

  it('gets all its policies migrated', () => {
    expect(migrate(`# a\n${OLD}---\n# b\n${OLD}`)).toEqual({ text: `# a\n${NEW}---\n# b\n${NEW}`, losses: [] });
  });

  it.each([
    ['/spec/policy', `kind:  X\nspec:\n  policy:\n${indented(OLD)}  req.Method:  1\n`],
    ['2/policy', `inbound:  1\n---\npolicy:\n${indented(OLD)}\n---\nreq.Method\n`],
  ])('gets only the selected part migrated: %s', (path, before) => {
    const source = new SourceText('p', before);
    const options = { from: EDGE_V2, to: MODERN, endpoint: 'https-route', part: parsePartPath(path)! } as const;
    const { text, diagnostics } = migratePolicy(source, options);
    expect(diagnostics).toEqual([]);
    expect(text).toBe(before.replace(indented(OLD), indented(NEW)));
  });

  it('stays unchanged if one of its policies has an error', () => {
    expect(migrate(`${OLD}---\ninbund: []\n`)).toEqual({
      text: undefined,
      losses: ['error policy/unknown-key inbund'],
    });
  });
});

describe('a policy of edge-v2-snake in modern', () => {
  it('gets other phases', () => {
    const before = lines(
      'inbound:',
      '- expressions: [req.method == "A" && conn.start_ts == conn.ts.start]',
      '  actions: [{type: log}]',
    );
    expect(migrate(before, { from: EDGE_V2_SNAKE })).toEqual({
      text: before.replace('inbound', 'on_http_request').replace('conn.start_ts', 'conn.ts.start'),
      losses: [],
    });
  });

  it('keeps expressions in strings, and turns variables into expressions', () => {
    const setting = { from: EDGE_V2_SNAKE };
    expect(action('url-rewrite', { from: 'a', to: '$args-${req.method}-$1' }, setting)).toEqual([
      { from: 'a', to: '${req.url.query}-${req.method}-$1' },
    ]);
    expect(action('custom-response', { content: '${req.method}' }, setting)).toEqual([{ body: '${req.method}' }]);
  });

  it.each([
    ['since ${conn.start_ts}, $${conn.start_ts}', 'since ${conn.ts.start}, $${conn.start_ts}'],
    ['${ {"a": conn.start_ts}["a"] }', '${ {"a": conn.ts.start}["a"] }'],
    ["it's ${string(conn.start_ts)}: $args", "it's ${string(conn.ts.start)}: $args"],
  ])('gets other names in interpolated expressions: %s', (before, after) => {
    const setting = { from: EDGE_V2_SNAKE };
    expect(action('custom-response', { content: before }, setting)).toEqual([{ body: after }]);
    expect(action('log', { metadata: { deep: [before] } }, setting)).toEqual([{ metadata: { deep: [after] } }]);
  });

  it('does not mistake the source of an expression for a variable', () => {
    const to = '$scheme://${"$host"}/${conn.start_ts}';
    expect(action('redirect', { from: 'a', to }, { from: EDGE_V2_SNAKE })).toEqual([
      { from: 'a', to: '${req.url.scheme}://${"$host"}/${conn.ts.start}' },
    ]);
  });
});
