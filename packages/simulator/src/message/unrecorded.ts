import { UnknownPresence } from '@tollgate/cel/tooling';

/**
 * Returns the value of a header that was not recorded.
 * @param whole the name of the map in rules, such as `req.Headers`
 */
export function unrecorded(whole: string, key: string): UnknownPresence {
  return new UnknownPresence([`${whole}[${JSON.stringify(key)}]`]);
}

/** Returns the value of a header of which the recording does not show whether it was sent with this value or not at all. */
export function unclear(whole: string, key: string, written: string): UnknownPresence {
  return new UnknownPresence([`${whole}[${JSON.stringify(key)}]${RECORDED_AS}${JSON.stringify(written)}`]);
}

/** What follows the header in the name of such an input. */
export const RECORDED_AS = ' recorded as ';
