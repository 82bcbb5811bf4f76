/** A stored record of the configuration. */
export interface StoredRecord {
  /** `<prefix>_<ksuid>`. */
  readonly id: string;
  readonly kind: string;
  readonly parentId: string | null;
  /** A JSON object with encrypted secrets. */
  readonly body: string;
  /** Grows with every change to the record and to records that belong to it. */
  readonly revision: number;
  /** RFC 3339 in UTC, with whole seconds. */
  readonly createdAt: string;
}

/** A value that is unique within a scope, such as a hostport. */
export interface Claim {
  readonly scope: string;
  readonly value: string;
}

/** A record with everything that is stored about it. */
export interface WholeRecord extends StoredRecord {
  readonly refs: readonly string[];
  readonly claims: readonly Claim[];
  /** The event types of a subscription. */
  readonly sources: readonly string[];
}

/** A record to insert, with its references and claims. */
export interface NewRecord extends Omit<StoredRecord, 'revision'> {
  readonly refs: readonly string[];
  readonly claims: readonly Claim[];
}

/** An update of a record. Undefined parts stay unchanged. */
export interface RecordChange {
  readonly id: string;
  readonly body?: string;
  readonly refs?: readonly string[];
  readonly claims?: readonly Claim[];
}

/** A page of a list: the newest records created before the record with this identifier, which need not exist any more. */
export interface Page {
  readonly beforeId: string | undefined;
  readonly limit: number;
}

/** A record with the records that belong to it, oldest first. */
export interface Family {
  readonly record: StoredRecord;
  readonly members: readonly StoredRecord[];
}

/** Reads committed data; within a transaction, also its own writes. */
export interface RecordReader {
  readonly get: (id: string) => Promise<StoredRecord | undefined>;
  /** The cheapest way to find out whether a cached response is still valid. */
  readonly revision: (id: string) => Promise<number | undefined>;
  /** A consistent snapshot. */
  readonly family: (id: string) => Promise<Family | undefined>;
  /** A consistent snapshot. */
  readonly families: (kind: string, page: Page) => Promise<readonly Family[]>;
  readonly page: (kind: string, page: Page) => Promise<readonly StoredRecord[]>;
  /** Returns the kinds of the records that exist. */
  readonly kinds: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Returns at most ten of the records that refer to this one. */
  readonly referrers: (id: string) => Promise<readonly string[]>;
  /** Returns the record that holds the claim. */
  readonly claimant: (claim: Claim) => Promise<string | undefined>;
  readonly count: (kind: string) => Promise<number>;
}

/** Changes records in one transaction. Locks are held until the transaction ends. */
export interface RecordWriter extends RecordReader {
  /** Like `get`, but locks the record until the transaction ends. */
  readonly lock: (id: string) => Promise<StoredRecord | undefined>;
  /** @throws StoreConflict if a claim is taken or a referenced record does not exist */
  readonly insert: (record: NewRecord) => Promise<void>;
  /** Returns the new revision. @throws StoreConflict like `insert` */
  readonly update: (change: RecordChange) => Promise<number>;
  /** Removes a record and all records that belong to it. @throws StoreConflict while another record refers to it */
  readonly remove: (id: string) => Promise<void>;
  /** Replaces the event types of a subscription. */
  readonly setSources: (subscriptionId: string, types: readonly string[]) => Promise<void>;
  /**
   * Reserves a key for the answer to a request, or returns the answer that was kept under it since the given time, in milliseconds since
   * 1970. Waits for other transactions with the same key, and deletes answers that are older.
   */
  readonly reserveAnswer: (key: string, since: number) => Promise<KeptAnswer | undefined>;
  /** Keeps the answer under a key that this transaction has reserved. */
  readonly keepAnswer: (key: string, answer: KeptAnswer) => Promise<void>;
  /** Adds an entry to the record of changes. */
  readonly record: (change: Omit<RecordedChange, 'seq'>) => Promise<void>;
  /** Adds an event to the outbox for each destination that subscribes to its type. Returns true if there is any. */
  readonly publish: (event: OutboxEvent) => Promise<boolean>;
}

/** The stored answer to a request. */
export interface KeptAnswer {
  /** Identifies the request. */
  readonly fingerprint: string;
  readonly status: number;
  /** Encrypted. */
  readonly body: string;
  readonly revision: number | null;
}

/** An entry of the record of changes. */
export interface RecordedChange {
  /** Increasing, in the order of the changes. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The id of the operation in the API, such as `EdgesHttpsUpdate`. */
  readonly operation: string;
  /** The id of the request, as in the log; null for commands on the database. */
  readonly requestId: string | null;
  readonly resourceId: string;
  /** The API key; null for commands on the database. */
  readonly keyId: string | null;
  /** The address of the client; null if there is none. */
  readonly address: string | null;
  /** A JSON object with what the change was, without secrets. */
  readonly detail: string;
}

/** Which changes to read, newest first: before an entry, not older than a time in milliseconds since 1970, and by an API key. */
export interface ChangePage {
  readonly before: number | undefined;
  readonly since: number | undefined;
  readonly key?: string | undefined;
  readonly limit: number;
}

/** The record of changes. */
export interface ChangeLog {
  readonly page: (page: ChangePage) => Promise<readonly RecordedChange[]>;
  /** Deletes entries older than a time, and returns their number. */
  readonly trim: (before: number) => Promise<number>;
}

/** An event about a resource. */
export interface OutboxEvent {
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  /** Returns the event as sent; called only if a destination subscribes to it. */
  readonly body: () => string | Promise<string>;
}

/** An event on its way to a destination. */
export interface Delivery {
  readonly seq: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly resourceId: string;
  readonly destinationId: string;
  readonly body: string;
  /** The number of failed attempts. */
  readonly attempts: number;
}

/** A delivery that was abandoned. */
export interface DeadLetter extends Delivery {
  /** Milliseconds since 1970. */
  readonly deadAt: number;
  readonly lastError: string;
}

/** How a delivery failed and when to retry; never if `retryAt` is undefined. */
export interface DeliveryFailure {
  readonly seq: number;
  readonly error: string;
  readonly now: number;
  readonly retryAt: number | undefined;
}

/** How many deliveries of a destination to lease and for how long. Times are in milliseconds since 1970. */
export interface LeaseRequest {
  readonly destinationId: string;
  readonly now: number;
  readonly until: number;
  readonly limit: number;
}

/** A destination with pending deliveries. */
export interface ReadyDestination {
  readonly destinationId: string;
  /** Milliseconds since 1970. */
  readonly readyAt: number;
}

/** Events that have not been delivered yet. */
export interface Outbox {
  /** Returns the destinations of pending deliveries, each with the time at which its next delivery is ready. */
  readonly ready: () => Promise<readonly ReadyDestination[]>;
  /**
   * Leases deliveries that are ready. For each destination and resource, only the oldest is ready until it is delivered or abandoned.
   */
  readonly lease: (request: LeaseRequest) => Promise<readonly Delivery[]>;
  /**
   * Removes a delivery. The next one of its resource and destination becomes ready at the given time, and is returned; a time in the future
   * leases it.
   */
  readonly delivered: (seq: number, readyAt: number) => Promise<Delivery | undefined>;
  readonly failed: (failure: DeliveryFailure) => Promise<void>;
  readonly pending: () => Promise<number>;
  /** Returns the number of dead letters. */
  readonly dead: () => Promise<number>;
  /** Oldest first. */
  readonly deadLetters: (limit: number) => Promise<readonly DeadLetter[]>;
  /** Queues dead letters again, all of them if `seq` is undefined, and returns their number. */
  readonly requeue: (now: number, seq?: number) => Promise<number>;
  /** Deletes all but the newest dead letters and returns the number of deleted ones. */
  readonly trim: (keep: number) => Promise<number>;
}

/** The maximum delay in milliseconds until a stamp reflects changes by other processes. */
export const FOREIGN_CHANGE_DELAY = 10;

/** The connections to a database, and the transactions that wait for one. */
export interface StoreLoad {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

/** A property of a database. `sealed-test`: a ciphertext that shows whether a process has the encryption keys. */
export type PropertyName = 'sealed-test';

/** The store of the configuration. */
export interface Store extends RecordReader {
  /** Runs work in a transaction, which is committed durably at its end and rolled back if it throws. The work may run more than once. */
  readonly write: <T>(work: (writer: RecordWriter) => Promise<T>) => Promise<T>;
  readonly outbox: Outbox;
  readonly changes: ChangeLog;
  /**
   * Returns a number that changes whenever records may have changed, for caches; undefined if it would cost as much as a read. Reflects
   * changes by this process immediately, and changes by others within {@link FOREIGN_CHANGE_DELAY}.
   */
  readonly stamp: () => number | undefined;
  /** Returns a consistent snapshot of all records, oldest first, for an export. */
  readonly contents: () => Promise<readonly WholeRecord[]>;
  /**
   * Imports these records, all or none. @throws ExternalError `store/not-empty` if the store has records; StoreConflict if the records
   * conflict with each other
   */
  readonly fill: (contents: readonly WholeRecord[]) => Promise<void>;
  /**
   * Copies the store to a new file while it is in use. @throws ExternalError `store/no-backup` if the database has its own backup tools,
   * `store/backup` on failure
   */
  readonly backup: (path: string) => Promise<void>;
  /** Reads, and writes a row that is not part of the configuration. @throws ExternalError if the store cannot */
  readonly check: () => Promise<void>;
  /** Returns the time of the newest kept answer, in milliseconds since 1970; undefined if there is none. */
  readonly latestAnswer: () => Promise<number | undefined>;
  /** Returns a property of the database itself. */
  readonly property: (name: PropertyName) => Promise<string | undefined>;
  readonly setProperty: (name: PropertyName, value: string) => Promise<void>;
  /** Returns true if a record contains the text, which takes a scan of all records. */
  readonly contains: (text: string) => Promise<boolean>;
  /** How busy the connections to the database are. */
  readonly load: () => StoreLoad;
  /** A KSUID that identifies the database permanently. */
  readonly identity: string;
  /** A description of the store without credentials. */
  readonly description: string;
  readonly close: () => Promise<void>;
}

/** Why a record cannot be written. */
export type Conflict =
  | { readonly kind: 'claim-taken'; readonly claim: Claim; readonly by: string | undefined }
  | { readonly kind: 'no-such-record'; readonly ids: readonly string[] }
  | { readonly kind: 'still-referenced'; readonly id: string; readonly by: readonly string[] };

/** A conflict between records, which rolls back the transaction. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
  readonly conflict: Conflict;

  constructor(conflict: Conflict) {
    super(`conflict: ${conflict.kind}`);
    this.conflict = conflict;
  }
}

/**
 * Error codes of SQLite, of the network, and of PostgreSQL: classes 08, 53, 57 and 58 (connection, resources, operator, system), and 25006,
 * which a replica gives for a write.
 */
const FAILURE =
  /^(?:ERR_SQLITE|ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|(?:25006|(?:08|53|57|58)[0-9A-Z]{3})$)/;

/** Messages of `pg` errors without a code. */
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** Returns true if the error means that the database is unavailable, rather than a defect of the program. */
export function isStoreFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (LOST.test(error.message)) return true;
  return 'code' in error && typeof error.code === 'string' && FAILURE.test(error.code);
}
