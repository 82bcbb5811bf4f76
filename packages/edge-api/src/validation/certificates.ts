import { createPublicKey, X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

function blocks(text: string): readonly string[] {
  return [...text.matchAll(BLOCK)].map(match => match[1]!);
}

/** Returns true if the string contains a PEM block. */
export function isPem(text: string): boolean {
  return blocks(text).length > 0;
}

/** Returns true if the first PEM block is labelled as a certificate, or if there is no PEM block. */
export function isPemCertificate(text: string): boolean {
  const [label] = blocks(text);
  return label === undefined || label === 'CERTIFICATE';
}

/** Returns true if the string contains at most one PEM block. */
export function isSinglePem(text: string): boolean {
  return blocks(text).length <= 1;
}

/** Returns true if the string is a certificate that can be parsed. */
export function isX509(text: string): boolean {
  return parsed(text) !== undefined;
}

/** Returns true if the certificate belongs to a certificate authority, or if it cannot be parsed. */
export function isAuthority(text: string): boolean {
  return parsed(text)?.ca ?? true;
}

function parsed(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

/** Returns true if the string is the base64-encoded DER of a public key on the curve P-256. */
export function p256PublicKey(text: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
