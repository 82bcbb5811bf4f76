// What the API says about a certificate.

import { X509Certificate } from 'node:crypto';
import type { Members } from '../api-error.ts';

/** The bits of the `keyUsage` extension (RFC 5280, section 4.2.1.3). */
const KEY_USAGES = [
  'digital_signature',
  'content_commitment',
  'key_encipherment',
  'data_encipherment',
  'key_agreement',
  'cert_sign',
  'crl_sign',
  'encipher_only',
  'decipher_only',
] as const;

/** The purposes of the `extKeyUsage` extension (RFC 5280, section 4.2.1.12). */
const EXTENDED_KEY_USAGES: Readonly<Record<string, string>> = {
  '2.5.29.37.0': 'any',
  '1.3.6.1.5.5.7.3.1': 'server_auth',
  '1.3.6.1.5.5.7.3.2': 'client_auth',
  '1.3.6.1.5.5.7.3.3': 'code_signing',
  '1.3.6.1.5.5.7.3.4': 'email_protection',
  '1.3.6.1.5.5.7.3.8': 'time_stamping',
  '1.3.6.1.5.5.7.3.9': 'ocsp_signing',
};

/** Returns the fields of a certificate authority record that describe its certificate, which must be valid. */
export function certificateDetails(pem: string): Members {
  const certificate = new X509Certificate(pem);
  const [, name = ''] = /(?:^|\n)CN=([^\n]*)/.exec(certificate.subject) ?? [];
  return {
    subject_common_name: name,
    not_before: toTimestamp(certificate.validFromDate),
    not_after: toTimestamp(certificate.validToDate),
    key_usages: keyUsages(certificate.raw),
    extended_key_usages: (certificate.keyUsage ?? []).map(oid => EXTENDED_KEY_USAGES[oid] ?? oid),
  };
}

/** Formats a time as RFC 3339 in UTC, with whole seconds. */
export function toTimestamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** The DER encoding of the extension's identifier. */
const KEY_USAGE_OID = Buffer.from('0603551d0f', 'hex');

/** Parses what follows the identifier: an optional boolean (*critical*), then an octet string that wraps a bit string. */
function keyUsages(der: Buffer): readonly string[] {
  const at = der.indexOf(KEY_USAGE_OID);
  if (at < 0) return [];
  const rest = der.subarray(at + KEY_USAGE_OID.length);
  const octets = rest[0] === 0x01 ? rest.subarray(3) : rest;
  const [octetString, , bitString, length = 0] = octets;
  if (octetString !== 0x04 || bitString !== 0x03) return [];
  const bytes = octets.subarray(5, 4 + length);
  return KEY_USAGES.filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}
