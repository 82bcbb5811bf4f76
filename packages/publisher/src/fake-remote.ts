// A remote in memory for tests, which loses, delays and repeats requests as a network does.

import { type LiveEdges, type LiveRecord, modulesOf } from './live.ts';
import { type Canonical, MODULES, type ModuleName, type RecordRef, recordKey, wireModule } from './module.ts';
import type { Annotation, ModuleWrite, ReadResult, Remote, TaggedRecord, WriteAnswer } from './remote.ts';

/**
 * What happens to a request on its way. `lost`: it never arrives. `unanswered`: only the response is lost. `late`: it arrives after a later
 * request. `accepted-lost`: something on the way accepts it and drops it. `damaged`: the response is not what was sent. `stale`: it is what the
 * record was before its last change.
 */
export type Fault =
  | 'none'
  | 'lost'
  | 'unanswered'
  | 'late'
  | 'rejected'
  | 'accepted-lost'
  | 'unreadable'
  | 'damaged'
  | 'stale';

/** The kinds of requests. */
export type RequestKind = 'read' | 'write' | 'annotate';

interface Held {
  revision: number;
  metadata: string;
  readonly modules: Record<ModuleName, Canonical>;
}

const UNSETTLED = { kind: 'unsettled', message: 'no response' } as const;

/** A remote in memory, for tests of what uses one. */
export class FakeRemote implements Remote {
  readonly #held: Map<string, Held>;
  readonly #refs: readonly RecordRef[];
  readonly #late: (ModuleWrite | Annotation)[] = [];
  readonly #former = new Map<string, Held>();
  readonly #next: (request: RequestKind) => Fault;
  #damages = 0;
  /** The number of writes that took effect. */
  writes = 0;

  /** @param next returns the fault of the next request */
  constructor(
    records: readonly (readonly [RecordRef, Partial<Record<ModuleName, Canonical>>])[],
    next: (request: RequestKind) => Fault = () => 'none',
  ) {
    const none = { policy: null, webhook_verification: null, ip_restriction: null };
    this.#refs = records.map(([ref]) => ref);
    this.#held = new Map(
      records.map(([ref, modules]) => [
        recordKey(ref),
        { revision: 1, metadata: '', modules: { ...none, ...modules } },
      ]),
    );
    this.#next = next;
  }

  held(ref: RecordRef, module: ModuleName): Canonical {
    return this.#at(ref).modules[module];
  }

  /** Changes a module as somebody else. */
  change(ref: RecordRef, module: ModuleName, value: Canonical): void {
    this.#keep(ref);
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
    const held = (fault === 'stale' ? this.#former.get(recordKey(ref)) : undefined) ?? this.#at(ref);
    const record = fault === 'damaged' ? this.#damaged(ref) : this.#record(ref, held);
    return { ok: true, value: { record, tag: tagOf(held) } };
  }

  async pause(): Promise<void> {}

  async write(write: ModuleWrite): Promise<WriteAnswer> {
    return this.#send(write, this.#next('write'));
  }

  async annotate(annotation: Annotation): Promise<WriteAnswer> {
    return this.#send(annotation, this.#next('annotate'));
  }

  #send(write: ModuleWrite | Annotation, fault: Fault): WriteAnswer {
    if (fault === 'rejected') return { kind: 'rejected', message: 'no' };
    if (fault === 'accepted-lost') return { kind: 'accepted', tag: undefined };
    if (fault === 'late') this.#late.push(write);
    if (fault === 'late' || fault === 'lost') return UNSETTLED;
    const isDone = this.#act(write);
    if (fault === 'unanswered') return UNSETTLED;
    return isDone ? { kind: 'accepted', tag: tagOf(this.#at(write.ref)) } : { kind: 'changed', message: 'changed' };
  }

  #act(write: ModuleWrite | Annotation): boolean {
    const { ref, tag } = write;
    if (tag !== undefined && tag !== tagOf(this.#at(ref))) return false;
    if ('metadata' in write) {
      this.#keep(ref);
      const one = this.#at(ref);
      one.revision += 1;
      one.metadata = write.metadata;
    } else {
      this.writes += 1;
      this.change(ref, write.module, write.value);
    }
    return true;
  }

  #keep(ref: RecordRef): void {
    const one = this.#at(ref);
    this.#former.set(recordKey(ref), { ...one, modules: { ...one.modules } });
  }

  #at(ref: RecordRef): Held {
    return this.#held.get(recordKey(ref))!;
  }

  #record(ref: RecordRef, { modules, metadata }: Held = this.#at(ref)): LiveRecord {
    return { ref, hostports: [], route: undefined, modules: modulesOf(wireModules(modules)), metadata };
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

function tagOf({ revision }: Held): string {
  return `"${revision}"`;
}

/** Returns canonical modules as the API returns them. */
function wireModules(modules: LiveRecord['modules']): Readonly<Record<string, unknown>> {
  const entries = MODULES.map(module => {
    const value = modules[module];
    return [module, value === null ? null : wireModule(module, value).body] as const;
  });
  return Object.fromEntries(entries);
}
