import type { Profile } from '@tollgate/catalog';
import { canonicalHeaderName } from '@tollgate/policy';

/** Returns a header name in the spelling that the maps of the profile use as keys. */
export function spelledHeader(name: string, { headerNames }: Pick<Profile, 'headerNames'>): string {
  return headerNames === 'canonical' ? canonicalHeaderName(name) : name.toLowerCase();
}
