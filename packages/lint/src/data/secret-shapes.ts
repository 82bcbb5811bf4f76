/** A credential format. */
export interface SecretShape {
  readonly what: string;
  /** Not anchored; linear in the length of the string. */
  readonly pattern: RegExp;
}

/**
 * Credential formats that their issuers publish, with prefixes made for scanners. Generic words such as `password` are names, not secrets.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/ },
  { what: 'an access key of AWS', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/ },
  { what: 'a token of GitHub', pattern: /\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{22,})\b/ },
  { what: 'a token of GitLab', pattern: /\bglpat-[0-9A-Za-z_-]{20}/ },
  { what: 'a token of Slack', pattern: /\bxox[abeoprs]-[0-9A-Za-z-]{10,}/ },
  { what: 'a key of Stripe', pattern: /\b[rs]k_live_[0-9A-Za-z]{16,}/ },
  { what: 'a key of Google', pattern: /\bAIza[0-9A-Za-z_-]{35}/ },
  { what: 'a token of npm', pattern: /\bnpm_[0-9A-Za-z]{36}\b/ },
  { what: 'a key of SendGrid', pattern: /\bSG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}/ },
  { what: 'a key of OpenAI or Anthropic', pattern: /\bsk-(?:proj-|ant-)?[0-9A-Za-z_-]{32,}/ },
  { what: 'a signed token (JWT)', pattern: /\beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}/ },
  { what: 'a user with a password', pattern: /\bBasic [0-9A-Za-z+/]{8,}={0,2}(?![0-9A-Za-z+/=])/ },
  { what: 'a bearer token', pattern: /\bBearer [0-9A-Za-z._~+/-]{16,}=*/ },
  {
    what: 'a URL with a password',
    pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@${}]{1,64}:[^\s:/@${}]{1,64}@[\w.-]/i,
  },
];
