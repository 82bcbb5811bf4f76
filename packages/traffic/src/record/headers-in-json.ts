import { type HeaderFacts, type HeaderField, NO_HEADER_KNOWN, type UnclearHeaders } from '../exchange/exchange.ts';
import { isRecord } from '../input/json.ts';
import { type Absence, fieldValue, LoggedHeaders, NOTHING_UNCLEAR } from './logged-headers.ts';
import { stringIn } from './values/read-value.ts';

/** How headers are read from JSON. */
export interface JsonHeaderRules {
  /** Headers that are missing were not sent. */
  readonly complete: boolean;
  /** What a single string may stand for; those in lists were sent. */
  readonly absence: Absence;
}

/** For records of which every string was sent. */
export const SENT: JsonHeaderRules = { complete: false, absence: { absent: [], unclear: [] } };

/**
 * Reads headers from JSON: an object from names to strings or lists of strings, in which null means that a header was not sent; or a list of
 * objects with `name` and `value`. Returns undefined for anything else.
 */
export function headersInJson(value: unknown, rules: JsonHeaderRules): HeaderFacts | undefined {
  const { complete } = rules;
  if (isRecord(value)) {
    const headers = new JsonHeaders(value, rules);
    return complete || headers.saysAnything ? headers : NO_HEADER_KNOWN;
  }
  if (!Array.isArray(value)) return undefined;
  const headers = new LoggedHeaders(rules.absence);
  for (const member of value) if (isRecord(member)) addTexts(stringIn(member.name) ?? '', member.value, headers);
  return headers.facts(complete ? COMPLETE : headers.isEmpty ? NO_HEADER_KNOWN : MAY_BE_COMPLETE);
}

const COMPLETE: HeaderFacts = { ...NO_HEADER_KNOWN, complete: true };
const MAY_BE_COMPLETE: HeaderFacts = { ...NO_HEADER_KNOWN, mayBeComplete: true };

/** Adds the value of one header: a string, a list of strings, or null if it was not sent. */
export function addValues(name: string, value: unknown, headers: LoggedHeaders): void {
  if (value === null) headers.addAbsent(name);
  else addTexts(name, value, headers);
}

function addTexts(name: string, value: unknown, headers: LoggedHeaders): void {
  if (name === '') return;
  if (!Array.isArray(value)) headers.add(name, stringIn(value));
  else
    for (const one of value) {
      const text = stringIn(one);
      if (text !== undefined) headers.addSent(name, text);
    }
}

/** Headers in an object by name. Few of them are needed, so a value is read where it is. */
class JsonHeaders implements HeaderFacts {
  readonly complete: boolean;
  readonly mayBeComplete?: true;
  readonly withheld = NONE;
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #absence: Absence;
  /** Null until they are read. */
  #facts: HeaderFacts | null = null;

  constructor(record: Readonly<Record<string, unknown>>, { complete, absence }: JsonHeaderRules) {
    this.#record = record;
    this.#absence = absence;
    this.complete = complete;
    if (!complete) this.mayBeComplete = true;
  }

  get saysAnything(): boolean {
    for (const name in this.#record) {
      const value = this.#record[name];
      if (value === null || (name !== '' && stringIn(value) !== undefined)) return true;
      if (name !== '' && Array.isArray(value) && value.some(one => stringIn(one) !== undefined)) return true;
    }
    return false;
  }

  get fields(): readonly HeaderField[] {
    return this.#all.fields;
  }

  get absent(): readonly string[] {
    const absent: string[] = [];
    for (const name in this.#record) {
      const value = this.#record[name];
      if (value === null || this.#absence.absent.includes(stringIn(value) as string)) absent.push(name.toLowerCase());
    }
    return absent;
  }

  get unclear(): UnclearHeaders {
    return {
      get: lowerCase => {
        for (const name in this.#record) {
          const text = stringIn(this.#record[name]);
          if (text !== undefined && this.#absence.unclear.includes(text) && isName(name, lowerCase)) return text;
        }
        return undefined;
      },
      [Symbol.iterator]: () => (this.#all.unclear ?? NOTHING_UNCLEAR)[Symbol.iterator](),
    };
  }

  get #all(): HeaderFacts {
    if (this.#facts === null) {
      const headers = new LoggedHeaders(this.#absence);
      for (const name in this.#record) addValues(name, this.#record[name], headers);
      this.#facts = headers.facts();
    }
    return this.#facts;
  }

  valuesOf(lowerCase: string): string[] | undefined {
    let values: string[] | undefined;
    for (const name in this.#record) {
      if (!isName(name, lowerCase)) continue;
      const value = this.#record[name];
      if (Array.isArray(value)) for (const one of value) values = withText(values, stringIn(one));
      else {
        const text = stringIn(value);
        if (text !== undefined && this.#isSent(text)) values = withText(values, text);
      }
    }
    return values;
  }

  #isSent(text: string): boolean {
    return !this.#absence.absent.includes(text) && !this.#absence.unclear.includes(text);
  }
}

const NONE: readonly string[] = [];

function withText(values: string[] | undefined, text: string | undefined): string[] | undefined {
  if (text === undefined) return values;
  const value = fieldValue(text);
  if (values === undefined) return [value];
  values.push(value);
  return values;
}

/** Names of headers are compared without regard to the case of ASCII letters. */
function isName(name: string, lowerCase: string): boolean {
  if (name.length !== lowerCase.length) return false;
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if ((unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit) !== lowerCase.charCodeAt(at)) return false;
  }
  return true;
}
