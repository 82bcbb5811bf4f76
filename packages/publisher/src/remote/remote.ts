import type { Canonical } from '../model/canonical.ts';
import type { ModuleName, RecordKind, RecordRef } from '../model/record.ts';
import type { LiveEdges, LiveRecord } from '../plan/live.ts';

/** The API that is published to. Methods never throw for what the network or the server does. */
export interface Remote {
  /** Reads all edges of some kinds, with their routes and modules, in pages. Sends only reads. `seen` gets each page while the next is on its way. */
  readonly list: (kinds: readonly RecordKind[], seen?: SeenPage) => Promise<ReadResult<LiveEdges>>;
  /** Reads a record with its modules. */
  readonly read: (ref: RecordRef) => Promise<ReadResult<TaggedRecord>>;
  /** Waits before something is read again that was out of date: longer each time, `tried` being how often it was. */
  readonly pause: (tried: number) => Promise<void>;
  /** Replaces a module, or removes it if the value is null. Sends exactly one request. */
  readonly write: (write: ModuleWrite) => Promise<WriteAnswer>;
  /** Replaces the metadata of a record. Sends exactly one request. */
  readonly annotate: (annotation: Annotation) => Promise<WriteAnswer>;
}

/** Reads whole edges. */
export interface EdgeReader {
  /**
   * Returns an edge as the API does, in addition with the `traffic_policy` of each route whose `policy` is null: it is null if the route has no
   * policy at all.
   */
  readonly readEdge: (id: string) => Promise<ReadResult<Readonly<Record<string, unknown>>>>;
}

/** Gets the records of a page. */
export type SeenPage = (records: readonly LiveRecord[]) => void;

/** A record and the entity tag of its state; undefined if the server offers none. */
export interface TaggedRecord {
  readonly record: LiveRecord;
  readonly tag: string | undefined;
}

/** A value that was read, or why it could not be. */
export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: RemoteFailure };

/** Why a read failed. `gone`: the record does not exist. */
export interface RemoteFailure {
  readonly kind: 'gone' | 'rejected' | 'unreachable';
  readonly message: string;
}

/** A request to write. */
export interface ModuleWrite {
  readonly ref: RecordRef;
  readonly module: ModuleName;
  readonly value: Canonical;
  /** The tag that the write is conditional on. */
  readonly tag: string | undefined;
}

/** A request to replace metadata. */
export interface Annotation {
  readonly ref: RecordRef;
  readonly metadata: string;
  /** The tag that the write is conditional on. */
  readonly tag: string | undefined;
}

/**
 * How a write ended. `accepted`: the server says that it was done. `rejected`: it was not done. `changed`: the record no longer has the tag.
 * `throttled`: it was not done, because there were too many requests. `unsettled`: it may or may not have been done, now or later.
 */
export type WriteAnswer =
  | {
      readonly kind: 'accepted';
      /** The tag of the record after the write, if the server offers one. */
      readonly tag: string | undefined;
    }
  | { readonly kind: 'rejected' | 'changed' | 'throttled' | 'unsettled'; readonly message: string };
