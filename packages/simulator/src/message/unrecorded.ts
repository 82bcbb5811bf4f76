import { UnknownPresence } from '@tollgate/cel/tooling';

/**
 * Returns the value of a header that was not recorded.
 * @param whole the name of the map in rules, such as `req.Headers`
 */
export function unrecorded(whole: string, key: string): UnknownPresence {
  return new UnknownPresence([nameOf(whole, key)]);
}

/** The value of a header of which the recording does not show whether it was sent with this value, without a value, or not at all. */
export class UnclearHeader extends UnknownPresence {
  /** All that the header may have been; undefined if it was not sent. */
  readonly meanings: readonly (readonly string[] | undefined)[];

  constructor(attribute: string, written: string) {
    super([attribute]);
    // Load balancers and some web servers write a dash for an empty value, too.
    this.meanings = written === '' ? [undefined, ['']] : [undefined, [written], ['']];
  }
}

/** Returns the value of a header that was recorded as what may stand for one that was not sent. */
export function unclear(whole: string, key: string, written: string): UnclearHeader {
  return new UnclearHeader(`${nameOf(whole, key)}${RECORDED_AS}${JSON.stringify(written)}`, written);
}

/** What follows the header in the name of such an input. */
const RECORDED_AS = ' recorded as ';

/** Returns true for the name of a header of which the recording does not show whether it was sent. */
export function isUnclearInput(attribute: string): boolean {
  return attribute.includes(RECORDED_AS);
}

/** Returns the key of the header in a map that an unknown value with this name depends on; undefined if it depends on something else. */
export function unclearKey(attribute: string, whole: string): string | undefined {
  if (!attribute.startsWith(`${whole}[`)) return undefined;
  const key = UNCLEAR.exec(attribute.slice(whole.length))?.[1];
  return key === undefined ? undefined : (JSON.parse(key) as string);
}

const UNCLEAR = new RegExp(String.raw`^\[("(?:[^"\\]|\\.)*")\]${RECORDED_AS}"`, 's');

function nameOf(whole: string, key: string): string {
  return `${whole}[${JSON.stringify(key)}]`;
}
