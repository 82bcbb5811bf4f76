import { PROFILES, SOURCE_DATES } from '@tollgate/catalog';
import { VERSION } from './version.ts';

/** Returns the version, and for each profile the date of the documentation that its catalog is based on. */
export function versionDetails(): string {
  const longest = Math.max(...PROFILES.map(({ name }) => name.length));
  const lines = PROFILES.map(({ name }) => `  ${name.padEnd(longest)}  catalog data of ${SOURCE_DATES[name]}`);
  return [`tollgate ${VERSION}`, ...lines].join('\n');
}
