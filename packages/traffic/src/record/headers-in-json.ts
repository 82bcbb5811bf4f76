import { type HeaderFacts, type HeaderField, NO_HEADER_KNOWN } from '../exchange/exchange.ts';
import { isRecord } from '../input/json.ts';
import { stringIn } from './values/read-value.ts';

/**
 * Reads headers from JSON: an object from names to strings or lists of strings, in which null means that a header was not sent; or a list of
 * objects with `name` and `value`. Returns undefined for anything else.
 */
export function headersInJson(value: unknown, complete = false): HeaderFacts | undefined {
  if (isRecord(value)) {
    const headers = new JsonHeaders(value, complete);
    return complete || headers.saysAnything ? headers : NO_HEADER_KNOWN;
  }
  if (!Array.isArray(value)) return undefined;
  const fields: HeaderField[] = [];
  for (const member of value) if (isRecord(member)) addTexts(stringIn(member.name) ?? '', member.value, fields);
  if (!complete && fields.length === 0) return NO_HEADER_KNOWN;
  return { fields, absent: [], complete, withheld: [], ...(!complete && { mayBeComplete: true }) };
}

/** Headers in an object by name. Few of them are needed, so a value is read where it is. */
class JsonHeaders implements HeaderFacts {
  readonly complete: boolean;
  readonly mayBeComplete?: true;
  readonly withheld = NONE;
  readonly #record: Readonly<Record<string, unknown>>;

  constructor(record: Readonly<Record<string, unknown>>, complete: boolean) {
    this.#record = record;
    this.complete = complete;
    if (!complete) this.mayBeComplete = true;
  }

  get saysAnything(): boolean {
    for (const name in this.#record) {
      const value = this.#record[name];
      if (value === null || (name !== '' && stringIn(value) !== undefined)) return true;
      if (Array.isArray(value) && addTexts(name, value, []).length > 0) return true;
    }
    return false;
  }

  get fields(): readonly HeaderField[] {
    const fields: HeaderField[] = [];
    for (const name in this.#record) addTexts(name, this.#record[name], fields);
    return fields;
  }

  get absent(): readonly string[] {
    const absent: string[] = [];
    for (const name in this.#record) if (this.#record[name] === null) absent.push(name.toLowerCase());
    return absent;
  }

  valuesOf(lowerCase: string): string[] | undefined {
    let values: string[] | undefined;
    for (const name in this.#record) {
      if (name.length !== lowerCase.length || !isName(name, lowerCase)) continue;
      const value = this.#record[name];
      if (typeof value === 'string' && values === undefined) values = [value];
      else for (const field of addTexts(name, value, [])) values = [...(values ?? []), field.value];
    }
    return values;
  }
}

const NONE: readonly string[] = [];

/** Names of headers are compared without regard to the case of ASCII letters. */
function isName(name: string, lowerCase: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if ((unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit) !== lowerCase.charCodeAt(at)) return false;
  }
  return true;
}

function addTexts(name: string, value: unknown, fields: HeaderField[]): HeaderField[] {
  if (name === '') return fields;
  for (const one of Array.isArray(value) ? value : [value]) {
    const text = stringIn(one);
    if (text !== undefined) fields.push({ name, value: text });
  }
  return fields;
}
