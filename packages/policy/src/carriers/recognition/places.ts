import type { EndpointKind } from '@tollgate/catalog';
import { type DocumentNode, entryOf, type MapNode } from '../../document/model/document-node.ts';

/** Where the policy is in a resource or file. */
export interface PolicyPath {
  /** The `kind` of a Kubernetes resource; without it, every document with the path. */
  readonly kind?: string;
  /** Keys and list indices, outermost first; `*` stands for any. */
  readonly path: readonly string[];
}

/** The resources of the Kubernetes operator. What is at these paths is a policy even if it has no valid key. */
export const KNOWN_PLACES: readonly PolicyPath[] = [
  { kind: 'NgrokTrafficPolicy', path: ['spec', 'policy'] },
  { kind: 'CloudEndpoint', path: ['spec', 'trafficPolicy', 'policy'] },
  { kind: 'AgentEndpoint', path: ['spec', 'trafficPolicy', 'inline'] },
  { kind: 'HTTPSEdge', path: ['spec', 'routes', '*', 'policy'] },
  { kind: 'TLSEdge', path: ['spec', 'policy'] },
  { kind: 'TCPEdge', path: ['spec', 'policy'] },
];

/** Returns the nodes of a document at the places that name them. */
export function nodesAt(root: DocumentNode, places: readonly PolicyPath[]): ReadonlySet<DocumentNode> {
  const found = new Set<DocumentNode>();
  for (const { kind, path } of places)
    if (kind === undefined || kind === stringAt(root, 'kind'))
      for (const node of nodesBelow(root, path)) found.add(node);
  return found;
}

function nodesBelow(node: DocumentNode, [step, ...rest]: readonly string[]): readonly DocumentNode[] {
  if (step === undefined) return [node];
  if (node.kind === 'list') {
    const items = step === '*' ? node.items : node.items.slice(Number(step), Number(step) + 1);
    return items.flatMap(item => nodesBelow(item, rest));
  }
  if (node.kind !== 'map') return [];
  return node.entries.flatMap(({ key, value }) => (step === '*' || key === step ? nodesBelow(value, rest) : []));
}

const ENDPOINTS: Readonly<Record<string, EndpointKind>> = {
  HTTPSEdge: 'https-route',
  TLSEdge: 'tls-edge',
  TCPEdge: 'tcp-edge',
};

/** Returns the kind of endpoint that a map states, by its kind or the scheme of its URL. */
export function endpointOf(map: MapNode): EndpointKind | undefined {
  const kind = stringAt(map, 'kind');
  if (kind !== undefined && Object.hasOwn(ENDPOINTS, kind)) return ENDPOINTS[kind];
  const scheme = /^(tcp|tls):\/\//.exec(stringAt(map, 'url') ?? '')?.[1];
  if (scheme === undefined) return undefined;
  return scheme === 'tcp' ? 'tcp-endpoint' : 'tls-endpoint';
}

function stringAt(node: DocumentNode, key: string): string | undefined {
  const value = node.kind === 'map' ? entryOf(node, key)?.value : undefined;
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined;
}
