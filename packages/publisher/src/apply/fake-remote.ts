import type { Canonical } from '../model/canonical.ts';
import { MODULES, type ModuleName, type RecordRef, recordKey } from '../model/record.ts';
import { wireModule } from '../model/wire.ts';
import { type LiveEdges, type LiveRecord, modulesOf } from '../plan/live.ts';
import type { ModuleWrite, ReadResult, Remote, TaggedRecord, WriteAnswer } from '../remote/remote.ts';

/**
 * What happens to a request on its way. `lost`: it never arrives. `unanswered`: only the response is lost. `late`: it arrives after a later
 * request. `accepted-lost`: something on the way accepts it and drops it. `damaged`: the response is not what was sent.
 */
export type Fault = 'none' | 'lost' | 'unanswered' | 'late' | 'rejected' | 'accepted-lost' | 'unreadable' | 'damaged';

interface Held {
  revision: number;
  readonly modules: Record<ModuleName, Canonical>;
}

const UNSETTLED = { kind: 'unsettled', message: 'no response' } as const;

/** A remote in memory, for tests of what uses one. */
export class FakeRemote implements Remote {
  readonly #held: Map<string, Held>;
  readonly #refs: readonly RecordRef[];
  readonly #late: ModuleWrite[] = [];
  readonly #next: (request: 'read' | 'write') => Fault;
  #damages = 0;
  /** The number of writes that took effect. */
  writes = 0;

  /** @param next returns the fault of the next request */
  constructor(
    records: readonly (readonly [RecordRef, Partial<Record<ModuleName, Canonical>>])[],
    next: (request: 'read' | 'write') => Fault = () => 'none',
  ) {
    const none = { policy: null, webhook_verification: null, ip_restriction: null };
    this.#refs = records.map(([ref]) => ref);
    this.#held = new Map(
      records.map(([ref, modules]) => [recordKey(ref), { revision: 1, modules: { ...none, ...modules } }]),
    );
    this.#next = next;
  }

  held(ref: RecordRef, module: ModuleName): Canonical {
    return this.#at(ref).modules[module];
  }

  /** Changes a module as somebody else. */
  change(ref: RecordRef, module: ModuleName, value: Canonical): void {
    const one = this.#at(ref);
    one.revision += 1;
    one.modules[module] = value;
  }

  /** Lets the requests arrive that are still on their way. */
  arrive(): void {
    for (const write of this.#late.splice(0)) this.#act(write);
  }

  async list(): Promise<ReadResult<LiveEdges>> {
    return { ok: true, value: { kinds: [], records: this.#refs.map(ref => this.#record(ref)) } };
  }

  async read(ref: RecordRef): Promise<ReadResult<TaggedRecord>> {
    const fault = this.#next('read');
    if (fault === 'late') this.arrive();
    if (fault === 'unreadable') return { ok: false, failure: { kind: 'unreachable', message: 'no response' } };
    const record = fault === 'damaged' ? this.#damaged(ref) : this.#record(ref);
    return { ok: true, value: { record, tag: this.#tag(ref) } };
  }

  async write(write: ModuleWrite): Promise<WriteAnswer> {
    const fault = this.#next('write');
    if (fault === 'rejected') return { kind: 'rejected', message: 'no' };
    if (fault === 'accepted-lost') return { kind: 'accepted' };
    if (fault === 'late') this.#late.push(write);
    if (fault === 'late' || fault === 'lost') return UNSETTLED;
    const isDone = this.#act(write);
    if (fault === 'unanswered') return UNSETTLED;
    return isDone ? { kind: 'accepted' } : { kind: 'changed', message: 'changed' };
  }

  #act({ ref, module, value, tag }: ModuleWrite): boolean {
    if (tag !== undefined && tag !== this.#tag(ref)) return false;
    this.writes += 1;
    this.change(ref, module, value);
    return true;
  }

  #at(ref: RecordRef): Held {
    return this.#held.get(recordKey(ref))!;
  }

  #tag(ref: RecordRef): string {
    return `"${this.#at(ref).revision}"`;
  }

  #record(ref: RecordRef): LiveRecord {
    return { ref, hostports: [], route: undefined, modules: modulesOf(wireModules(this.#at(ref).modules)) };
  }

  #damaged(ref: RecordRef): LiveRecord {
    const name = `damaged ${++this.#damages}`;
    const body = { ip_policy_ids: [name], inbound: [{ name }] };
    return {
      ...this.#record(ref),
      modules: modulesOf({ policy: body, webhook_verification: body, ip_restriction: body }),
    };
  }
}

/** Returns canonical modules as the API returns them. */
function wireModules(modules: LiveRecord['modules']): Readonly<Record<string, unknown>> {
  const entries = MODULES.map(module => {
    const value = modules[module];
    return [module, value === null ? null : wireModule(module, value).body] as const;
  });
  return Object.fromEntries(entries);
}
