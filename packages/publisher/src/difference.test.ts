import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moduleChanges } from './difference.ts';
import { isSame } from './json.ts';
import { type Canonical, canonicalModule } from './module.ts';

interface Sketch {
  readonly name: string;
  readonly status: number;
}

function policy(rules: readonly Sketch[], enabled = true): Canonical {
  const inbound = rules.map(({ name, status }) => ({
    name,
    actions: [{ type: 'deny', config: { status_code: status } }],
  }));
  return canonicalModule('policy', { enabled, inbound });
}

const [A, B, C] = ['a', 'b', 'c'].map(name => ({ name, status: 403 })) as [Sketch, Sketch, Sketch];

function told(before: Canonical, after: Canonical): readonly string[] {
  return moduleChanges('policy', before, after).map(change =>
    change.kind === 'value'
      ? `${change.path}: ${JSON.stringify(change.before)} → ${JSON.stringify(change.after)}`
      : `${change.kind} ${change.name} ${change.from} ${change.to} ${change.values.map(({ path }) => path).join()}`.trim(),
  );
}

describe('moduleChanges', () => {
  it.each<[string, Canonical, Canonical, readonly string[]]>([
    ['added', policy([A]), policy([B, A]), ['added b undefined 0']],
    ['removed', policy([A, B]), policy([B]), ['removed a 0 undefined']],
    ['moved', policy([A, B, C]), policy([B, C, A]), ['moved a 0 2']],
    ['changed', policy([A, B]), policy([A, { ...B, status: 404 }]), ['changed b 1 1 actions[0].config.status_code']],
    ['disabled', policy([A]), policy([A], false), ['enabled: true → false']],
    ['configured for the first time', null, policy([A]), ['added a undefined 0']],
    ['empty', null, policy([]), ['policy: undefined → {"enabled":true,"rules":{}}']],
  ])('tells what is %s', (_, before, after, expected) => {
    expect(told(before, after)).toEqual(expected);
  });

  it('masks secrets, and tells that one has changed', () => {
    const [before, after] = ['old secret', 'new secret'].map(secret =>
      canonicalModule('webhook_verification', { provider: 'slack', secret }),
    );
    const changes = moduleChanges('webhook_verification', before!, after!);
    expect(changes).toEqual([{ kind: 'value', path: 'secret', before: '(secret)', after: '(another secret)' }]);
  });

  it.each([
    ['verify-webhook', 'secret'],
    ['add-headers', 'X-Api-Key'],
  ])('masks secrets of %s', (type, key) => {
    const [before, after] = ['one-secret', 'two-secret'].map(secret => {
      const config = key === 'secret' ? { provider: 'github', secret } : { headers: { [key]: secret } };
      return canonicalModule('policy', { inbound: [{ name: 'a', actions: [{ type, config }] }] });
    });
    const text = JSON.stringify(moduleChanges('policy', before!, after!));
    expect(text).toContain('"changed"');
    expect(text).not.toContain('-secret');
  });

  const RULE = fc.record({ name: fc.constantFrom('', 'a', 'b', 'c'), status: fc.constantFrom(403, 404) });
  const POLICY = fc.oneof(
    fc.constant(null),
    fc.tuple(fc.array(RULE, { maxLength: 6 }), fc.boolean()).map(([rules, enabled]) => policy(rules, enabled)),
  );

  it('finds no change exactly if two modules are the same, and accounts for every rule', () => {
    fc.assert(
      fc.property(POLICY, POLICY, (before, after) => {
        const changes = moduleChanges('policy', before, after);
        expect(changes.length === 0).toBe(isSame(before, after));
        const count = (value: Canonical) => (value?.rules as { inbound?: readonly unknown[] })?.inbound?.length ?? 0;
        const kinds = changes.map(({ kind }) => kind);
        const delta = kinds.filter(kind => kind === 'added').length - kinds.filter(kind => kind === 'removed').length;
        expect(delta).toBe(count(after) - count(before));
      }),
    );
  });
});

describe('the canonical form', () => {
  it.each([
    [{ inbound: null, outbound: null }, {}],
    [{ inbound: [] }, { outbound: null, enabled: true }],
    [
      { inbound: [{ actions: [{ type: 'deny' }] }] },
      { inbound: [{ name: '', expressions: [], actions: [{ config: null, type: 'deny' }] }] },
    ],
    [
      { inbound: [{ actions: [{ type: 'log', config: {} }] }] },
      { enabled: true, value: 'inbound: [{ actions: [{ type: log }] }]' },
    ],
  ])('is the same for %j and %j', (one, other) => {
    expect(canonicalModule('policy', one)).toEqual(canonicalModule('policy', other));
  });

  it('ignores the order of IP policies, and the case of providers', () => {
    expect(canonicalModule('ip_restriction', { ip_policies: [{ id: 'b' }, { id: 'a' }] })).toEqual(
      canonicalModule('ip_restriction', { ip_policy_ids: ['a', 'b'] }),
    );
    expect(canonicalModule('webhook_verification', { provider: 'Slack' })).toEqual(
      canonicalModule('webhook_verification', { provider: 'slack', secret: '' }),
    );
  });
});
