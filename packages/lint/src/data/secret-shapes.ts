/** A credential format. */
interface SecretShape {
  readonly what: string;
  /** Not anchored; linear in the length of the string. */
  readonly pattern: RegExp;
}

/**
 * Credential formats that their issuers publish, with prefixes made for scanners. Generic words such as `password` are names, not secrets.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/ },
  { what: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/ },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{22,})\b/ },
  { what: 'a GitLab token', pattern: /\bglpat-[0-9A-Za-z_-]{20}/ },
  { what: 'a Slack token', pattern: /\bxox[abeoprs]-[0-9A-Za-z-]{10,}/ },
  { what: 'a Stripe key', pattern: /\b[rs]k_live_[0-9A-Za-z]{16,}/ },
  { what: 'a Google API key', pattern: /\bAIza[0-9A-Za-z_-]{35}/ },
  { what: 'an npm token', pattern: /\bnpm_[0-9A-Za-z]{36}\b/ },
  { what: 'a SendGrid key', pattern: /\bSG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}/ },
  { what: 'an OpenAI or Anthropic key', pattern: /\bsk-(?:proj-|ant-)?[0-9A-Za-z_-]{32,}/ },
  { what: 'a signed token (JWT)', pattern: /\beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}/ },
  { what: 'a user name with a password', pattern: /\bBasic [0-9A-Za-z+/]{8,}={0,2}(?![0-9A-Za-z+/=])/ },
  { what: 'a bearer token', pattern: /\bBearer [0-9A-Za-z._~+/-]{16,}=*/ },
  {
    what: 'a URL with a password',
    pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@${}]{1,64}:[^\s:/@${}]{1,64}@[\w.-]/i,
  },
];
