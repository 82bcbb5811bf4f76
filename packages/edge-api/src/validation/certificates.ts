import { createPublicKey, X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

function blocks(text: string): readonly string[] {
  return [...text.matchAll(BLOCK)].map(match => match[1]!);
}

/** Whether a text has PEM's first and last line around something. */
export function isPem(text: string): boolean {
  return blocks(text).length > 0;
}

/** Whether the first PEM block of a text says that it is a certificate; true for a text without PEM. */
export function isPemCertificate(text: string): boolean {
  const [label] = blocks(text);
  return label === undefined || label === 'CERTIFICATE';
}

/** Whether a text has no second PEM block. */
export function isSinglePem(text: string): boolean {
  return blocks(text).length <= 1;
}

/** Whether a text is a certificate that can be parsed. */
export function isX509(text: string): boolean {
  return parsed(text) !== undefined;
}

/** Whether a certificate may issue others; true for a text that is no certificate. */
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

/** Whether a text is the base64 of a public key of the curve P-256, in DER. */
export function p256PublicKey(text: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
