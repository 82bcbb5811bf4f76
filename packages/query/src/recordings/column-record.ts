/** Records whose values stand in columns, read as if they were parsed JSON. */
import type { HeaderFacts, HeaderField } from '@tollgate/traffic';
import {
  authorityIn,
  headersInJson,
  isSingle,
  type JsonHeaderRules,
  type ReadState,
  type RecordAccess,
  readerOfPath,
  stringIn,
  type TARGET_AUTHORITIES,
  unusualStatus,
} from '@tollgate/traffic/columns';

/** A record whose values are looked up by input, and which remembers what was looked up. */
export interface ColumnRecord {
  /** Returns JSON data; undefined if there is none. For a header: an object with at most one member. */
  valueOf(input: number): unknown;
  /** Is told that all headers are read, of which only these are known. */
  readAll(object: string): void;
}

/** The inputs that a mapping reads from records. */
export interface ColumnLayout {
  readonly inputs: Inputs;
  /** Members that hold an object of headers, each header of which is an input. */
  readonly objects: ReadonlySet<string>;
  /** Strings that may stand for a header that was not sent. */
  readonly signs: readonly string[];
  /** Whether an object of headers has all of them. */
  readonly isComplete: boolean;
}

/** A header that stands in a record more than once, or in a list: the object or list with nothing but that header. */
export class RepeatedHeader {
  readonly headers: unknown;

  constructor(headers: unknown) {
    this.headers = headers;
  }
}

/** Returns how a mapping reads records of a layout. */
export function columnReading(layout: ColumnLayout): RecordAccess<ColumnRecord> {
  return {
    readerOf: path => (layout.objects.has(path) ? readerOfHeaders(path, layout) : readerOfMembers(path, layout)),
    authorityReaderOf: (path, field) => {
      // There are many targets, and few authorities.
      if (rootsOf(path).length === 1) {
        const number = layout.inputs.numberOf({ kind: 'authority', name: path, field });
        return record => stringIn(record.valueOf(number));
      }
      const read = readerOfMembers(path, layout);
      return record => authorityIn(read(record), field);
    },
    unusualStatusReaderOf: path => {
      // The statuses of most records need not be told apart.
      if (rootsOf(path).length === 1) {
        const number = layout.inputs.numberOf({ kind: 'unusual-status', name: path });
        return record => record.valueOf(number);
      }
      const read = readerOfMembers(path, layout);
      return record => unusualStatus(read(record));
    },
    startReaderOf: ({ times, duration }) => {
      if (duration !== undefined) throw new UnsupportedQueryError('times are computed from durations');
      const number = layout.inputs.numberOf({ kind: 'start', times });
      return record => record.valueOf(number) as number | undefined;
    },
    readOthers: record => record.valueOf(layout.inputs.numberOf({ kind: 'others' })),
    headersIn: (value, rules, state) =>
      value instanceof HeadersHandle ? value.facts(rules, state) : headersInJson(value, rules, state),
  };
}

function readerOfMembers(path: string, layout: ColumnLayout): (record: ColumnRecord) => unknown {
  const { inputs } = layout;
  const names = rootsOf(path);
  const numbers = names.map(name => inputs.numberOf({ kind: 'member', name }));
  const [only] = numbers;
  if (numbers.length === 1) return record => record.valueOf(only!);
  const read = readerOfPath(path);
  return record => read(Object.fromEntries(names.map((name, at) => [name, record.valueOf(numbers[at]!)])));
}

/** Returns the members that a dot path may begin with: of `a.b.c`, these are `a.b.c`, `a` and `a.b`. */
export function rootsOf(path: string): readonly string[] {
  const parts = path.split('.');
  return [path, ...parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'))];
}

function readerOfHeaders(object: string, { inputs }: ColumnLayout): (record: ColumnRecord) => unknown {
  const presence = inputs.numberOf({ kind: 'presence', object });
  const of = new HeadersOf(object, inputs);
  return record => (record.valueOf(presence) === true ? new HeadersHandle(record, of) : undefined);
}

/** The inputs of an object of headers. */
class HeadersOf {
  readonly object: string;
  readonly #inputs: Inputs;
  readonly #numbers = new Map<string, { readonly sent: number; readonly value: () => number }>();

  constructor(object: string, inputs: Inputs) {
    this.object = object;
    this.#inputs = inputs;
  }

  numbersOf(name: string): { readonly sent: number; readonly value: () => number } {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const { object } = this;
    let value: number | undefined;
    const numbers = {
      sent: this.#inputs.numberOf({ kind: 'sent', object, name }),
      value: () => {
        value ??= this.#inputs.numberOf({ kind: 'header', object, name });
        return value;
      },
    };
    this.#numbers.set(name, numbers);
    return numbers;
  }

  /** Names in lower case. */
  get known(): readonly string[] {
    return [...this.#numbers.keys()];
  }
}

/** An object of headers in a record. */
class HeadersHandle {
  readonly #record: ColumnRecord;
  readonly #of: HeadersOf;

  constructor(record: ColumnRecord, of: HeadersOf) {
    this.#record = record;
    this.#of = of;
  }

  facts(rules: JsonHeaderRules, state: ReadState): HeaderFacts {
    return new ColumnHeaders({ record: this.#record, state }, this.#of, rules);
  }
}

class ColumnHeaders implements HeaderFacts {
  readonly complete: boolean;
  readonly mayBeComplete?: boolean;
  readonly #record: ColumnRecord;
  readonly #of: HeadersOf;
  readonly #rules: JsonHeaderRules;
  readonly #state: ReadState;

  constructor(
    { record, state }: { readonly record: ColumnRecord; readonly state: ReadState },
    of: HeadersOf,
    rules: JsonHeaderRules,
  ) {
    const { complete } = rules;
    this.#record = record;
    this.#state = state;
    this.#of = of;
    this.#rules = rules;
    this.complete = complete;
    if (!complete) this.mayBeComplete = true;
  }

  get fields(): readonly HeaderField[] {
    this.#record.readAll(this.#of.object);
    return this.#of.known.flatMap(name => (this.valuesOf(name) === undefined ? [] : [this.#field(name)]));
  }

  #field(name: string): HeaderField {
    const values = () => this.#read(name);
    return {
      name,
      get value() {
        return values()?.[0] ?? '';
      },
    };
  }

  /** That a header was sent is all that many conditions ask for, so its value is read when it is looked at. */
  valuesOf(lowerCase: string): string[] | undefined {
    const sent = this.#record.valueOf(this.#of.numbersOf(lowerCase).sent);
    if (sent === undefined) return undefined;
    const values = () => this.#read(lowerCase);
    // A server that stopped before the end of the headers may have read one of several values.
    if (sent !== 'one' || (!isSingle(lowerCase) && this.#state.isRefused)) return values();
    return Object.defineProperty([''], 0, { get: () => values()?.[0] ?? '', enumerable: true });
  }

  get withheld(): readonly string[] {
    return [...(this.#rules.withheld ?? []), ...this.#of.known.filter(name => this.isWithheld(name))];
  }

  isWithheld(lowerCase: string): boolean {
    return this.#rules.complete && this.#rules.withheld?.includes(lowerCase) === true;
  }

  isAbsent(lowerCase: string): boolean {
    return this.#isOther(lowerCase) && this.#factsOf(lowerCase)?.absent.includes(lowerCase) === true;
  }

  get absent(): readonly string[] {
    return this.#of.known.flatMap(name => (this.#isOther(name) ? (this.#factsOf(name)?.absent ?? []) : []));
  }

  get unclear(): ReadonlyMap<string, string> {
    return new Map(
      this.#of.known.flatMap(name => {
        const written = this.unclearOf(name);
        return written === undefined ? [] : [[name, written] as const];
      }),
    );
  }

  unclearOf(lowerCase: string): string | undefined {
    return this.#isOther(lowerCase) ? this.#factsOf(lowerCase)?.unclear?.get(lowerCase) : undefined;
  }

  /** Headers with one certain value are most of all. */
  #isOther(name: string): boolean {
    const sent = this.#record.valueOf(this.#of.numbersOf(name).sent);
    return sent !== undefined && sent !== 'one';
  }

  #factsOf(lowerCase: string): HeaderFacts | undefined {
    const value = this.#record.valueOf(this.#of.numbersOf(lowerCase).value());
    if (value === undefined) return undefined;
    return headersInJson(
      value instanceof RepeatedHeader ? value.headers : { [lowerCase]: value },
      this.#rules,
      this.#state,
    );
  }

  #read(lowerCase: string): string[] | undefined {
    const found = this.#factsOf(lowerCase)?.fields ?? [];
    return found.length === 0 ? undefined : found.map(field => field.value);
  }
}

/** A value of a record that fits in one column. */
export type Input =
  | { readonly kind: 'member'; readonly name: string }
  /** The value of one header in an object of headers. */
  | { readonly kind: 'header'; readonly object: string; readonly name: string }
  /** Whether a header was sent: `one` value that certainly was, or `several` or another form, which only the value shows. */
  | { readonly kind: 'sent'; readonly object: string; readonly name: string }
  /** Whether a member has an object of headers. */
  | { readonly kind: 'presence'; readonly object: string }
  /** The authority of a member with a request target or a request line that has a whole URL. */
  | { readonly kind: 'authority'; readonly name: string; readonly field: keyof typeof TARGET_AUTHORITIES }
  /** Nothing, read where all members that a server may have matter. */
  | { readonly kind: 'others' }
  /** The time in the first of some members that has one; see `startIn`. */
  | { readonly kind: 'start'; readonly times: readonly string[] }
  /** The status of a request that may have been refused before all of its headers were read; see {@link unusualStatus}. */
  | { readonly kind: 'unusual-status'; readonly name: string };

/** Numbers for the inputs that anything reads, in the order in which they were first read. */
export class Inputs {
  readonly #numbers = new Map<string, number>();
  readonly #all: Input[] = [];
  readonly #headers = new Map<number, number>();

  get all(): readonly Input[] {
    return this.#all;
  }

  numberOf(input: Input): number {
    const key = JSON.stringify(input);
    const known = this.#numbers.get(key) ?? this.#all.length;
    if (known === this.#all.length) this.#all.push(input);
    this.#numbers.set(key, known);
    return known;
  }

  /** Returns the number of the value of a header of which an input tells whether it was sent; undefined if nothing reads it. */
  headerOf(input: number): number | undefined {
    const known = this.#headers.get(input);
    if (known !== undefined) return known;
    const { kind, ...header } = this.#all[input]!;
    const found = kind === 'sent' ? this.#numbers.get(JSON.stringify({ kind: 'header', ...header })) : undefined;
    if (found !== undefined) this.#headers.set(input, found);
    return found;
  }
}

/** Why an engine cannot replay the traffic exactly as `replay` does; a noun phrase or clause for messages. Not a fault of the user. */
export class UnsupportedQueryError extends Error {}

/** Headers do not fit in columns of their own; objects of headers can still be read whole. */
export class UnsupportedHeadersError extends UnsupportedQueryError {}
