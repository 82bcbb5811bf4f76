import type { Diagnostic, Severity } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { createPolicyAnalyser, type PolicyLint, pathFinder, policyFault, requestSource } from './policy-analysis.ts';

const RESERVED = { actions: [{ type: 'remove-headers', config: { headers: ['user-agent'] } }] };
/** A value that no TLS version has. */
const UNWISE = { expressions: ["conn.tls.version == '9'"], actions: [{ type: 'deny' }] };

function findings(lint: PolicyLint, rule: object, severity: Severity, errorsOnly = false): readonly string[] {
  const source = requestSource(JSON.stringify({ on_http_request: [rule] }));
  return createPolicyAnalyser(lint)({ source, traffic: 'http', form: 'text', errorsOnly })
    .filter(one => one.severity === severity)
    .map(({ code }) => code);
}

describe('the analysis of a policy', () => {
  it.each(['off', 'warn', 'error'] as const)('reports documented refusals as errors under `%s`', lint => {
    expect(findings(lint, RESERVED, 'error')).toEqual(['header/reserved']);
    expect(findings(lint, RESERVED, 'error', true)).toEqual(['header/reserved']);
  });

  it('reports opinions of lint rules as the setting says', () => {
    expect(findings('off', UNWISE, 'warning')).not.toContain('tls/version-unknown');
    expect(findings('warn', UNWISE, 'warning')).toContain('tls/version-unknown');
    expect(findings('warn', UNWISE, 'error', true)).toEqual([]);
    expect(findings('error', UNWISE, 'error', true)).toContain('tls/version-unknown');
  });
});

const TEXT = '{\n  "inbound": ["x"]\n}';

function fault(code: string, message: string): readonly [number, string] {
  const diagnostic: Diagnostic = {
    code,
    message,
    severity: 'error',
    uri: 'body',
    range: { start: 16, end: 19 },
    args: {},
  };
  const made = policyFault(diagnostic, requestSource(TEXT), ['inbound', 0]);
  return [made.code, made.message];
}

describe('the fault of a policy', () => {
  it.each([
    ['policy/unknown-action', 2201, "The action type at 'inbound[0]' does not exist: 2:15 policy/unknown-action: m"],
    ['config/bad-url', 2226, "The value at 'inbound[0]' is not a URL: 2:15 config/bad-url: m"],
    ['config/wrong-type', 2203, "The configuration at 'inbound[0]' is not valid: 2:15 config/wrong-type: m"],
    [
      'name/undeclared-reference',
      2200,
      "The expression at 'inbound[0]' is not valid: 2:15 name/undeclared-reference: m",
    ],
    ['tls/version-unknown', 9026, 'The policy is not valid: 2:15 tls/version-unknown: m'],
  ])('of `%s` has its own number and ends with position and diagnostic', (code, number, message) => {
    expect(fault(code, 'm')).toEqual([number, message]);
  });
});

const NESTED = '{"module":{"inbound":[{"expressions":["a","b c"]},{"actions":[{"type":"deny","config":{"x":1}}]}]}}';

it.each([
  ['"b c"', ['module', 'inbound', 0, 'expressions', 1]],
  ['deny', ['module', 'inbound', 1, 'actions', 0, 'type']],
  ['"x"', ['module', 'inbound', 1, 'actions', 0, 'config', 'x']],
  ['"config"', ['module', 'inbound', 1, 'actions', 0, 'config']],
])('finds the path of %s', (part, path) => {
  expect(pathFinder(NESTED)(NESTED.indexOf(part) + 1)).toEqual(path);
});

it('finds no path in an empty document', () => {
  expect(pathFinder('')(0)).toEqual([]);
});

it('finds the path of every value and key of a document', () => {
  const find = pathFinder(NESTED);
  const at = (offset: number) =>
    find(offset).reduce<unknown>((value, key) => Reflect.get(Object(value), key), JSON.parse(NESTED));
  for (const { index, 0: text } of NESTED.matchAll(/(?<=[:,[])(?:"[^"]*"|\d+)(?!:)/g))
    expect(at(index)).toBe(JSON.parse(text));
  for (const { index, 1: key } of NESTED.matchAll(/"([^"]*)":/g)) expect(find(index + 1).at(-1)).toBe(key);
});

it('parses a document once for all of its paths', () => {
  const rules = Array.from({ length: 2000 }, (_, index) => ({ expressions: [`${index}`] }));
  const text = JSON.stringify({ inbound: rules });
  const find = pathFinder(text);
  const paths = [...text.matchAll(/"\d+"/g)].map(({ index }) => find(index + 1));
  expect(paths).toEqual(rules.map((_, index) => ['inbound', index, 'expressions', 0]));
});
