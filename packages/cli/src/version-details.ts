import { FACTS_READ, PROFILES } from '@tollgate/catalog';
import { VERSION } from './version.ts';

/** The version, and a line for each profile with the day whose documentation its facts were read from. */
export function versionDetails(): string {
  const longest = Math.max(...PROFILES.map(({ name }) => name.length));
  const lines = PROFILES.map(({ name }) => `  ${name.padEnd(longest)}  facts of ${FACTS_READ[name]}`);
  return [`tollgate ${VERSION}`, ...lines].join('\n');
}
