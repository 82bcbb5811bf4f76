import type { RuleView } from '@tollgate/reports';
import type { RuleResult } from '@tollgate/simulator';
import { describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';
import { chooseRules } from './trace-request.ts';

const POLICY = 'examples/policies/bookshop.yaml';
const EDGE = 'examples/edges/bookshop.json';

const trace = (args: readonly string[], input = '') => runCaptured(['trace', ...args], { input });

describe('tollgate trace', () => {
  it.each<[readonly string[], number, string]>([
    [[], 2, 'missing required argument `policy`'],
    [[POLICY], 2, 'missing request; pass `--url URL` or `--request FILE`'],
    [[POLICY, '--edge', EDGE, '--url', '/'], 2, 'expected either a policy or `--edge`, found both'],
    [['-', '--request', '-'], 2, 'standard input cannot be both policy and request'],
    [
      [POLICY, '--url', 'nowhere'],
      2,
      '`--url` expects a URL such as `https://example.com/a`, or a path, found `nowhere`',
    ],
    [[POLICY, '--url', '/', '--rule', 'no scaners'], 2, '`--rule`: no rule `no scaners`; did you mean `no scanners`?'],
    [['missing.yaml', '--url', '/'], 3, 'cannot read `missing.yaml`: no such file'],
    [[POLICY, '--request', 'missing.har'], 3, 'cannot read `missing.har`: no such file'],
    [
      [POLICY, '--request', 'examples/traffic/browse.har#9999'],
      3,
      'found no exchange `#9999` in `examples/traffic/browse.har`',
    ],
    [['--edge', POLICY, '--url', '/'], 3, `cannot read \`${POLICY}\` as an edge: invalid JSON: `],
  ])('reports an error and its exit code: %j', async (args, code, message) => {
    const found = await trace(args);
    expect({ code: found.code, output: found.output }).toEqual({ code, output: '' });
    expect(found.errors.startsWith(`tollgate: ${message}`)).toBe(true);
  });

  it('reports a policy with errors as `tollgate check` does, in both formats', async () => {
    const policy = 'inbound: [{ expressions: [req.Pth == 1], actions: [{ type: deny }] }]';
    const text = await trace(['-', '--url', '/'], policy);
    expect([text.code, text.errors]).toEqual([1, '']);
    expect(text.output).toContain('error[name/undeclared-field]');
    const json = await trace(['-', '--url', '/', '--format', 'json'], policy);
    expect([json.code, JSON.parse(json.output).diagnostics[0].code]).toEqual([1, 'name/undeclared-field']);
  });

  it('reports errors in an exchange at their positions', async () => {
    const { code, output } = await trace([POLICY, '--request', '-'], 'request:\n  url: books.example\n');
    expect(code).toBe(1);
    expect(output).toContain('error[test/invalid]: expected an absolute URL');
    expect(output).toContain('<stdin>:2:8');
  });

  it('traces a policy from standard input, and a part of a file', async () => {
    const found = await trace(['-', '--url', '/'], 'inbound: [{ actions: [{ type: deny }] }]');
    expect(found.output).toMatch(/^<stdin> \(https-route\) on GET \/\n\n✓ inbound 1 {2}matched/);
    const part = await trace([`${EDGE}#/routes/2/policy`, '--url', 'https://books.example/a.php']);
    expect(part.output).toContain('✓ inbound 1  no probes  matched');
  });

  it.each(['text', 'html'])('says of an action without an effect whether it is a check, as %s', async format => {
    const rules = `
      - { type: basic-auth, config: { credentials: ['ada:correct-horse'] } }
      - { type: url-rewrite, config: { from: /old, to: /new } }`;
    const request = ['--url', 'https://a.example/x', '-H', 'Authorization: Basic YWRhOmNvcnJlY3QtaG9yc2U='];
    const found = await trace(['-', ...request, '--format', format], `on_http_request:\n  - actions:${rules}\n`);
    const words = found.output
      .replaceAll(/<[^>]*>/g, '')
      .match(/→ (?:basic-auth|url-rewrite) +(?:lets it pass|nothing to do)/g);
    expect(words?.map(one => one.replaceAll(/ +/g, ' '))).toEqual([
      '→ basic-auth lets it pass',
      '→ url-rewrite nothing to do',
    ]);
  });
});

function rule(
  phase: RuleView['phase'],
  number: number,
  status: 'not-matched' | 'not-reached',
  name?: string,
): RuleView {
  const result: RuleResult = { status };
  return { phase, number, name, result, range: { start: 0, end: 0 }, reason: undefined, expressions: [], actions: [] };
}

const RULES = [
  rule('inbound', 1, 'not-matched', 'no bots'),
  rule('inbound', 2, 'not-reached'),
  rule('outbound', 1, 'not-reached', 'hide the server'),
];

it.each([
  [{}, [0, 1, 2]],
  [{ rule: ['1'] }, [0, 2]],
  [{ rule: ['inbound 1', 'hide the server'] }, [0, 2]],
  [{ only: ['not-reached'] }, [1, 2]],
  [{ rule: ['1'], only: ['not-reached', 'failed'] }, [2]],
])('selects rules by number, phase and number, name, and status: %j', (choice, expected) => {
  expect(chooseRules(RULES, choice)).toEqual(expected.map(index => RULES[index]));
});

it.each([
  ['no bot', '`--rule`: no rule `no bot`; did you mean `no bots`?'],
  ['7', '`--rule`: no rule `7`; expected `no bots`, `inbound 2`, `hide the server`'],
])('lists the existing rules: %s', (word, message) => {
  expect(() => chooseRules(RULES, { rule: [word] })).toThrow(message);
});
