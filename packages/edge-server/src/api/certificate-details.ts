import { X509Certificate } from 'node:crypto';
import type { Members } from './members.ts';

/** Bits of the extension `keyUsage`, RFC 5280, section 4.2.1.3. */
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

/** Purposes of the extension `extKeyUsage`, section 4.2.1.12. */
const EXTENDED_KEY_USAGES: Readonly<Record<string, string>> = {
  '2.5.29.37.0': 'any',
  '1.3.6.1.5.5.7.3.1': 'server_auth',
  '1.3.6.1.5.5.7.3.2': 'client_auth',
  '1.3.6.1.5.5.7.3.3': 'code_signing',
  '1.3.6.1.5.5.7.3.4': 'email_protection',
  '1.3.6.1.5.5.7.3.8': 'time_stamping',
  '1.3.6.1.5.5.7.3.9': 'ocsp_signing',
};

/** What the record of a certificate authority says of its certificate, which has been found valid. */
export function certificateFacts(pem: string): Members {
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

/** RFC 3339 in whole seconds, UTC. */
export function toTimestamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** The extension's identifier as DER has it. */
const KEY_USAGE_OID = Buffer.from('0603551d0f', 'hex');

/** Behind the identifier: perhaps the truth value of *critical*, then an octet string around a bit string. */
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
