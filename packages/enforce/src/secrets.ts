/** What `secrets.get` returns where policies are enforced. */
import { Unknown } from '@tollgate/cel';

/** Returns a secret; undefined if there is none, so that a decision that depends on it is undetermined. */
export type Secrets = (vault: string, name: string) => string | undefined;

/** Returns a secret as a value of expressions. */
export function secretOf(secrets: Secrets, vault: string, name: string): string | Unknown {
  return secrets(vault, name) ?? new Unknown([`the secret \`${name}\` of \`${vault}\``]);
}
