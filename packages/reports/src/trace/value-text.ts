// Values in CEL notation, truncated.

import {
  CelDouble,
  CelMap,
  CelUint,
  CidrRange,
  Duration,
  EvaluationError,
  IpAddress,
  Optional,
  Timestamp,
  TypeValue,
  toHost,
  Unknown,
} from '@tollgate/cel';
import { cidrToString, ipToString, printLiteral, wholeOf } from '@tollgate/cel/tooling';

/** Default maximum length of a value, in UTF-16 code units. */
const MAX_LENGTH = 2000;

/** Returns a tagged value in CEL notation where it has one, truncated with `…`. The cost depends only on the length of the result. */
export function valueText(value: unknown, most = MAX_LENGTH): string {
  const writer = new Writer(most);
  writer.write(value);
  return writer.finish();
}

/** A string with a maximum length. */
class Writer {
  #text = '';
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#text.length > this.#most;
  }

  finish(): string {
    if (!this.isFull) return this.#text;
    // Do not split a surrogate pair.
    return `${this.#text.slice(0, this.#most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
  }

  write(value: unknown): void {
    if (Array.isArray(value)) this.#enclose('[', value, ']', item => this.write(item));
    else if (value instanceof Map) this.#enclose('{', value, '}', ([key, member]) => this.#entry(value, key, member));
    else if (isPlainObject(value)) this.#object(value);
    else this.#text += this.#scalar(value);
  }

  #enclose<T>(open: string, items: Iterable<T>, close: string, write: (item: T) => void): void {
    this.#text += open;
    let isFirst = true;
    for (const item of items) {
      if (this.isFull) return;
      if (!isFirst) this.#text += ', ';
      isFirst = false;
      write(item);
    }
    this.#text += close;
  }

  #entry(map: Map<unknown, unknown>, key: unknown, member: unknown): void {
    const isUint = map instanceof CelMap && typeof key !== 'string' && map.uintKeys?.has(key as number) === true;
    this.write(isUint ? new CelUint(key as number) : key);
    this.#text += ': ';
    this.write(member);
  }

  /** A partially recorded map may contain more. */
  #object(value: object): void {
    const known = Object.entries(value).filter(([, member]) => member !== undefined);
    const isPartial = wholeOf(value) !== undefined;
    const entries: readonly (readonly [string, unknown])[] = isPartial ? [...known, MORE] : known;
    this.#enclose('{', entries, '}', entry => {
      if (entry === MORE) {
        this.#text += '…';
        return;
      }
      this.write(entry[0]);
      this.#text += ': ';
      this.write(entry[1]);
    });
  }

  #scalar(value: unknown): string {
    if (typeof value === 'string') return printLiteral({ type: 'string', value: value.slice(0, this.#most) });
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return printLiteral({ type: 'double', value });
    if (value instanceof CelDouble) return printLiteral({ type: 'double', value: value.value });
    if (value instanceof CelUint) return printLiteral({ type: 'uint', value: value.value });
    if (value instanceof Uint8Array) return printLiteral({ type: 'bytes', value: value.subarray(0, this.#most) });
    if (value instanceof Timestamp) return `timestamp("${toHost(value)}")`;
    if (value instanceof Duration) return `duration("${toHost(value)}")`;
    if (value instanceof TypeValue) return value.name;
    if (value instanceof IpAddress) return `ip("${ipToString(value)}")`;
    if (value instanceof CidrRange) return `cidr("${cidrToString(value)}")`;
    if (value instanceof Optional) return this.#optional(value);
    if (value instanceof Unknown) return 'unknown';
    if (value instanceof EvaluationError) return `error: ${value.message}`;
    return String(value);
  }

  #optional({ value }: Optional): string {
    return value === undefined ? 'optional.none()' : `optional.of(${valueText(value, this.#most)})`;
  }
}

const MORE = ['', undefined] as const;

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || wholeOf(value) !== undefined;
}
