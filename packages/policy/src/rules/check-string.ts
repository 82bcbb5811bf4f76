import type { ConfigField, ConfigType, Interpolation } from '@tollgate/catalog';
import { extendEnvironment } from '@tollgate/cel';
import { nearest, validatePattern } from '@tollgate/cel/tooling';
import { type Diagnostic, type Range, singleQuoted, unreachable } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  describeNode,
  type Finding,
  type Reporter,
  type ScalarNode,
} from '../document/document-node.ts';
import { contentRange, documentRange, isAmbiguous, type MappedText } from '../document/scalar-text.ts';
import { checkCondition, type ExpressionContext, reportExpression } from '../expressions/check-expression.ts';
import { HEADER_NAME_PATTERN, parseType } from '../expressions/explain-errors.ts';
import { checkAnyCached, type ExpressionCache } from '../expressions/expression-cache.ts';
import { isUrl } from '../expressions/functions.ts';
import { expressionSource, findInterpolations } from '../expressions/interpolation.ts';
import type { EmbeddedExpression } from './policy.ts';
import { listed } from './read-shape.ts';

/** The types of configuration values that are written as strings. */
type StringType = Exclude<ConfigType, { kind: 'any' | 'bool' | 'int' | 'number' | 'list' | 'map' | 'object' }>;

/** A problem with a string. The message follows the name of the value. */
type Problem = Pick<Finding, 'code' | 'message' | 'args' | 'fixes'> & { readonly range?: Range };

const HEADER_NAME = new RegExp(HEADER_NAME_PATTERN, 'u');

/** Checks that a value is a string in the format of its type. */
export function checkString(node: DocumentNode, type: StringType, context: ValueContext): void {
  const { what } = context;
  if (type.kind === 'string' && type.orScalar && isSentAsText(node)) return;
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    reportNoText(node, type, context);
    return;
  }
  if (checkInterpolations(node, context)) return;
  if (type.kind === 'expression') checkBareExpression(node, type, context);
  else if (type.kind !== 'choice') reportStringTraps(node, context);
  const problem = problemOf(node, node.value, type);
  if (!problem) return;
  reportValue(context, { range: node.range, ...problem, message: `${what} ${problem.message}` });
}

function isSentAsText(node: DocumentNode): boolean {
  return node.kind === 'scalar' && (typeof node.value === 'number' || typeof node.value === 'boolean');
}

function reportNoText(node: DocumentNode, { kind }: StringType, context: ValueContext): void {
  const { what, document } = context;
  const found = describeNode(node);
  const isSplit = isMapByColon(node, document);
  const why = isSplit ? '; put quotes around a string that contains `: ` or ends with `:`' : '';
  reportValue(context, {
    code: isSplit ? 'config/colon-in-text' : 'config/wrong-type',
    message: `${what} must be a string, found ${found}${why}`,
    range: node.range,
    args: { expected: 'string', found },
    ...((isSplit ||
      (kind === 'string' && isJsonInYaml(node, document)) ||
      (node.kind === 'scalar' && node.value !== null)) &&
      quoteFix(node, document)),
  });
}

/** `fe80::` without quotes is a map with one key. */
function isMapByColon(node: DocumentNode, document: string): boolean {
  if (node.kind !== 'map' || node.entries.length !== 1 || document[node.range.start] === '{') return false;
  return !document.slice(node.range.start, node.range.end).trimEnd().includes('\n');
}

/** An unquoted JSON body is a YAML map; other strings have forms of their own. JSON documents would need other quotes. */
function isJsonInYaml({ kind, range }: DocumentNode, document: string): boolean {
  if ((kind !== 'map' && kind !== 'list') || /^\s*[{[]/.test(document)) return false;
  const written = document.slice(range.start, range.end);
  return /^[{[]/.test(written) && !written.includes('\n');
}

/** Quotes a value that YAML read as something other than a string. */
function quoteFix({ range }: DocumentNode, document: string): Pick<Finding, 'fixes'> {
  const written = document.slice(range.start, range.end).trimEnd();
  const edits = [{ range: { start: range.start, end: range.start + written.length }, newText: singleQuoted(written) }];
  return { fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits }] };
}

function problemOf(node: ScalarNode, value: string, type: StringType): Problem | undefined {
  switch (type.kind) {
    case 'string':
      return stringProblem(value, type);
    case 'choice':
      return choiceProblem(node, value, type.values);
    case 'shape':
      return type.patterns.some(pattern => new RegExp(pattern, 'u').test(value))
        ? undefined
        : { code: 'config/bad-shape', message: `must be ${type.expected}`, args: { found: value } };
    case 'url':
      return isUrl(value)
        ? undefined
        : {
            code: 'config/bad-url',
            message: `must be a URL with a scheme, such as \`https://service.internal\`, found \`${value}\``,
            args: { found: value },
          };
    case 'domain':
      return domainProblem(value);
    case 'credentials':
      return credentialsProblem(value, type);
    case 'regex':
      return patternProblem(node, value);
    case 'duration':
      return durationProblem(value, type);
    case 'cidr':
      return isCidr(value)
        ? undefined
        : {
            code: 'config/bad-cidr',
            message: `must be an address range such as \`10.0.0.0/8\`, found \`${value}\``,
            args: { found: value },
          };
    case 'expression':
      return undefined;
    case 'header-name':
      return HEADER_NAME.test(value)
        ? undefined
        : {
            code: 'config/bad-header-name',
            message: `must be a header name, found \`${value}\``,
            args: { found: value },
          };
    default:
      return unreachable(type);
  }
}

function stringProblem(
  value: string,
  { nonEmpty, max = Number.POSITIVE_INFINITY }: Extract<ConfigType, { kind: 'string' }>,
): Problem | undefined {
  if (nonEmpty && value === '') return { code: 'config/empty', message: 'must not be empty', args: {} };
  if (value.length <= max) return undefined;
  const message = `must have at most ${max} characters, found ${value.length}`;
  return { code: 'config/too-long', message, args: { max, found: value.length } };
}

function choiceProblem(node: ScalarNode, value: string, values: readonly string[]): Problem | undefined {
  if (values.includes(value)) return undefined;
  const suggestion = nearest(value, values);
  const hint = suggestion === undefined ? '' : `; did you mean \`${suggestion}\`?`;
  const edits = [{ range: node.text ? contentRange(node.text) : node.range, newText: suggestion ?? '' }];
  return {
    code: 'config/bad-choice',
    message: `must be ${listed(values, 'or')}, found \`${value}\`${hint}`,
    args: { found: value, expected: values, ...(suggestion !== undefined && { suggestion }) },
    ...(suggestion !== undefined && {
      fixes: [{ title: `change to \`${suggestion}\``, applicability: 'suggestion', edits }],
    }),
  };
}

function patternProblem(node: ScalarNode, value: string): Problem | undefined {
  const fault = validatePattern(value);
  if (!fault) return undefined;
  const range = node.text && { range: documentRange(node.text, { start: fault.offset, end: fault.offset + 1 }) };
  return {
    code: 'config/bad-pattern',
    message: `is not a valid RE2 pattern: ${fault.message}`,
    args: { found: value },
    ...range,
  };
}

function durationProblem(
  value: string,
  { min, max, multipleOf }: Extract<ConfigType, { kind: 'duration' }>,
): Problem | undefined {
  const seconds = durationSeconds(value);
  if (seconds === undefined) {
    return {
      code: 'config/bad-duration',
      message: `must be a duration such as \`90s\` or \`1h30m\`, found \`${value}\``,
      args: { found: value },
    };
  }
  if (seconds >= min && seconds <= max && (multipleOf === undefined || seconds % multipleOf === 0)) return undefined;
  const steps = multipleOf === undefined ? '' : `, a multiple of ${multipleOf}s`;
  return {
    code: 'config/out-of-range',
    message: `must be from ${min}s to ${max}s${steps}, found \`${value}\``,
    args: {
      ...{ found: value, min, max, ...(multipleOf !== undefined && { multipleOf }) },
      refusal: seconds > max ? 2225 : 2204,
    },
  };
}

/** Checks a string that is an expression as a whole, without `${}`. */
function checkBareExpression(
  { value, text }: ScalarNode,
  { result, variables }: Extract<ConfigType, { kind: 'expression' }>,
  { what, expressions, reporter, document, embedded, cache }: ValueContext,
): void {
  if (typeof value !== 'string' || !text) return;
  const context = variables ? withVariables(expressions, variables) : expressions;
  const { typed, diagnostics } =
    result === 'bool'
      ? checkCondition(value, context, { what })
      : checkAnyCached(value, context, variables ? undefined : cache);
  embedded.push({ kind: 'whole', source: value, text, offset: 0, typed });
  for (const diagnostic of diagnostics) reportExpression(diagnostic, text, { document, reporter });
}

function withVariables(
  context: ExpressionContext,
  variables: NonNullable<Extract<ConfigType, { kind: 'expression' }>['variables']>,
): ExpressionContext {
  const declared = variables.map(({ name, type, doc }) => ({ name, type: parseType(type), doc }));
  return { ...context, environment: extendEnvironment(context.environment, { variables: declared }) };
}

/** Checks the expressions in a string if its field allows them. Returns true if there are any, so that the resulting string is not known. */
export function checkInterpolations(node: ScalarNode, context: ValueContext): boolean {
  const { value, text } = node;
  if (typeof value !== 'string' || !text || !hasExpressions(context.interpolation)) return false;
  const { interpolationEscape } = context.expressions.profile.switches;
  const { expressions, unclosed } = findInterpolations(value, interpolationEscape);
  if (unclosed) {
    const range = documentRange(text, unclosed);
    const message = 'unterminated expression; add `}`';
    reportValue(context, { code: 'expression/unclosed-interpolation', message, range, args: {} });
  }
  for (const { start, end } of expressions) {
    const source = expressionSource(value.slice(start, end));
    const { typed, diagnostics } = checkAnyCached(source, context.expressions, context.cache);
    context.embedded.push({ kind: 'interpolation', source, text, offset: start, typed });
    for (const diagnostic of diagnostics) reportShifted(diagnostic, start, text, context);
  }
  return expressions.length > 0 || unclosed !== undefined;
}

function hasExpressions(interpolation: Interpolation | undefined): boolean {
  return interpolation?.endsWith('expressions') ?? false;
}

const INVALID_INTERPOLATION = 2224;

/** The diagnostic's ranges are relative to the expression, which starts `by` units into the string. */
function reportShifted(diagnostic: Diagnostic, by: number, text: MappedText, context: ValueContext): void {
  const shift = <T extends { readonly range: Diagnostic['range'] }>(part: T): T => ({
    ...part,
    range: { start: part.range.start + by, end: part.range.end + by },
  });
  const { related, fixes } = diagnostic;
  const shifted = {
    ...shift(diagnostic),
    args: { ...diagnostic.args, refusal: INVALID_INTERPOLATION },
    ...(related && { related: related.map(shift) }),
    ...(fixes && { fixes: fixes.map(fix => ({ ...fix, edits: fix.edits.map(shift) })) }),
  };
  reportExpression(shifted, text, context);
}

/** Reports a string that is not what it looks like, or not to every YAML parser. */
export function reportStringTraps(node: ScalarNode, context: ValueContext): void {
  if (typeof node.value !== 'string') return;
  if (node.style === 'plain' && isAmbiguous(node.value) && !ALWAYS_STRING.test(node.value))
    reportAmbiguous(node, context);
  else if (isBlock(node) && !context.isBody && /^[^\n]*[^\s][^\n]*\n+$/.test(node.value))
    reportLineBreak(node, context);
}

/** YAML 1.1 lists them as booleans, but no widely used parser reads them as such. */
const ALWAYS_STRING = /^[yn]$/i;

function isBlock({ style }: ScalarNode): boolean {
  return style === 'literal' || style === 'folded';
}

function reportAmbiguous({ value, range }: ScalarNode, { what, document, reporter }: ValueContext): void {
  const edits = [{ range, newText: `'${document.slice(range.start, range.end)}'` }];
  reporter.report({
    code: 'yaml/ambiguous-text',
    severity: 'info',
    message: `${what} is the string \`${value}\`, which YAML 1.1 parsers read as another type; put quotes around it`,
    range,
    args: { text: String(value) },
    fixes: [{ title: 'put quotes around it', applicability: 'safe', edits }],
  });
}

/** Bodies often end with a line break, headers and URLs never do. */
function reportLineBreak({ range }: ScalarNode, { what, document, reporter }: ValueContext): void {
  const header = /^[|>][-+\d]*/.exec(document.slice(range.start, range.start + 3))?.[0] ?? '|';
  const marked = { start: range.start, end: range.start + header.length };
  const newText = `${header.replace(/[-+]/, '')}-`;
  reporter.report({
    code: 'yaml/trailing-line-break',
    severity: 'warning',
    message: `${what} ends with a line break; write \`${newText}\` to drop it`,
    range: marked,
    args: { header },
    fixes: [{ title: `change to \`${newText}\``, applicability: 'suggestion', edits: [{ range: marked, newText }] }],
  });
}

/** Reports a number whose value looks different from its source: `1.10`, `012`, `1e3`. */
export function reportNumberTrap(
  { value, range, style }: ScalarNode,
  { what, document, reporter }: ValueContext,
): void {
  const written = document.slice(range.start, range.end);
  // In JSON there is no other way to write a number; an alias refers to one written elsewhere.
  const isMeant = /\.json$/i.test(reporter.uri) || written.startsWith('*');
  if (typeof value !== 'number' || style !== 'plain' || written === String(value) || isMeant) return;
  const edits = [{ range, newText: `'${written}'` }];
  reporter.report({
    code: 'yaml/rewritten-number',
    severity: 'info',
    message: `${what} is the number ${value}; put quotes around it if you mean the string \`${written}\``,
    range,
    args: { written, value: String(value) },
    fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits }],
  });
}

/** Returns true if the string is an IPv4 or IPv6 address, with or without a prefix length. Host bits may be set. */
export function isCidr(text: string): boolean {
  const [address, prefix, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  const bits = address!.includes(':') ? ipv6Bits(address!) : ipv4Bits(address!);
  if (bits === undefined) return false;
  return prefix === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits);
}

function ipv4Bits(text: string): number | undefined {
  const parts = text.split('.');
  const isByte = (part: string) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255;
  return parts.length === 4 && parts.every(isByte) ? 32 : undefined;
}

/** RFC 4291, section 2.2. */
function ipv6Bits(text: string): number | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [before, after = ''] = halves;
  const head = groupCount(before!, halves.length === 1);
  const tail = groupCount(after, true);
  if (head === undefined || tail === undefined) return undefined;
  return (halves.length === 2 ? head + tail < 8 : head === 8) ? 128 : undefined;
}

/** Number of 16-bit groups; the last four bytes may be written as IPv4. */
function groupCount(text: string, mayEndInIpv4: boolean): number | undefined {
  if (text === '') return 0;
  const groups = text.split(':');
  const last = groups.at(-1)!;
  const endsInIpv4 = mayEndInIpv4 && ipv4Bits(last) !== undefined;
  const plain = endsInIpv4 ? groups.slice(0, -1) : groups;
  return plain.every(group => /^[0-9a-fA-F]{1,4}$/.test(group)) ? plain.length + (endsInIpv4 ? 2 : 0) : undefined;
}

/** RFC 7617, section 2: neither the user name nor the password may contain control characters. */
const CONTROL = /[\x00-\x1f\x7f]/;

/** Returns the problem with `user:password`, or undefined. The message follows the name of the value. */
function credentialsProblem(
  value: string,
  { min, max }: Extract<ConfigType, { kind: 'credentials' }>,
): Pick<Finding, 'code' | 'message' | 'args'> | undefined {
  const colon = value.indexOf(':');
  if (colon < 0) return { code: 'config/bad-shape', message: 'must be `user:password`', args: {} };
  const password = value.slice(colon + 1);
  const hasControl = CONTROL.test(value.slice(0, colon))
    ? 'user name'
    : CONTROL.test(password)
      ? 'password'
      : undefined;
  if (hasControl !== undefined) {
    const refusal = hasControl === 'password' ? 2258 : 2257;
    const message = `must not contain control characters, found one in the ${hasControl}; remove it`;
    return { code: 'config/bad-credentials', message, args: { part: hasControl, refusal } };
  }
  if (password.length < min) {
    const message = `must have a password of at least ${min} characters, found ${password.length}`;
    return { code: 'config/too-short', message, args: { min, found: password.length } };
  }
  if (password.length <= max) return undefined;
  const message = `must have a password of at most ${max} characters, found ${password.length}`;
  return { code: 'config/too-long', message, args: { max, found: password.length } };
}

/** RFC 1035, section 2.3.1, plus underscores and leading digits, which are in use. */
export const DOMAIN_PATTERN =
  '^[.]?(?=.{1,253}$)(?:[a-zA-Z0-9_](?:[a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?[.])*[a-zA-Z](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$';

const DOMAIN = new RegExp(DOMAIN_PATTERN, 'u');

/** Returns the problem with a domain name, or undefined. The message follows the name of the value. */
function domainProblem(value: string): Pick<Finding, 'code' | 'message' | 'args'> | undefined {
  if (!DOMAIN.test(value)) {
    const message = `must be a domain such as \`example.com\`, found \`${value}\`${/[:/]/.test(value) ? '; remove the scheme, port and path' : ''}`;
    return { code: 'config/bad-domain', message, args: { found: value } };
  }
  const encoded = value.split('.').filter(label => /^xn--/i.test(label));
  if (encoded.every(label => decodePunycode(label.slice(4)) !== undefined)) return undefined;
  const message = `must be a domain in valid Punycode, found \`${value}\``;
  return { code: 'config/bad-punycode', message, args: { found: value } };
}

// The parameters of RFC 3492, section 5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST = 0x80;

/** Decodes a label without its `xn--` prefix (RFC 3492, section 6.2); undefined if it is malformed. */
export function decodePunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-');
  const points = delimiter > 0 ? Array.from(text.slice(0, delimiter), basic => basic.charCodeAt(0)) : [];
  let at = delimiter > 0 ? delimiter + 1 : 0;
  let codePoint = FIRST;
  let index = 0;
  let bias = 72;
  while (at < text.length) {
    const before = index;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text[at++]);
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = points.length + 1;
    bias = adapt(index - before, count, before === 0);
    codePoint += Math.floor(index / count);
    index %= count;
    if (codePoint > 0x10_ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return undefined;
    points.splice(index++, 0, codePoint);
  }
  return points.some(point => point >= FIRST) ? String.fromCodePoint(...points) : undefined;
}

function digitOf(character = ''): number | undefined {
  if (/^[a-z]$/i.test(character)) return character.toLowerCase().charCodeAt(0) - 97;
  return /^\d$/.test(character) ? Number(character) + 26 : undefined;
}

/** RFC 3492, section 6.1. */
function adapt(delta: number, count: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? DAMP : 2));
  left += Math.floor(left / count);
  let k = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) left = Math.floor(left / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}

const SECONDS: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

/** An unsigned duration in Go's syntax. */
export const DURATION_PATTERN = '^(?:0|(?:\\d+(?:\\.\\d+)?(?:ns|us|µs|ms|s|m|h))+)$';

const DURATION = new RegExp(DURATION_PATTERN, 'u');

/** Returns the seconds of an unsigned duration in Go's syntax, such as `1h30m`, or undefined if it is malformed. */
export function durationSeconds(text: string): number | undefined {
  if (text === '0') return 0;
  if (!DURATION.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit!]!, 0);
}

/** The value being checked: its name in messages, what it may contain, and where to report. */
export interface ValueContext {
  readonly what: string;
  /** Context for expressions in the configuration. */
  readonly expressions: ExpressionContext;
  /** How expressions are embedded in the value's strings. */
  readonly interpolation: Interpolation | undefined;
  readonly reporter: Reporter;
  /** The source text. */
  readonly document: string;
  /** True if the string is the body of an HTTP message. */
  readonly isBody: boolean;
  /** The vendor's error numbers for the field, by code. */
  readonly refusals: ConfigField['refusals'];
  readonly cache: ExpressionCache | undefined;
  /** Collects the expressions. */
  readonly embedded: EmbeddedExpression[];
}

/** The properties that differ between values. */
type ValueTraits = Pick<ValueContext, 'what' | 'interpolation' | 'isBody' | 'refusals'>;

/** Returns the context of a nested value. Hot: spelled out, because spreading an object of unknown shape is several times slower. */
export function contextOf(outer: ValueContext, { what, interpolation, isBody, refusals }: ValueTraits): ValueContext {
  const { expressions, reporter, document, cache, embedded } = outer;
  return { what, expressions, interpolation, reporter, document, isBody, refusals, cache, embedded };
}

/** Returns the context with another name for the value. */
export function named(outer: ValueContext, what: string): ValueContext {
  return contextOf(outer, { ...traitsOf(outer), what });
}

function traitsOf({ what, interpolation, isBody, refusals }: ValueContext): ValueTraits {
  return { what, interpolation, isBody, refusals };
}

/** Reports a problem with a value, with the vendor's error number if its field has one. */
export function reportValue({ reporter, refusals }: ValueContext, finding: Finding): void {
  const refusal = refusals?.[finding.code];
  reporter.report(refusal === undefined ? finding : { ...finding, args: { ...finding.args, refusal } });
}
