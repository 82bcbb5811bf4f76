import type { UnknownPresence } from '@tollgate/cel/tooling';
import { unrecorded } from './unrecorded.ts';

/** A header that is asked for again and again, in all the forms that it takes to find it. */
export interface HeaderName {
  /** In the form of the dialect, where it can be brought into it. */
  readonly key: string;
  readonly lowerCase: string;
  /** Recorded names may come to be this one. Those of a policy may be written in a form that none has. */
  readonly isPossible: boolean;
  /** What it is where it was not recorded. */
  readonly unknown: UnknownPresence;
}

/** @param whole the name of the map in rules, such as `req.Headers` */
export function headerName(key: string, whole: string, headerKey: (name: string) => string): HeaderName {
  return { key, lowerCase: key.toLowerCase(), isPossible: headerKey(key) === key, unknown: unrecorded(whole, key) };
}
