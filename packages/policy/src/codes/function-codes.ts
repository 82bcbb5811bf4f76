import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const NEVER = 'An expression that ends in an evaluation error does not match, so that its rule does nothing.';
const modern = (text: string): CodeExample => ({ kind: 'expression', text, profile: 'modern' });

/** Errors of the functions that the edge has beside CEL. */
export const FUNCTION_CODES: readonly CodeDescription[] = [
  {
    code: 'eval/bad-json',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'invalid JSON, or a value that JSON cannot represent',
    rationale: `Clients can send anything as JSON. ${NEVER}`,
    bad: modern("json.decode('{') == null"),
    good: modern("json.decode('{}') == {}"),
  },
  {
    code: 'eval/bad-url',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'string that is not a valid URL',
    rationale: `Brackets and colons are allowed only in certain places of a URL: \`https://[::1]:8080/\`. ${NEVER}`,
    bad: modern("url.parse('https://[::1').host == '::1'"),
    good: modern("url.parse('https://[::1]/').host != ''"),
  },
  {
    code: 'eval/bad-query',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'invalid query string, or parameters that cannot be encoded as one',
    rationale: `In a query string, \`%\` begins an escape of two hexadecimal digits. ${NEVER}`,
    bad: modern("queryString.decode('a=%zz').size() == 1"),
    good: modern("queryString.decode('a=%20').size() == 1"),
  },
  {
    code: 'eval/bad-escape',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'percent sign without two hexadecimal digits',
    rationale: `In URLs, \`%\` begins an escape of two hexadecimal digits. ${NEVER}`,
    bad: modern("'100%'.unescapeUrl() == '100%'"),
    good: modern("'100%25'.unescapeUrl() == '100%'"),
  },
  {
    code: 'eval/bad-hash-format',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'unknown hash format',
    rationale: `Hashes are written as \`hex\` or as \`base64\`. ${NEVER}`,
    bad: modern("hash.sha256('a', 'octal') == ''"),
    good: modern("hash.sha256('a', 'hex') != ''"),
  },
  {
    code: 'eval/empty-range',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'random number from an empty range',
    rationale: `The lower bound of a random number must not exceed the upper bound. ${NEVER}`,
    withoutExample: 'random numbers are drawn only during a replay, from a seed',
  },
  {
    code: 'eval/extension-failed',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'extension function that threw an error',
    rationale: `The implementation in the extension module threw an error, which the message quotes. ${NEVER}`,
    remedy: 'Fix the module: a function must return a value for every argument of its declared type.',
    withoutExample: 'it needs a JavaScript module next to the policy',
  },
];
