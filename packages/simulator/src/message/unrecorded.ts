import { UnknownPresence } from '@tollgate/cel/tooling';

/**
 * Returns the value of a header that was not recorded.
 * @param whole the name of the map in rules, such as `req.Headers`
 */
export function unrecorded(whole: string, key: string): UnknownPresence {
  return new UnknownPresence([`${whole}[${JSON.stringify(key)}]`]);
}
