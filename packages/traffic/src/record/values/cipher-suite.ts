import { ownValue } from '@tollgate/diagnostics';

/** OpenSSL's prefixes of suite names, by key exchange and signature. */
const EXCHANGES: Readonly<Record<string, string>> = {
  'ECDHE-ECDSA-': 'ECDHE_ECDSA',
  'ECDHE-RSA-': 'ECDHE_RSA',
  'DHE-RSA-': 'DHE_RSA',
  'EDH-RSA-': 'DHE_RSA',
  'DHE-DSS-': 'DHE_DSS',
  'AECDH-': 'ECDH_anon',
  'ADH-': 'DH_anon',
};

const CHAINED = /^(AES|CAMELLIA)(128|256)-(SHA(?:256|384)?)$/;
const AUTHENTICATED = /^(AES|ARIA)(128|256)-(?:(GCM)-(SHA256|SHA384)|CCM(8?))$/;
const OTHERS: Readonly<Record<string, string>> = {
  'CHACHA20-POLY1305': 'CHACHA20_POLY1305_SHA256',
  'DES-CBC3-SHA': '3DES_EDE_CBC_SHA',
  'SEED-SHA': 'SEED_CBC_SHA',
  'RC4-SHA': 'RC4_128_SHA',
  'RC4-MD5': 'RC4_128_MD5',
};

/**
 * Returns the IANA name of a cipher suite, from that name or from OpenSSL's or BoringSSL's, which servers log: `ECDHE-RSA-AES128-GCM-SHA256`,
 * `AEAD-AES128-GCM-SHA256`. Undefined for other names; an empty string, which means none, stays.
 */
export function cipherSuiteIn(name: string | undefined): string | undefined {
  if (name === undefined || name === '' || name.startsWith('TLS_')) return name;
  const modern = /^AEAD-(AES128-GCM-SHA256|AES256-GCM-SHA384|CHACHA20-POLY1305)/.exec(name)?.[1];
  if (modern !== undefined) return `TLS_${cipherOf(modern)}`;
  const prefix = Object.keys(EXCHANGES).find(one => name.startsWith(one)) ?? '';
  const cipher = cipherOf(name.slice(prefix.length));
  return cipher === undefined ? undefined : `TLS_${ownValue(EXCHANGES, prefix) ?? 'RSA'}_WITH_${cipher}`;
}

function cipherOf(name: string): string | undefined {
  const chained = CHAINED.exec(name);
  if (chained !== null) return `${chained[1]}_${chained[2]}_CBC_${chained[3]}`;
  const match = AUTHENTICATED.exec(name);
  if (match === null) return ownValue(OTHERS, name);
  const [, kind, bits, gcm, hash, eight] = match;
  return gcm ? `${kind}_${bits}_GCM_${hash}` : `${kind}_${bits}_CCM${eight ? '_8' : ''}`;
}
