import { ownValue } from '@tollgate/diagnostics';

/** Version numbers in the handshake (RFC 8446, section 4.2.1; RFC 5246, appendix E). */
const NUMBERS: Readonly<Record<string, string>> = { 769: 'TLS 1.0', 770: 'TLS 1.1', 771: 'TLS 1.2', 772: 'TLS 1.3' };

/** The canonical spelling, which nearly all logs use. */
const SPELT: ReadonlySet<string> = new Set(Object.values(NUMBERS));

/**
 * Returns `TLS 1.3`, also for `TLSv1.3`, `tls1.3`, `TLS1_3`, `1.3` and the number in the handshake; an empty string, which means no TLS, for
 * `none` and an empty string.
 */
export function tlsVersionIn(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  if (SPELT.has(text)) return text;
  if (text === '' || text.toLowerCase() === 'none') return '';
  const version = /^(?:tls)?[ _]?v?1(?:[._]([0-3]))?$/i.exec(text);
  if (version !== null) return `TLS 1.${version[1] ?? '0'}`;
  return ownValue(NUMBERS, text) ?? (/^ssl[ _]?v?[23]/i.test(text) ? `SSL ${/[23]/.exec(text)![0]}.0` : undefined);
}
