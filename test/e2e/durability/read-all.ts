import { type Api, bodyOf, request } from './load.ts';

interface Edge {
  readonly id: string;
  readonly description: string;
  readonly metadata: string;
  readonly hostports: readonly string[];
  readonly tls_termination: { readonly min_version: string } | null;
}

interface Page {
  readonly https_edges: readonly Edge[];
  readonly next_page_uri: string | null;
}

/** Returns the version of each edge. Throws for one with parts of two versions. */
export async function readAll(api: Api): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let path: string | undefined = '/edges/https'; path !== undefined; ) {
    const response: Response | undefined = await request(api, 'GET', path);
    if (response?.status !== 200) throw new Error(`the list was answered ${response?.status}`);
    const page = (await response.json()) as Page;
    for (const edge of page.https_edges) found.set(edge.id, versionOf(edge));
    const next: URL | null = page.next_page_uri === null ? null : URL.parse(page.next_page_uri);
    path = next === null ? undefined : `${next.pathname}${next.search}`;
  }
  return found;
}

function versionOf({ id, description, metadata, hostports, tls_termination }: Edge): number {
  const version = Number(metadata);
  const found = { description, metadata, hostports, tls_termination: { min_version: tls_termination?.min_version } };
  if (JSON.stringify(found) !== JSON.stringify(bodyOf(version))) {
    throw new Error(`${id} is half of one version and half of another: ${JSON.stringify(found)}`);
  }
  return version;
}
