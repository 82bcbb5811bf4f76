import type { Ledger } from './ledger.ts';

/** How to reach the API. */
export interface Api {
  readonly url: string;
  readonly token: string;
}

/** The parts of a request besides method and path. */
interface Sent {
  readonly body?: object;
  readonly ifMatch?: string;
}

/** Undefined if there is no response: the server may be gone. */
export async function request(
  { url, token }: Api,
  method: string,
  path: string,
  { body, ifMatch }: Sent = {},
): Promise<Response | undefined> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, 'service-version': '2' };
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    // A response counts once it has arrived completely.
    const text = await response.text();
    return new Response(text === '' ? null : text, response);
  } catch {
    return undefined;
  }
}

const WRITERS = 6;
const MOST_EDGES = 60;

/** Changes edges as fast as possible until the server is gone, and calls `acknowledged` after each acknowledged change. */
export async function load(api: Api, ledger: Ledger, acknowledged: () => void): Promise<void> {
  const isTaken = new Set<string>();
  const write = async () => {
    while (await change(api, ledger, isTaken)) acknowledged();
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** Makes one change, whose parts all have its version. */
async function change(api: Api, ledger: Ledger, isTaken: Set<string>): Promise<boolean> {
  const free = ledger.living.filter(id => !isTaken.has(id));
  const id = free[Math.floor(Math.random() * free.length)];
  if (id === undefined || (free.length < MOST_EDGES && Math.random() < 0.3)) return await create(api, ledger);
  isTaken.add(id);
  try {
    return Math.random() < 0.1 ? await remove(api, ledger, id) : await update(api, ledger, id);
  } finally {
    isTaken.delete(id);
  }
}

/** The version is in two scalars and a module, so that a partial write is visible. */
export function bodyOf(version: number): object {
  return {
    description: `v${version}`,
    metadata: `${version}`,
    hostports: [`edge-${version}.example:443`],
    tls_termination: { min_version: version % 2 === 0 ? '1.2' : '1.3' },
  };
}

async function create(api: Api, ledger: Ledger): Promise<boolean> {
  const version = ledger.newVersion();
  ledger.creating(version);
  const response = await request(api, 'POST', '/edges/https', { body: bodyOf(version) });
  if (response === undefined) return false;
  const answer = (await response.json()) as { readonly id: string };
  if (response.status !== 201) throw new Error(`a creation was answered ${response.status} ${JSON.stringify(answer)}`);
  ledger.created(version, answer.id);
  return true;
}

async function update(api: Api, ledger: Ledger, id: string): Promise<boolean> {
  const version = ledger.newVersion();
  ledger.changing(id, version);
  const response = await request(api, 'PATCH', `/edges/https/${id}`, { body: bodyOf(version) });
  if (response === undefined) return false;
  if (response.status !== 200) throw new Error(`a change was answered ${response.status} ${await response.text()}`);
  ledger.changed(id, version);
  return true;
}

async function remove(api: Api, ledger: Ledger, id: string): Promise<boolean> {
  ledger.changing(id, undefined);
  const response = await request(api, 'DELETE', `/edges/https/${id}`);
  if (response === undefined) return false;
  if (response.status !== 204) throw new Error(`a deletion was answered ${response.status} ${await response.text()}`);
  ledger.changed(id, undefined);
  return true;
}
