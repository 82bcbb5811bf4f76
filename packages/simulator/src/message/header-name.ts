import type { UnknownPresence } from '@tollgate/cel/tooling';
import { unrecorded } from './unrecorded.ts';

/** A header that is read often, in all forms needed to find it. */
export interface HeaderName {
  /** In the profile's canonical form, if it has one. */
  readonly key: string;
  readonly lowerCase: string;
  /** Whether a recorded name can equal this one: a policy may use a form that no recorded name takes. */
  readonly isPossible: boolean;
  /** Its value if it was not recorded. */
  readonly unknown: UnknownPresence;
}

/**
 * Returns a header name with its unknown value.
 * @param whole the name of the map in rules, such as `req.Headers`
 */
export function headerName(key: string, whole: string, headerKey: (name: string) => string): HeaderName {
  return { key, lowerCase: key.toLowerCase(), isPossible: headerKey(key) === key, unknown: unrecorded(whole, key) };
}
