import { EDGE_V2 } from '@tollgate/catalog';
import type { Range, SourceText } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  documentLimits,
  entryOf,
  type MapNode,
  maxDiagnostics,
  Reporter,
} from '../document/document-node.ts';
import { readDocuments } from '../document/read-document.ts';
import type { PartPath } from '../document/select-part.ts';

/** An edge of the Edge Configuration API as a document, with its policies. */
export interface EdgeDocument {
  readonly endpoint: 'https-route' | 'tls-edge' | 'tcp-edge';
  /** The policies of its routes, or its own. */
  readonly policies: readonly EdgePolicy[];
  /** The value of the key `terminate_at`, if present. */
  readonly termination: { readonly at: string; readonly range: Range } | undefined;
}

/** A policy inside an edge. */
export interface EdgePolicy {
  readonly part: PartPath;
  /** The range of its key. */
  readonly keyRange: Range;
}

const LOOKS_LIKE_EDGE = /["']?(?:match_type|hostports)["']?\s*:/;

/** Reads an edge as the API returns it. Undefined for any other document, and for one with syntax errors. */
export function readEdgeDocument(source: SourceText): EdgeDocument | undefined {
  if (!LOOKS_LIKE_EDGE.test(source.text)) return undefined;
  const reporter = new Reporter(source.uri, maxDiagnostics(EDGE_V2));
  const { documents } = readDocuments(source, { limits: documentLimits(EDGE_V2), reporter });
  const [root, second] = documents;
  if (root?.kind !== 'map' || second || !reporter.isEmpty) return undefined;
  const routes = listOf(root, 'routes');
  if (!routes && !listOf(root, 'hostports')) return undefined;
  if (routes?.some(route => route.kind !== 'map' || !entryOf(route, 'match'))) return undefined;
  const termination = terminationOf(root);
  if (routes) {
    const policies = routes.flatMap((route, index) => policyOf(route as MapNode, ['routes', String(index)]));
    return { endpoint: 'https-route', policies, termination };
  }
  const isTls = entryOf(root, 'tls_termination') !== undefined || entryOf(root, 'mutual_tls') !== undefined;
  return { endpoint: isTls ? 'tls-edge' : 'tcp-edge', policies: policyOf(root, []), termination };
}

function listOf(map: MapNode, key: string): readonly DocumentNode[] | undefined {
  const value = entryOf(map, key)?.value;
  return value?.kind === 'list' ? value.items : undefined;
}

/** The API names the module `policy`, and `traffic_policy` in later versions. */
function policyOf(map: MapNode, steps: readonly string[]): readonly EdgePolicy[] {
  return ['policy', 'traffic_policy'].flatMap(key => {
    const entry = entryOf(map, key);
    if (entry?.value.kind !== 'map') return [];
    return [{ part: { document: undefined, steps: [...steps, key] }, keyRange: entry.keyRange }];
  });
}

function terminationOf(root: MapNode): EdgeDocument['termination'] {
  const module = entryOf(root, 'tls_termination')?.value;
  const at = module?.kind === 'map' ? entryOf(module, 'terminate_at')?.value : undefined;
  return at?.kind === 'scalar' && typeof at.value === 'string' ? { at: at.value, range: at.range } : undefined;
}
