/** A record of the configuration as it is kept. */
export interface StoredRecord {
  /** `<prefix>_<ksuid>`. */
  readonly id: string;
  readonly kind: string;
  readonly parentId: string | null;
  /** A JSON object; its secrets are sealed. */
  readonly body: string;
  /** Grows with every change of the record, and of what belongs to it. */
  readonly revision: number;
  /** RFC 3339, whole seconds, UTC. */
  readonly createdAt: string;
}

/** A value that only one record of the scope may have, such as a hostport. */
export interface Claim {
  readonly scope: string;
  readonly value: string;
}

/** A record with all that is kept about it. */
export interface WholeRecord extends StoredRecord {
  readonly refs: readonly string[];
  readonly claims: readonly Claim[];
  /** Event types, of a subscription. */
  readonly sources: readonly string[];
}

/** A record to be kept, with what it refers to and claims. */
export interface NewRecord extends Omit<StoredRecord, 'revision'> {
  readonly refs: readonly string[];
  readonly claims: readonly Claim[];
}

/** What a record is to be from now on. What is undefined stays. */
export interface RecordChange {
  readonly id: string;
  readonly body?: string;
  readonly refs?: readonly string[];
  readonly claims?: readonly Claim[];
}

/** A part of a list: newest first, made before the record of that identifier, whether or not it is still there. */
export interface Page {
  readonly beforeId: string | undefined;
  readonly limit: number;
}

/** A record with those that belong to it, oldest first. */
export interface Family {
  readonly record: StoredRecord;
  readonly members: readonly StoredRecord[];
}

/** Reads what is committed; within a write, also what it has written itself. */
export interface RecordReader {
  readonly get: (id: string) => Promise<StoredRecord | undefined>;
  /** The cheapest way to learn whether an answer made before still holds. */
  readonly revision: (id: string) => Promise<number | undefined>;
  /** All as of one moment. */
  readonly family: (id: string) => Promise<Family | undefined>;
  /** All as of one moment. */
  readonly families: (kind: string, page: Page) => Promise<readonly Family[]>;
  readonly page: (kind: string, page: Page) => Promise<readonly StoredRecord[]>;
  /** The kind of each of the records that exist. */
  readonly kinds: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Some of the records that refer to this one, ten at most. */
  readonly referrers: (id: string) => Promise<readonly string[]>;
  /** Which record has claimed the value. */
  readonly claimant: (claim: Claim) => Promise<string | undefined>;
  readonly count: (kind: string) => Promise<number>;
}

/** Changes records, in one transaction. Locks that it takes hold until the transaction ends. */
export interface RecordWriter extends RecordReader {
  /** As `get`, and no other transaction changes the record before this one ends. */
  readonly lock: (id: string) => Promise<StoredRecord | undefined>;
  /** @throws StoreConflict when a claim is taken or a reference leads nowhere */
  readonly insert: (record: NewRecord) => Promise<void>;
  /** Gives the new revision. @throws StoreConflict as `insert` */
  readonly update: (change: RecordChange) => Promise<number>;
  /** With all that belong to it. @throws StoreConflict while another record refers to it */
  readonly remove: (id: string) => Promise<void>;
  /** Which event types a subscription is for, from now on. */
  readonly setSources: (subscriptionId: string, types: readonly string[]) => Promise<void>;
  /** Puts an event into the outbox, once for each destination that a subscription sends its type to. Says whether there is any. */
  readonly publish: (event: OutboxEvent) => Promise<boolean>;
}

/** Something that has happened to a resource. */
export interface OutboxEvent {
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  /** The whole event as it is sent; asked for only when somebody wants it. */
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
  /** Failed ones. */
  readonly attempts: number;
}

/** A delivery that was given up. */
export interface DeadLetter extends Delivery {
  /** Milliseconds since 1970. */
  readonly deadAt: number;
  readonly lastError: string;
}

/** How a delivery failed, and when to try again; never, when `retryAt` is undefined. */
export interface DeliveryFailure {
  readonly seq: number;
  readonly error: string;
  readonly now: number;
  readonly retryAt: number | undefined;
}

/** How many deliveries to take, and for how long. Times in milliseconds since 1970. */
export interface LeaseRequest {
  readonly now: number;
  readonly until: number;
  readonly limit: number;
}

/** The events that are still to be delivered. */
export interface Outbox {
  /**
   * Takes deliveries that are due, for itself alone until the lease ends. Of those to one destination about one resource
   * only ever the oldest: the next is to be had when that is done or given up.
   */
  readonly lease: (request: LeaseRequest) => Promise<readonly Delivery[]>;
  readonly delivered: (seq: number) => Promise<void>;
  readonly failed: (failure: DeliveryFailure) => Promise<void>;
  /** When the next delivery falls due; undefined when there is none. */
  readonly nextDue: () => Promise<number | undefined>;
  readonly pending: () => Promise<number>;
  /** Oldest first. */
  readonly deadLetters: (limit: number) => Promise<readonly DeadLetter[]>;
  /** Delivers dead letters again, all of them without `seq`. Gives how many. */
  readonly requeue: (now: number, seq?: number) => Promise<number>;
  /** Forgets all but the newest dead letters. Gives how many went. */
  readonly trim: (keep: number) => Promise<number>;
}

/** After how many milliseconds a stamp tells changes that other processes have made. */
export const FOREIGN_CHANGE_DELAY = 10;

/** Where the configuration is kept. */
export interface Store extends RecordReader {
  /** Commits what the work has done when it is done, durably; nothing of it when it throws. The work may be run again. */
  readonly write: <T>(work: (writer: RecordWriter) => Promise<T>) => Promise<T>;
  readonly outbox: Outbox;
  /**
   * A number that changes when records may have changed, for those who keep what they have read; undefined where asking would
   * cost as much as reading. Tells changes of this process at once, those of others after {@link FOREIGN_CHANGE_DELAY} at most.
   */
  readonly stamp: () => number | undefined;
  /** All records as of one moment, oldest first, for an export. */
  readonly contents: () => Promise<readonly WholeRecord[]>;
  /**
   * Takes these records, all or none. @throws ExternalError `store/not-empty` when it has records already; StoreConflict when they do
   * not fit together
   */
  readonly fill: (contents: readonly WholeRecord[]) => Promise<void>;
  /**
   * Copies the store into a new file while it is in use. @throws ExternalError `store/no-backup` where the database has tools of its own for
   * that, `store/backup` when it fails
   */
  readonly backup: (path: string) => Promise<void>;
  /** Throws a ExternalError when the store does not answer. */
  readonly check: () => Promise<void>;
  /** A KSUID that was made with the database and stays with it. */
  readonly identity: string;
  /** For people: which store, without credentials. */
  readonly description: string;
  readonly close: () => Promise<void>;
}
