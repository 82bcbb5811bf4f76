import { type Api, request } from './load.ts';

/** An edge in the form that the API returns. */
interface Edge {
  readonly id: string;
  readonly description: string;
  readonly metadata: string;
  readonly hostports: readonly string[];
  readonly tls_termination: { readonly min_version: string } | null;
}

/** A part of an edge that only one process replaces, while others replace other parts. */
interface Part {
  readonly body: (step: number) => object;
  readonly read: (edge: Edge) => string | undefined;
  readonly expected: (step: number) => string;
}

/** One part for each process. */
export const PARTS: readonly Part[] = [
  { body: step => ({ description: `d${step}` }), read: edge => edge.description, expected: step => `d${step}` },
  {
    body: step => ({ hostports: [`h${step}.example:443`] }),
    read: edge => edge.hostports[0],
    expected: step => `h${step}.example:443`,
  },
  {
    body: step => ({ tls_termination: { min_version: versionOf(step) } }),
    read: edge => edge.tls_termination?.min_version,
    expected: versionOf,
  },
];

function versionOf(step: number): string {
  return step % 2 === 0 ? '1.2' : '1.3';
}

export async function newEdge(api: Api): Promise<string> {
  const response = await request(api, 'POST', '/edges/https', {
    body: { hostports: ['h.example:443'], metadata: '0' },
  });
  const { id } = (await response!.json()) as Edge;
  return id;
}

export async function edgeAt(api: Api, path: string): Promise<Edge> {
  const response = await request(api, 'GET', path);
  return (await response!.json()) as Edge;
}

/** Replaces one part repeatedly, regardless of the others. Returns the last value written. */
export async function replaceRepeatedly(api: Api, path: string, part: number, times: number): Promise<string> {
  const { body, expected } = PARTS[part]!;
  for (let step = 1; step <= times; step++) {
    const response = await request(api, 'PATCH', path, { body: body(step) });
    if (response?.status !== 200) throw new Error(`a change was answered ${response?.status}`);
  }
  return expected(times);
}

/** Increments a number repeatedly, always from the value it has read: `If-Match` prevents lost updates. */
export async function incrementRepeatedly(api: Api, path: string, times: number): Promise<void> {
  for (let done = 0; done < times; ) {
    const read = await request(api, 'GET', path);
    const { metadata } = (await read!.json()) as Edge;
    const ifMatch = read!.headers.get('etag') ?? '';
    const response = await request(api, 'PATCH', path, { body: { metadata: `${Number(metadata) + 1}` }, ifMatch });
    if (response?.status === 200) done += 1;
    else if (response?.status !== 412) throw new Error(`a change was answered ${response?.status}`);
  }
}
