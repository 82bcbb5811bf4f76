import { EDGE_V2, MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { createExpressionCache, createRepeatCache, type ExpressionCache } from '../expressions/expression-cache.ts';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { type Analysis, analyzePolicy } from './analyze-policy.ts';

type EdgeKind = 'https-route' | 'tls-edge' | 'tcp-edge';

const ENVIRONMENTS = {
  'https-route': createPhaseEnvironments(EDGE_V2, 'https-route'),
  'tls-edge': createPhaseEnvironments(EDGE_V2, 'tls-edge'),
  'tcp-edge': createPhaseEnvironments(EDGE_V2, 'tcp-edge'),
};

function analyze(document: string, endpoint: EdgeKind = 'https-route'): Analysis {
  const source = new SourceText('p.yaml', document);
  return analyzePolicy(source, { profile: EDGE_V2, endpoint, environments: ENVIRONMENTS[endpoint] });
}

/** Each finding as its code and the text under it. */
function findings(document: string, endpoint: EdgeKind = 'https-route'): readonly string[] {
  return analyze(document, endpoint).diagnostics.map(
    ({ code, range }) => `${code} ${document.slice(range.start, range.end)}`,
  );
}

/** A policy with one rule of the actions given, in flow style. */
const inbound = (actions: string, rest = '') => `inbound: [{${rest}actions: [${actions}]}]`;
const condition = (text: string, phase = 'inbound') =>
  `${phase}:\n- expressions:\n  - ${text}\n  actions: [type: log]\n`;

describe('the shape of a policy', () => {
  it.each([
    ['nothing but a key', 'inbound:'],
    ['null phases', '{"inbound": null, "outbound": null, "enabled": false}'],
    [
      'null where there is a default',
      inbound('{type: redirect, config: {from: a, to: b, status_code: null, headers: null}}'),
    ],
    ['a null configuration', inbound('{type: deny, config: null}', 'expressions: null, name: null, ')],
    ['the body of an API request', '{"module": {"enabled": true, "inbound": []}, "id": "x", "edge_id": "y"}'],
    ['a policy inside a route', '{"policy": {"inbound": []}}'],
    ['merged keys', 'inbound:\n- &r {actions: [type: deny]}\n- {<<: *r, name: b}'],
    ['a byte order mark', '\ufeffinbound: []'],
    ['tabs between JSON tokens', '{\t"inbound":\t[\n\t]\n}'],
  ])('accepts %s', (_, document) => {
    expect(findings(document)).toEqual([]);
  });

  it.each([
    ['an empty document', '', ['policy/empty-document ']],
    ['a comment only', '# x\n', ['policy/empty-document ']],
    ['a list', '[a]', ['policy/wrong-type [a]']],
    ['unknown keys', 'inbund: []\nx: 1', ['policy/unknown-key inbund', 'policy/unknown-key x']],
    ['a phase of another version', 'on_http_request: []', ['policy/unknown-key on_http_request']],
    ['a map where a list is expected', 'inbound: {actions: []}', ['policy/wrong-type {actions: []}']],
    ['enabled as a string', 'enabled: "yes"', ['policy/wrong-type "yes"']],
    ['rules that are no maps', 'inbound: [a, [], ]', ['policy/wrong-type a', 'policy/wrong-type []']],
    ['a rule without actions', 'inbound: [{name: a}]', ['policy/missing-key name']],
    ['a rule with no actions', inbound(''), ['policy/empty-actions []']],
    ['type and config on the rule', 'inbound: [{type: deny}]', ['policy/unknown-key type']],
    ['an action without a type', inbound('{config: {}}'), ['policy/missing-key config']],
    ['an action as a string', inbound('deny'), ['policy/wrong-type deny']],
    ['a name that is a number', inbound('type: log', 'name: 5, '), ['policy/wrong-type 5']],
    [
      'an expression that YAML takes for a bool',
      inbound('type: log', 'expressions: [true], '),
      ['policy/unquoted-expression true'],
    ],
    ['one expression instead of a list', inbound('type: log', 'expressions: a, '), ['policy/wrong-type a']],
  ])('reports %s', (_, document, expected) => {
    expect(findings(document).toSorted()).toEqual(expected.toSorted());
  });
});

describe('expressions', () => {
  it.each([
    ["res.StatusCode >= '500'", 'outbound'],
    ['res.StatusCode >= 500', 'outbound'],
    ["500 <= res.StatusCode && res.StatusCode in [501, 502] || res.StatusCode in ['503']", 'outbound'],
    ['[404, 410].exists(c, c == res.StatusCode)', 'outbound'],
    ["res.StatusCode.startsWith('5') && int(res.StatusCode) - 200 > 300 && res.StatusCode - 200 > 300", 'outbound'],
    ["dyn(req.Path) == 'x'", 'inbound'],
  ])('accepts %s in %s', (expression, phase) => {
    expect(findings(condition(JSON.stringify(expression), phase))).toEqual([]);
  });

  it.each([
    ['a misspelt field', "req.Metod == 'GET'", ['name/undeclared-field Metod']],
    [
      'every error, not only the first',
      'rec.Method == req.Pth',
      ['name/undeclared-reference rec', 'name/undeclared-field Pth'],
    ],
    ['a variable of the other phase', 'res.StatusCode == 500', ['phase/variable-unavailable res']],
    ['a function of the other phase', "hasResHeader('x')", ['phase/function-unavailable hasResHeader']],
    ['a variable of other endpoints', "conn.TLS.SNI == 'x'", ['endpoint/variable-unavailable TLS']],
    ['a condition that is not a bool', 'req.URL', ['type/non-boolean-expression req.URL']],
    ['a number compared with a string', "req.ContentLength == '5'", ['type/no-matching-overload ==']],
  ])('reports %s', (_, expression, expected) => {
    expect(findings(condition(`"${expression}"`))).toEqual(expected);
  });

  it('reports a status compared with neither a string nor a number', () => {
    expect(findings(condition('res.StatusCode == true', 'outbound'))).toEqual(['type/no-matching-overload ==']);
  });

  it('reports the exact range inside folded and quoted strings', () => {
    expect(findings(condition('>-\n    req.Path == "a" &&\n    req.Pth == "b"'))).toEqual([
      'name/undeclared-field Pth',
    ]);
    expect(findings(condition('"\'a\\u0062\' + req.Pth == \\"\\""'))).toEqual(['name/undeclared-field Pth']);
  });

  it('reports a node behind two aliases once', () => {
    const rule =
      'inbound:\n- expressions: &e [a.b == 1]\n  actions: [type: log]\n- {expressions: *e, actions: [type: log]}';
    expect(findings(rule)).toEqual(['name/undeclared-reference a']);
  });

  it('has no HTTP variables on TLS and TCP edges', () => {
    expect(findings(condition('req.Method == "GET"'), 'tls-edge')).toEqual(['endpoint/variable-unavailable req']);
    expect(findings(condition('hasReqHeader("x")'), 'tcp-edge')).toEqual([
      'endpoint/function-unavailable hasReqHeader',
    ]);
    expect(findings(condition('conn.TLS.Version.contains("1.3")'), 'tls-edge')).toEqual([]);
  });
});

describe('actions', () => {
  it.each([
    ['unknown', inbound('type: dney'), ['policy/unknown-action dney']],
    ['of the other phase', 'outbound: [{actions: [type: deny]}]', ['phase/action-unavailable deny']],
    [
      'after a terminating one',
      inbound('type: deny, type: log, type: deny'),
      ['policy/unreachable-action log', 'policy/unreachable-action deny'],
    ],
    ['with a configuration that is not a map', inbound('{type: log, config: [a]}'), ['policy/wrong-type [a]']],
    [
      'without required keys',
      inbound('type: url-rewrite'),
      ['config/missing-key url-rewrite', 'config/missing-key url-rewrite'],
    ],
    ['with an unknown key', inbound('{type: deny, config: {status: 404}}'), ['config/unknown-key status']],
    ['with a number in quotes', inbound('{type: deny, config: {status_code: "404"}}'), ['config/wrong-type "404"']],
    ['with a fraction', inbound('{type: deny, config: {status_code: 40.4}}'), ['config/wrong-type 40.4']],
    ['with a number out of range', inbound('{type: deny, config: {status_code: 1000}}'), ['config/out-of-range 1000']],
    [
      'with a number instead of a string',
      inbound('{type: custom-response, config: {headers: {A: 1}}}'),
      ['config/wrong-type 1'],
    ],
    [
      'with null instead of a string',
      inbound('{type: custom-response, config: {headers: {A: null}}}'),
      ['config/wrong-type null'],
    ],
    [
      'with a bad header name',
      inbound('{type: custom-response, config: {headers: {a b: c}}}'),
      ['config/bad-header-name a b'],
    ],
    ['with a bad pattern', inbound("{type: url-rewrite, config: {from: 'x(?=a)', to: b}}"), ['config/bad-pattern (']],
    [
      'with a bad range',
      inbound('{type: restrict-ips, config: {allow: [10.0.0.0/33]}}'),
      ['config/bad-cidr 10.0.0.0/33'],
    ],
    [
      'with a bad choice',
      'outbound: [{actions: [{type: compress-response, config: {algorithms: [gzp]}}]}]',
      ['config/bad-choice gzp'],
    ],
    ['with a wrong bool', inbound('{type: restrict-ips, config: {enforce: 1}}'), ['config/wrong-type 1']],
  ])('are reported: %s', (_, document, expected) => {
    expect(findings(document)).toEqual(expected);
  });

  it('are checked in every key of a rate limit', () => {
    const config = 'name: "", algorithm: sliding, capacity: 0, rate: 65s, bucket_key: [req.Path]';
    expect(findings(inbound(`{type: rate-limit, config: {${config}}}`))).toEqual([
      'config/empty ""',
      'config/bad-choice sliding',
      'config/out-of-range 0',
      'config/out-of-range 65s',
      'config/bad-shape req.Path',
    ]);
    expect(
      findings(
        inbound(
          '{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 1, rate: 1d, bucket_key: []}}',
        ),
      ),
    ).toEqual(['config/bad-duration 1d', 'config/list-length []']);
  });

  it('of other endpoint kinds, and their keys, are reported as unavailable', () => {
    expect(findings(inbound('{type: custom-response}'), 'tcp-edge')).toEqual([
      'endpoint/action-unavailable custom-response',
    ]);
    expect(findings(inbound('{type: deny, config: {status_code: 403}}'), 'tcp-edge')).toEqual([
      'endpoint/config-unavailable status_code',
    ]);
  });

  it('have no errors in the examples of the catalog', () => {
    for (const { type, example, phases } of EDGE_V2.actions) {
      const document = JSON.stringify({ [phases[0]!]: [{ actions: [{ type, config: example }] }] });
      expect(findings(document)).toEqual([]);
    }
  });
});

describe('fixes', () => {
  it.each([
    ['{"inbund": []}', '{"inbound": []}'],
    ["'inbund': []", "'inbound': []"],
    ['inbound: [{actions: [{type: "dney"}]}]', 'inbound: [{actions: [{type: "deny"}]}]'],
    [
      'inbound: [{actions: [{type: deny, config: {status_code: "404"}}]}]',
      'inbound: [{actions: [{type: deny, config: {status_code: 404}}]}]',
    ],
    [condition("'req.Pth == ''a'''"), condition("'req.Path == ''a'''")],
    [condition("req.Path == 'a: b'"), condition("'req.Path == ''a: b'''")],
  ])('leave no finding: %s', (document, fixed) => {
    const edits = analyze(document).diagnostics.flatMap(one => one.fixes?.flatMap(fix => fix.edits) ?? []);
    const result = edits.reduceRight(
      (text, { range, newText }) => text.slice(0, range.start) + newText + text.slice(range.end),
      document,
    );
    expect(result).toBe(fixed);
    expect(findings(result)).toEqual([]);
  });
});

describe('the policy', () => {
  it('contains every part with its range', () => {
    const document =
      'enabled: false\noutbound:\n- name: a\n  expressions: ["true"]\n  actions:\n  - {type: log, config: {metadata: {a: [1]}}}\n';
    const { policy } = analyze(document);
    expect(policy).toMatchObject({
      enabled: false,
      rules: { inbound: [], outbound: [{ phase: 'outbound', index: 0 }] },
    });
    const rule = policy!.rules.outbound[0]!;
    expect(rule.name).toEqual({ value: 'a', range: { start: 33, end: 34 } });
    expect(rule.expressions.map(({ source, typed }) => [source, typed?.resultType.kind])).toEqual([['true', 'bool']]);
    expect(rule.actions[0]).toMatchObject({ type: { value: 'log' }, config: { metadata: { a: [1] } } });
    expect(document.slice(rule.range.start, rule.range.end)).toMatch(/^name: a/);
  });

  it('keeps rules with errors, without typed expressions', () => {
    const rule = analyze(condition('a ==')).policy!.rules.inbound[0]!;
    expect(rule.expressions.map(({ source, typed }) => [source, typed])).toEqual([['a ==', undefined]]);
  });
});

it('reports a phase that an endpoint lacks, but not every name in it', () => {
  const text =
    'on_tcp_connect:\n- expressions: [req.method == "GET", 1 == "a"]\n  actions: [{type: terminate-tls}, {type: dney}]\n';
  const { diagnostics } = analyzePolicy(new SourceText('p', text), { profile: MODERN, endpoint: 'https-route' });
  expect(diagnostics.map(one => one.code)).toEqual([
    'endpoint/phase-unavailable',
    'type/no-matching-overload',
    'policy/unknown-action',
  ]);
});

function keysOf(results: ExpressionCache['conditions']): readonly string[] {
  return [...results.values()].flatMap(({ byShape, byText }) => [
    ...[...byShape.values()].map(one => one.typed.ast.source),
    ...byText.keys(),
  ]);
}

it('checks equal configuration expressions once', () => {
  const expressions = createExpressionCache();
  const action = '{type: log, config: {metadata: {a: "${conn.client_ip}", b: "x ${conn.client_ip}"}}}';
  const text = `on_http_request:\n- expressions: ['true']\n  actions: [${action}, ${action}]\n`;
  analyzePolicy(new SourceText('p', text), { profile: MODERN, endpoint: 'http-endpoint', expressions });
  const [conditions, others] = [expressions.conditions, expressions.others].map(keysOf);
  expect([conditions, others]).toEqual([['true'], ['conn.client_ip']]);
});

it('caches an expression of a repeat cache only when it recurs', () => {
  const expressions = createRepeatCache();
  const analyse = (text: string) =>
    analyzePolicy(new SourceText('p', text), { profile: MODERN, endpoint: 'http-endpoint', expressions });
  const kept = () => keysOf(expressions.conditions);
  const first = analyse("on_http_request:\n- expressions: ['1 == true']\n");
  expect(kept()).toEqual([]);
  const second = analyse("on_http_request:\n- expressions: ['1 == true', '1 == 2']\n");
  expect(kept()).toEqual(['1 == true']);
  const codes = [first, second].map(one => one.diagnostics.map(({ code }) => code));
  expect(codes[1]).toEqual(codes[0]);
});

describe('two sign-ins', () => {
  const sent = (path: string) => `expressions: ["req.url.path.startsWith('${path}')"]`;
  const google = '{ type: oauth, config: { provider: google } }';
  const github = '{ type: oauth, config: { provider: github } }';
  const found = (rules: string) => {
    const source = new SourceText('p', `on_http_request:\n${rules}`);
    const { diagnostics } = analyzePolicy(source, { profile: MODERN, endpoint: 'http-endpoint' });
    return diagnostics.map(({ code, severity, message }) => [code, severity, message]);
  };
  const CODE = 'policy/conflicting-actions';

  it.each([
    ['in one rule', `- { ${sent('/a')}, actions: [${google}, ${github}] }`],
    ['for the same requests', `- { ${sent('/a')}, actions: [${google}] }\n- { ${sent('/a')}, actions: [${github}] }`],
    ['one of them for all', `- { actions: [${google}] }\n- { ${sent('/a')}, actions: [${github}] }`],
  ])('are an error: %s', (_, rules) => {
    expect(found(rules)).toEqual([[CODE, 'error', 'second authentication action after `oauth`; remove one of them']]);
  });

  it('for different requests are a warning that names the documented refusal', () => {
    const rules = `- { ${sent('/a')}, actions: [${google}] }\n- { ${sent('/b')}, actions: [${github}] }`;
    const message =
      'second authentication action after `oauth`; `ERR_NGROK_2239` documents one for each endpoint, and does not say whether rules for different requests may have one each';
    expect(found(rules)).toEqual([[CODE, 'warning', message]]);
    const second = `${rules.slice(0, -3)}, ${google}] }`;
    expect(found(second).map(([, severity]) => severity)).toEqual(['warning', 'error']);
  });
});
