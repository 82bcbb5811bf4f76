import { EDGE_V2, type Extension, extendProfile, MODERN, type Profile } from '@tollgate/catalog';
import { type Activation, compileToJavaScript } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { analyzePolicy } from '../analysis/analyze-policy.ts';
import { checkCondition } from '../expressions/check-expression.ts';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { extensionFaults, readExtension, readProject } from './read-settings.ts';

const PLACE = { endpoint: 'https-route', phase: 'inbound' } as const;

function check(source: string, profile: Profile) {
  const environment = createPhaseEnvironments(profile, PLACE.endpoint)[PLACE.phase];
  const { typed, diagnostics } = checkCondition(source, { profile, place: PLACE, environment });
  const run = (activation: Activation) =>
    compileToJavaScript(inlineBodies(typed!, environment), environment).evaluate(activation);
  return { codes: diagnostics.map(one => one.code), run };
}

describe('an extended profile', () => {
  const profile = extendProfile(EDGE_V2, {
    variables: [{ path: 'req.Tenant', type: 'string' }],
    objects: [{ name: 'point', fields: [{ name: 'x', type: 'int', doc: '', source: 'chosen' }] }],
    functions: [
      { name: 'isTenant', params: [{ name: 'name', type: 'string' }], result: 'bool', body: 'req.Tenant == name' },
      {
        name: 'shout',
        params: [{ name: 'text', type: 'string' }],
        result: 'string',
        implementation: (text: string) => `${text}!`,
      },
      {
        name: 'broken',
        params: [{ name: 'text', type: 'string' }],
        result: 'bool',
        implementation: () => JSON.parse('{'),
      },
      { name: 'wrong', params: [{ name: 'text', type: 'string' }], result: 'bool', implementation: () => 1 },
      { name: 'remote', params: [], result: 'bool' },
    ],
    actions: [{ type: 'audit', config: [{ name: 'level', type: { kind: 'int', min: 1, max: 3 }, doc: '' }] }],
    remove: { variables: ['conn.Geo'], functions: ['inCidrRange'], actions: ['log'] },
  });
  const activation = { req: { Tenant: 'a' } };

  it.each([
    ["isTenant('a') && req.Tenant == 'a'", true],
    ["shout(req.Tenant) == 'a!'", true],
    ['broken(req.Tenant)', { code: 'eval/extension-failed' }],
    ['wrong(req.Tenant)', { code: 'eval/host-type' }],
    ['remote()', { attributes: ['`remote()`, because it is declared without an implementation'] }],
  ])('has added declarations: %s', (source, value) => {
    const { codes, run } = check(source, profile);
    expect(codes).toEqual([]);
    if (typeof value === 'boolean') expect(run(activation)).toBe(value);
    else expect(run(activation)).toMatchObject(value);
  });

  it.each([
    ["conn.Geo.CountryCode == 'DE'", ['name/undeclared-field']],
    ["inCidrRange(conn.ClientIP, '::/0')", ['name/undeclared-function']],
    ["inCidrRanges(conn.ClientIP, ['::/0'])", []],
  ])('lacks only removed declarations: %s', (source, codes) => {
    expect(check(source, profile).codes).toEqual(codes);
  });

  it('has added actions, and not removed ones', () => {
    const text = 'inbound: [{actions: [{type: audit, config: {level: 4}}, {type: log}]}]';
    const { diagnostics } = analyzePolicy(new SourceText('p', text), { profile, endpoint: 'https-route' });
    expect(diagnostics.map(one => one.code)).toEqual(['config/out-of-range', 'policy/unknown-action']);
  });
});

it('reads values of open types in one way only if they are closed', () => {
  const place = { endpoint: 'http-endpoint', phase: 'on_http_response' } as const;
  const codesOf = (extension: Extension) => {
    const profile = extendProfile(MODERN, extension);
    const environment = createPhaseEnvironments(profile, place.endpoint)[place.phase];
    const found = checkCondition("res.status_code == '300' || res.status_code == 300", { profile, place, environment });
    return found.diagnostics.map(one => one.code);
  };
  expect(codesOf({})).toEqual([]);
  expect(codesOf({ openTypes: 'closed' })).toEqual(['type/no-matching-overload']);
});

describe('a file of settings', () => {
  const found = (text: string, read: typeof readExtension | typeof readProject) =>
    read(new SourceText('x.yaml', text)).diagnostics.map(
      ({ range, message }) => `${text.slice(range.start, range.end)}: ${message}`,
    );

  it.each([
    ['', []],
    ['variables: [{path: req.x, type: int}]', []],
    ['{"remove": {"actions": ["deny"]}}', []],
    ['functions: [{name: f, params: [], result: int, body: 1 + 1}]', []],
    ['variables:\nremove: {actions: }', []],
    ['a: 1', ['a: unknown key `a`; use `variables`, `objects`, `functions`, `actions` or `remove`']],
    ['variables: [{path: "", type: int}]', ['"": expected a non-empty string']],
    ['- a', ['- a: expected a map, found a list']],
    ['variables: [{path: req.x}]', ['{path: req.x}: missing key `type`']],
    ['variables: [{path: 1, type: int}]', ['1: expected a string, found `1`']],
    ['remove: {functions: [nope]}', ['nope: no profile has `nope`']],
    [
      'functions: [{name: f, params: [], result: int, body: "true"}]',
      ['{name: f, params: [], result: int, body: "true"}: the body of `extension_f` returns bool, not int'],
    ],
    [
      'variables: [{path: req.x, type: "list("}]',
      ['"list(": expected a type such as `string` or `list(int)`, found `list(`'],
    ],
    [
      'variables: [{path: req.x, type: strng}, {path: req.y, type: "map(string, list(itn))"}]',
      [
        'strng: unknown type `strng`; did you mean `string`?',
        '"map(string, list(itn))": unknown type `itn`; did you mean `int`?',
      ],
    ],
    [
      'functions: [{name: f, params: [{name: a, type: tenant}], result: boool}]\nobjects: [{name: o, fields: [{name: x, type: dubble}]}]',
      [
        'tenant: unknown type `tenant`; declare it under `objects`',
        'boool: unknown type `boool`; did you mean `bool`?',
        'dubble: unknown type `dubble`; did you mean `double`?',
      ],
    ],
    [
      'variables: [{path: req.tenant.plan, type: plan}, {path: req.a, type: req.tenant}, {path: req.b, type: cookie}]\nobjects: [{name: plan, fields: [{name: x, type: "optional_type(int)"}]}]',
      [],
    ],
  ])('is an extension, or has errors at: %s', (text, expected) => {
    expect(found(text, readExtension)).toEqual(expected);
  });

  it.each([
    ['profile: modern\nopenTypes: closed\nenv: [a.yaml]\nswitches: {evaluationError: fail-request}', []],
    ['profile: moderm', ['moderm: expected one of `edge-v2`, `edge-v2-snake`, `modern`, found `moderm`']],
    ['env: a.yaml', ['a.yaml: expected a list, found `a.yaml`']],
    [
      'switches: {evaluationErrors: x}',
      ['evaluationErrors: unknown key `evaluationErrors`; did you mean `evaluationError`?'],
    ],
    ['a: [', [': a list in brackets must be sufficiently indented and end with a ]']],
    ['profile: modern\n---\nprofile: edge-v2', ['profile: edge-v2: second document in a settings file; remove it']],
    [`env: ${'['.repeat(1000)}`, ['[: lists and maps are nested deeper than 64 (maxDocumentDepth)']],
  ])('is a project file, or has errors at: %s', (text, expected) => {
    expect(found(text, readProject)).toEqual(expected);
  });

  it('may be a module, whose errors have paths', () => {
    expect(extensionFaults({ functions: [{ name: 'f', params: [], result: 'int' }] })).toEqual([]);
    expect(extensionFaults({ functions: [{ name: 'f', params: {} }] })).toEqual([
      '`functions.0`: missing key `result`',
      '`functions.0.params`: expected a list, found a map',
    ]);
    expect(extensionFaults(undefined)).toEqual(['expected a map, found `undefined`']);
  });
});
