import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const NEVER = 'An expression that ends in an evaluation error does not match, so that its rule does nothing.';
const modern = (text: string): CodeExample => ({ kind: 'expression', text, profile: 'modern' });

/** Errors of the functions that the edge has beside CEL. */
export const FUNCTION_CODES: readonly CodeDescription[] = [
  {
    code: 'eval/bad-json',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a text that is not JSON, or a value that JSON cannot hold',
    rationale: `Clients send what they like as JSON. ${NEVER}`,
    bad: modern("json.decode('{') == null"),
    good: modern("json.decode('{}') == {}"),
  },
  {
    code: 'eval/bad-url',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a text that is not a URL',
    rationale: `Brackets and colons in a URL have their places: \`https://[::1]:8080/\`. ${NEVER}`,
    bad: modern("url.parse('https://[::1').host == '::1'"),
    good: modern("url.parse('https://[::1]/').host != ''"),
  },
  {
    code: 'eval/bad-query',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a text that is not a query string, or parameters that cannot be one',
    rationale: `A \`%\` in a query begins an escape of two hexadecimal digits. ${NEVER}`,
    bad: modern("queryString.decode('a=%zz').size() == 1"),
    good: modern("queryString.decode('a=%20').size() == 1"),
  },
  {
    code: 'eval/bad-escape',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a percent sign without its two digits',
    rationale: `\`%\` begins an escape of two hexadecimal digits in URLs. ${NEVER}`,
    bad: modern("'100%'.unescapeUrl() == '100%'"),
    good: modern("'100%25'.unescapeUrl() == '100%'"),
  },
  {
    code: 'eval/bad-hash-format',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a format of a hash that is not known',
    rationale: `Hashes are written as \`hex\` or as \`base64\`. ${NEVER}`,
    bad: modern("hash.sha256('a', 'octal') == ''"),
    good: modern("hash.sha256('a', 'hex') != ''"),
  },
  {
    code: 'eval/empty-range',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a range to draw from that is empty',
    rationale: `A random number between two bounds needs a lower one that is not above the upper one. ${NEVER}`,
    withoutExample: 'random numbers are drawn in a replay only, from a seed',
  },
  {
    code: 'eval/extension-failed',
    kind: 'evaluation-error',
    severity: 'error',
    summary: 'a function of an extension that threw',
    rationale: `The implementation that an extension module gives threw an error, which the message repeats. ${NEVER}`,
    remedy: 'Mend the module: a function gives a value for every argument of its declared type.',
    withoutExample: 'it takes a module of JavaScript beside the policy',
  },
];
