import type { Profile } from '@tollgate/catalog';

/** TLS versions, oldest first. */
const VERSIONS = ['1.0', '1.1', '1.2', '1.3'] as const;

/** Versions that RFC 8996 deprecates. */
const RETIRED: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** Returns the TLS versions in the profile's spelling, oldest first. */
export function tlsVersions({ switches }: Profile): readonly string[] {
  const prefix = switches.tlsVersionSpelling.slice(0, -'1.3'.length);
  return VERSIONS.map(version => prefix + version);
}

/** Returns the number of a version in any spelling, such as `1.2`; undefined if the string is not a version. */
export function tlsVersionNumber(text: string): string | undefined {
  const number = /^(?:tls)?[\s_/-]*v?[\s_-]*(1(?:[._][0-3])?)$/i.exec(text.trim())?.[1]?.replace('_', '.');
  return number === '1' ? '1.0' : number;
}

/** Returns true if RFC 8996 forbids the version. */
export function isRetired(text: string): boolean {
  return RETIRED.has(tlsVersionNumber(text) ?? '');
}
