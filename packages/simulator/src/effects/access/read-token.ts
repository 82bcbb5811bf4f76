/** The claims of a JSON Web Token, whether or not its signature is valid. */
interface TokenClaims {
  readonly algorithm: string | undefined;
  readonly issuer: string | undefined;
  readonly audiences: readonly string[];
}

/** Parses a token in compact serialization (RFC 7515, section 3.1); returns undefined if it is malformed. */
export function readToken(text: string): TokenClaims | undefined {
  const parts = text.split('.');
  const [header, payload] = parts.map(readPart);
  if (parts.length !== 3 || header === undefined || payload === undefined) return undefined;
  const { alg } = header;
  const { iss, aud } = payload;
  const audiences = (Array.isArray(aud) ? aud : [aud]).filter(one => typeof one === 'string');
  return {
    algorithm: typeof alg === 'string' ? alg : undefined,
    issuer: typeof iss === 'string' ? iss : undefined,
    audiences,
  };
}

/** Parses a JSON object in base64url without padding (RFC 7515, section 2). */
function readPart(part: string): Readonly<Record<string, unknown>> | undefined {
  if (!/^[\w-]+$/.test(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
