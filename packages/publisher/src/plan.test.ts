import { expect, it } from 'vitest';
import { createLocator, type LiveRecord, type Target } from './live.ts';
import { canonicalModule } from './module.ts';
import { createAheadPlanner, planTarget } from './plan.ts';

const CONTEXT = { lastApplied: () => undefined };

function policy(name: string) {
  return canonicalModule('policy', { inbound: [{ name, actions: [{ type: 'log' }] }] });
}

function record(host: string, name: string): LiveRecord {
  const modules = { policy: policy(name), webhook_verification: null, ip_restriction: null };
  return {
    ref: { kind: 'tls-edge', id: `${host}-${name}` },
    hostports: [`${host}:443`],
    route: undefined,
    modules,
    metadata: '',
  };
}

function target(host: string): Target {
  const address = { kind: 'tls-edge', edge: `${host}:443`, route: undefined } as const;
  const modules = [{ module: 'policy', value: policy('new'), source: undefined }] as const;
  return { name: host, address, modules, allowErase: false };
}

it.each([0, 1, 2, 3])('plans as if all pages had been there at once, with the targets after page %i', arrival => {
  const pages = [[record('a', 'new'), record('b', 'old')], [record('c', 'old')], [record('c', 'other')]];
  const targets = ['a', 'b', 'c', 'none'].map(target);
  const ahead = createAheadPlanner(CONTEXT);
  for (const [index, page] of pages.entries()) {
    if (index === arrival) ahead.setTargets(targets);
    ahead.addPage(page);
  }
  if (arrival === pages.length) ahead.setTargets(targets);
  const locate = createLocator({ records: pages.flat() });
  const planned = targets.map(one => ahead.plan(one, locate(one.address)));
  expect(planned).toEqual(targets.map(one => planTarget(one, locate(one.address), CONTEXT)));
  expect(planned.map(one => ('message' in one ? one.message : one.isChanged))).toEqual([
    false,
    true,
    expect.stringMatching(/^2 edges have the hostport/),
    expect.stringMatching(/^there is no TLS edge/),
  ]);
});
