import { describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

const POLICY = `inbound:
  - name: no admin
    expressions: ["req.Path.startsWith('/admin')"]
    actions: [{ type: deny, config: { status_code: 403 } }]
`;

const compile = (to: string, policy = POLICY, ...args: readonly string[]) =>
  runCaptured(['compile', '--to', to, ...args, '-'], { input: policy });

describe('compiling a policy', () => {
  it('writes a module that runs', async () => {
    const { code, output } = await compile('js');
    const { decide } = await import(`data:text/javascript,${encodeURIComponent(output)}`);
    const denied = { outcome: 'denied', status: 403, action: 'deny', rule: 'inbound 1', name: 'no admin' };
    expect([code, decide({ req: { Path: '/admin/x' } })]).toEqual([0, [denied]]);
    expect(decide({ req: { Path: '/' } })).toEqual([{ outcome: 'passed' }]);
    expect(decide({})).toEqual([denied, { outcome: 'passed' }]);
  });

  it('writes a query with the columns that are named', async () => {
    const { code, output } = await compile(
      'sql',
      POLICY,
      '--table',
      'requests',
      '--column',
      "req.Path=split_part(url, '?', 1)",
    );
    expect([code, output]).toEqual([0, expect.stringContaining("starts_with(split_part(url, '?', 1), '/admin')")]);
    expect(output).toContain('from requests');
  });

  it('writes the body of the policy endpoint', async () => {
    const { code, output } = await compile('payload');
    expect([code, JSON.parse(output)]).toEqual([
      0,
      {
        enabled: true,
        inbound: [
          {
            name: 'no admin',
            expressions: ["req.Path.startsWith('/admin')"],
            actions: [{ type: 'deny', config: { status_code: 403 } }],
          },
        ],
        outbound: null,
      },
    ]);
  });

  it('writes checked expressions', async () => {
    const { code, output } = await compile('ast');
    const [rule] = JSON.parse(output).rules;
    expect([code, rule.rule, rule.expressions[0].checked.typeMap['4']]).toEqual([
      0,
      'inbound 1',
      { primitive: 'BOOL' },
    ]);
  });

  it.each([
    ['js', 'size(req.Path) + 1 > 3', 'unsupported: `+`', ':1:28'],
    ['sql', "req.Path == '' || req.Headers.exists(h, h == 'a')", 'unsupported: field', ':1:46'],
    ['sql', "inCidrRange(conn.ClientIP, '10.0.0.0/8')", 'unsupported: `inCidrRange`', ':1:28'],
    ['js', "req.Path.matches('^(a|a)*(b|bb)*c(a*)*$')", 'unsupported: pattern `^(a|a)*(b|bb)*c(a*)*$`', ':1:28'],
  ])('to %s refuses %s', async (to, expression, message, place) => {
    const policy = `inbound: [{ expressions: ["${expression}"], actions: [{ type: deny }] }]`;
    const { code, output, errors } = await compile(to, policy);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain(`error[compile/unsupported]: ${message}\n`);
    expect(errors).toContain(`<stdin>${place}`);
  });

  it('refuses actions that later rules or other exchanges see', async () => {
    const policy = 'inbound: [{ actions: [{ type: url-rewrite, config: { from: a, to: b } }] }]';
    expect((await compile('js', policy)).errors).toContain('unsupported: action `url-rewrite`');
  });
});
