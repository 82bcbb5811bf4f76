import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../edge-server/test-server.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { createShop, heldBy, policyText, projectText, type Shop } from './shop.ts';

const TARGETS = 20;
const NAMES = ['left', 'right'] as const;

let server: TestServer;
let proxy: FaultProxy;
let publisher: Publisher;
let shop: Shop;

beforeAll(async () => {
  publisher = await createPublisher();
  server = await startTestServer({ development: true });
  proxy = await startFaultProxy(server.url);
  shop = await createShop(server, TARGETS);
});

afterAll(async () => {
  await proxy?.stop();
  await server?.stop();
  publisher?.remove();
});

interface Report {
  readonly code: number | null;
  readonly err: string;
  /** By the index of the target. */
  readonly states: ReadonlyMap<number, string>;
}

/** Both make their plans before either applies. */
async function applyBoth(round: string): Promise<readonly Report[]> {
  for (const [index, name] of NAMES.entries()) {
    publisher.write(`${name}/key`, server.token);
    publisher.write(`${name}/policy.yaml`, policyText(`${round}${name}`));
    publisher.write(`${name}/tollgate.yaml`, projectText(shop, proxy.url, index === 0 ? 0 : 1).replace('0.25', '30'));
    const planned = await publisher.run(name, ['plan', '--out', 'plan.json', '--allow-erase']);
    expect(planned).toMatchObject({ code: 0, err: '' });
  }
  const applied = await Promise.all(NAMES.map(name => publisher.run(name, ['apply', 'plan.json', '-f', 'json'])));
  return applied.map(({ code, out, err }) => {
    const { targets } = JSON.parse(out) as { readonly targets: readonly { target: string; state: string }[] };
    return { code, err, states: new Map(targets.map(({ target, state }) => [Number(target.slice(1)), state])) };
  });
}

it('lets one publisher win each target, and tells the other of the conflict', async () => {
  const [left, right] = (await applyBoth('tagged')) as [Report, Report];
  const held = await heldBy(server, shop);
  for (const [index, { policy, ipPolicy }] of held.entries()) {
    const winner = policy === 'taggedleft' ? left : right;
    const loser = policy === 'taggedleft' ? right : left;
    expect([index, policy]).toEqual([index, expect.stringMatching(/^tagged(?:left|right)$/)]);
    expect([index, winner.states.get(index), loser.states.get(index)]).toEqual([index, 'written', 'conflict']);
    // Nothing is mixed: both modules are from the same publisher.
    if (ipPolicy !== undefined) expect(ipPolicy).toBe(shop.ipPolicies[winner === left ? 0 : 1]);
  }
  expect([left.code, right.code].toSorted()).toEqual(
    [left, right].map(({ states }) => ([...states.values()].every(state => state === 'written') ? 0 : 1)).toSorted(),
  );
});

it('says that conflicts are not excluded if the server offers no tags; who is live reports it, and if nobody is, somebody says that it is not written', async () => {
  proxy.hidesTags = true;
  const reports = await applyBoth('bare');
  const held = await heldBy(server, shop);
  for (const { err } of reports) expect(err).toContain('no entity tags: conflicts with other publishers are detected');
  for (const [index, { policy }] of held.entries()) {
    const states = reports.map(one => one.states.get(index));
    // Each may see what the other wrote; both then leave the target, or put back what it held. One may be done before the other writes
    // over it and puts back what it had read before: without tags nothing prevents that, and the one that is done cannot know.
    // One whose module was put back by the other takes that for a failure, which ends its run, and restores all targets that it had written.
    if (policy?.startsWith('tagged')) expect([index, states]).not.toEqual([index, ['written', 'written']]);
    else
      expect([index, policy, states[NAMES.findIndex(name => policy === `bare${name}`)]]).toEqual([
        index,
        policy,
        'written',
      ]);
  }
});
