import type { TestServer } from '../../edge-server/test-server.ts';
import { textOf } from '../../edge-server/test-server.ts';

/** Routes of an edge to publish to, and two IP policies. */
export interface Shop {
  /** The name of its host. */
  readonly host: string;
  readonly edge: string;
  /** In the order of the targets. */
  readonly routes: readonly string[];
  readonly ipPolicies: readonly [string, string];
}

/** What a target holds: the version of its policy, and its IP policy. */
export interface Held {
  readonly policy: string | undefined;
  readonly ipPolicy: string | undefined;
}

/** Creates an edge with this many routes. */
export async function createShop(server: TestServer, count: number, host = 'shop.example'): Promise<Shop> {
  const edge = textOf(await server.call('POST', '/edges/https', { body: { hostports: [`${host}:443`] } }), 'id');
  const routes: string[] = [];
  for (let index = 0; index < count; index++) {
    const body = { match_type: 'path_prefix', match: `/r${index}/` };
    routes.push(textOf(await server.call('POST', `/edges/https/${edge}/routes`, { body }), 'id'));
  }
  const ipPolicies: string[] = [];
  for (const description of ['one', 'other']) {
    ipPolicies.push(textOf(await server.call('POST', '/ip_policies', { body: { description } }), 'id'));
  }
  return { host, edge, routes, ipPolicies: [ipPolicies[0]!, ipPolicies[1]!] };
}

/** Every fourth target has an IP restriction as well. */
export function isRestricted(index: number): boolean {
  return index % 4 === 0;
}

/** A policy that carries a version. */
export function policyText(version: string): string {
  return `inbound:
  - name: gone
    expressions: ["req.Path.startsWith('/old/')"]
    actions: [{ type: custom-response, config: { status_code: 410, content: "version ${version}" } }]
`;
}

/** A project file whose targets are the routes of the shop. */
export function projectText({ host, routes, ipPolicies }: Shop, url: string, choice: 0 | 1): string {
  const targets = routes.map((_, index) => {
    const restriction = isRestricted(index) ? `, ipRestriction: { ipPolicies: [${ipPolicies[choice]}] }` : '';
    return `  t${index}: { policy: policy.yaml, route: { edge: ${host}:443, match: /r${index}/ }${restriction} }`;
  });
  return `environments:
  test:
    url: ${url}
    apiKey: { file: key }
    timeout: 0.25
    requestsPerMinute: 10000000
targets:
${targets.join('\n')}
`;
}

/** Reads what the targets really hold, past any proxy. */
export async function heldBy(server: TestServer, { edge, routes }: Shop): Promise<readonly Held[]> {
  const { body } = await server.call('GET', `/edges/https/${edge}`);
  const { routes: all } = body as { readonly routes: readonly Record<string, unknown>[] };
  return routes.map(id => {
    const route = all.find(one => one.id === id)!;
    const text = JSON.stringify(route.policy ?? null);
    const restriction = route.ip_restriction as { readonly ip_policies: readonly { readonly id: string }[] } | null;
    return { policy: /"version (\w+)"/.exec(text)?.[1], ipPolicy: restriction?.ip_policies[0]?.id };
  });
}
