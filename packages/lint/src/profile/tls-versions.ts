import type { Profile } from '@tollgate/catalog';

/** The versions of TLS, oldest first (RFC 8996 has retired the first two). */
const VERSIONS = ['1.0', '1.1', '1.2', '1.3'] as const;

/** Those that must not be used any more. */
const RETIRED: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** The versions of TLS as the profile spells them, oldest first. */
export function tlsVersions({ switches }: Profile): readonly string[] {
  const prefix = switches.tlsVersionSpelling.slice(0, -'1.3'.length);
  return VERSIONS.map(version => prefix + version);
}

/** The number of a version, however it is spelt; undefined for what is none. */
export function tlsVersionNumber(text: string): string | undefined {
  const number = /^(?:tls)?[\s_/-]*v?[\s_-]*(1(?:[._][0-3])?)$/i.exec(text.trim())?.[1]?.replace('_', '.');
  return number === '1' ? '1.0' : number;
}

/** Whether the version is one that RFC 8996 forbids. */
export function isRetired(text: string): boolean {
  return RETIRED.has(tlsVersionNumber(text) ?? '');
}
