import { type HeaderFacts, type HeaderField, NO_HEADER_KNOWN, type UnclearHeaders } from '../exchange/exchange.ts';

/** What stands for a header that was not sent, in one recording. */
export interface Absence {
  /** Strings that mean it. */
  readonly absent: readonly string[];
  /** Strings that the server writes for it, and equally for a header with this value. */
  readonly unclear: readonly string[];
}

/** Logs of unknown servers, and records with names of their own: nearly all servers write one of these. */
export const USUAL_SIGNS: readonly string[] = ['-', ''];

/** Returns what stands for a header that was not sent: what the user says, or else the strings that the format uses, which are unclear. */
export function absenceOf(signs: readonly string[], said: readonly string[] | undefined): Absence {
  return said === undefined ? { absent: [], unclear: signs } : { absent: said, unclear: [] };
}

/** Logs of servers that write a dash for a header that was not sent. */
export const DASH: Absence = { absent: [], unclear: ['-'] };

/** Collects headers that are recorded one by one. */
export class LoggedHeaders {
  readonly #absence: Absence;
  readonly #fields: HeaderField[] = [];
  readonly #absent: string[] = [];
  #unclear: Map<string, string> | undefined;

  constructor(absence: Absence) {
    this.#absence = absence;
  }

  /**
   * Adds a header.
   * @param written its value as the server wrote it; undefined if it was not recorded
   * @param value its value if it was sent
   */
  add(name: string, written: string | undefined, value = written): this {
    if (written === undefined || value === undefined) return this;
    if (this.#absence.absent.includes(written)) this.#absent.push(name.toLowerCase());
    else if (this.#absence.unclear.includes(written)) this.addUnclear(name, written);
    else this.#fields.push({ name, value: fieldValue(value) });
    return this;
  }

  /** Adds a header that was sent with this value, whatever the server writes for one that was not. */
  addSent(name: string, value: string): void {
    this.#fields.push({ name, value: fieldValue(value) });
  }

  addAbsent(name: string): void {
    this.#absent.push(name.toLowerCase());
  }

  /** Adds a header that was sent with this value or not at all. */
  addUnclear(name: string, written: string): void {
    this.#unclear ??= new Map();
    this.#unclear.set(name.toLowerCase(), written);
  }

  get isEmpty(): boolean {
    return this.#fields.length === 0 && this.#absent.length === 0 && this.#unclear === undefined;
  }

  /** Returns the headers, after those that are known from elsewhere. */
  facts(known: HeaderFacts = NO_HEADER_KNOWN): HeaderFacts {
    if (this.isEmpty) return known;
    return {
      fields: [...known.fields, ...this.#fields],
      absent: [...known.absent, ...this.#absent],
      complete: known.complete,
      withheld: known.withheld,
      ...unclearOf([...(known.unclear ?? NOTHING_UNCLEAR), ...(this.#unclear ?? [])]),
      ...(known.mayBeComplete && { mayBeComplete: true }),
    };
  }
}

/** Returns a value without the blanks and tabs around it, which are not part of it (RFC 9110, section 5.5); nginx logs the tabs. */
export function fieldValue(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  const character = text[at];
  return character === ' ' || character === '\t';
}

/** For headers of which each was recorded clearly. */
export const NOTHING_UNCLEAR: UnclearHeaders = new Map();

/** Returns the member of {@link HeaderFacts} for these headers. */
export function unclearOf(entries: Iterable<readonly [name: string, written: string]>): Pick<HeaderFacts, 'unclear'> {
  const unclear = new Map(entries);
  return unclear.size === 0 ? {} : { unclear };
}
