import { type HeaderFacts, type HeaderField, NO_HEADER_KNOWN } from '../exchange/exchange.ts';
import { isRecord } from '../input/json.ts';
import { stringIn } from './values/read-value.ts';

/**
 * Reads headers from JSON: an object from names to strings or lists of strings, in which null means that a header was not sent; or a list of
 * objects with `name` and `value`. Returns undefined for anything else.
 */
export function headersInJson(value: unknown, complete = false): HeaderFacts | undefined {
  const fields: HeaderField[] = [];
  const absent: string[] = [];
  if (Array.isArray(value)) for (const member of value) addMember(member, fields);
  else if (isRecord(value)) {
    for (const name in value) {
      if (value[name] === null) absent.push(name.toLowerCase());
      else addTexts(name, value[name], fields);
    }
  } else return undefined;
  if (!complete && fields.length === 0 && absent.length === 0) return NO_HEADER_KNOWN;
  return { fields, absent, complete, withheld: [], ...(!complete && { mayBeComplete: true }) };
}

function addMember(member: unknown, fields: HeaderField[]): void {
  if (isRecord(member)) addTexts(stringIn(member.name) ?? '', member.value, fields);
}

function addTexts(name: string, value: unknown, fields: HeaderField[]): void {
  if (name === '') return;
  for (const one of Array.isArray(value) ? value : [value]) {
    const text = stringIn(one);
    if (text !== undefined) fields.push({ name, value: text });
  }
}
