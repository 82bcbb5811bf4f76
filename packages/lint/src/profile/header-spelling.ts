import type { Profile } from '@tollgate/catalog';
import { canonicalHeaderName } from '@tollgate/policy';

/** The name of a header as the keys of the profile's maps have it. */
export function spelledHeader(name: string, { headerNames }: Pick<Profile, 'headerNames'>): string {
  return headerNames === 'canonical' ? canonicalHeaderName(name) : name.toLowerCase();
}
