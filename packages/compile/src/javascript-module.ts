/** A plan as an ES module without dependencies: the generated conditions, and a runtime that is part of its text. */
import { compilePattern } from '@tollgate/cel/tooling';
import { decodedPath, queryParams, requestFacts, spelledAddress } from '@tollgate/traffic';
import type { Condition, Constant, Input, Value } from './condition.ts';
import { endingCondition, findUnsupported, type PolicyPlan, type UnsupportedConstruct } from './plan-policy.ts';

/** A module, or the first pattern that has no exact `RegExp` that runs in linear time. */
export type JavascriptResult = { readonly code: string } | { readonly unsupported: UnsupportedConstruct };

/** Returns an ES module without dependencies that decides what the policy decides. It needs no code generation at run time. */
export function javascriptModule(plan: PolicyPlan): JavascriptResult {
  const { rules, inputs } = plan;
  const patterns = new Map<string, string>();
  // V8 and other engines cannot run every pattern exactly and in linear time.
  const unsupported = findUnsupported(rules, condition => {
    if (condition.kind !== 'pattern') return undefined;
    const compiled = compilePattern(condition.pattern);
    const code = 'kind' in compiled ? testCode(compiled) : undefined;
    if (code === undefined) return { construct: `pattern \`${condition.pattern}\``, range: condition.range };
    patterns.set(condition.pattern, code);
    return undefined;
  });
  if (unsupported !== undefined) return { unsupported };
  const paths = new Map(inputs.map(({ path }) => [path, ownPath(path, inputs)]));
  const tests = rules.map(rule => `input => ${conditionCode(endingCondition(rule), { patterns, paths })}`);
  const written = tests.join('\n');
  const outcomes = rules.map(({ outcome: { kind, status, action }, label, rule }) =>
    JSON.stringify({ outcome: kind, status, action, rule: label, name: rule.name?.value }),
  );
  const code = `${HEAD}
/**
 * What the policy reads of a request; what is left out is unknown.
 * @typedef {${inputType(inputs, paths)}} Input
 */

${RUNTIME}${/\b(?:bytesOf|within)\(/.test(written) ? NETWORK : ''}
const TESTS = [
${tests.map(test => `  ${test},`).join('\n')}
];

/** @type {readonly Decision[]} */
const DECISIONS = [
${outcomes.map(outcome => `  ${outcome},`).join('\n')}
];

${formCode(plan, paths)}
${DECIDE}
${requestCode(plan, paths)}`;
  return { code };
}

/** Returns the code that brings inputs into the form that the evaluator has; what is of another type or form is unknown. */
function formCode({ inputs, headerNames }: PolicyPlan, paths: ReadonlyMap<string, string>): string {
  const forms = inputs.map(input => [paths.get(input.path)!, `${formOf(input)})`] as const);
  return `const headerName = ${HEADER_NAMES[headerNames]};
const spelledAddress = ${spelledAddress};
${FORMS}
const canonical = input => (${treeCode(forms.map(([path, form]) => [path, form.replace('(', `(${pathCode(path)}`)]))});
`;
}

function formOf({ type, role }: Input): string {
  if (role === 'client-address' || role === 'server-address') return 'address(';
  if (type === 'headers') return isHeaderRole(role) ? 'listed(, headerName' : 'listed(, name => name';
  return `${type}(`;
}

const isHeaderRole = (role: Input['role']): boolean => /-(?:headers|trailers)$/.test(role ?? '');

const HEADER_NAMES: Readonly<Record<PolicyPlan['headerNames'], string>> = {
  'lower-case': 'name => name.toLowerCase()',
  // As Go's `CanonicalMIMEHeaderKey` does.
  canonical:
    "name => (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) ? name.toLowerCase().replace(/(^|-)[a-z]/g, start => start.toUpperCase()) : name)",
};

/** Returns the code that reads the inputs of a live request. */
function requestCode({ inputs }: PolicyPlan, paths: ReadonlyMap<string, string>): string {
  const values = inputs.flatMap(input => {
    const value = valueOfRequest(input);
    return value === undefined ? [] : [[paths.get(input.path)!, value] as const];
  });
  return `const requestFacts = ${requestFacts};
const decodedPath = ${decodedPath};
const queryParams = ${queryParams};
${REQUEST}
export function inputOf(request, connection = {}) {
  const facts = requestFacts(request, connection, spelledAddress);
  return ${treeCode(values)};
}
`;
}

/** Returns the code of an input; undefined if requests do not say it, so that it is unknown. */
function valueOfRequest({ path, role }: Input): string | undefined {
  switch (role) {
    case 'client-address':
      return 'facts.clientIp';
    case 'method':
      return 'facts.method';
    case 'url':
      return 'facts.url';
    case 'query':
      return 'facts.query';
    case 'path-and-query':
      return 'facts.target';
    case 'query-parameters':
      return 'queryParams(facts.query)';
    case 'path':
      return path.endsWith('raw_path') ? 'facts.path' : 'facts.path && decodedPath(facts.path)';
    case 'host':
      return path.includes('url') ? partOfUrl(path.endsWith('.authority')) : 'facts.host';
    case 'request-headers':
      return 'headersOf(facts)';
    default:
      return undefined;
  }
}

/** Returns the code of the host of the URL, with its port or without. Hosts in another form, such as capital letters, are unknown. */
function partOfUrl(hasPort: boolean): string {
  const host = hasPort ? '([a-z0-9.-]+(?::[0-9]+)?)' : '([a-z0-9.-]+)(?::[0-9]+)?';
  return `facts.url && /^https?:[/][/]${host}[/]/.exec(facts.url)?.[1]`;
}

/** Returns an object of values by path: `{ req: { Path: … } }`. */
function treeCode(values: readonly (readonly [path: string, code: string])[]): string {
  const byName = Map.groupBy(values, ([path]) => path.split('.', 1)[0]!);
  const members = [...byName].map(([name, group]) => {
    const [first] = group;
    const isLeaf = group.length === 1 && first![0] === name;
    return `${name}: ${isLeaf ? first![1] : treeCode(group.map(([path, code]) => [path.slice(name.length + 1), code]))}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function testCode(compiled: object): string | undefined {
  if (!('kind' in compiled)) return undefined;
  if (compiled.kind === 'regexp' && 'regexp' in compiled) return `text => ${String(compiled.regexp)}.test(text)`;
  const literal = 'text' in compiled ? JSON.stringify(compiled.text) : undefined;
  if (literal === undefined) return undefined;
  if (compiled.kind === 'literal') return `text => text.includes(${literal})`;
  if (compiled.kind === 'prefix') return `text => text.startsWith(${literal})`;
  if (compiled.kind === 'suffix') return `text => text.endsWith(${literal})`;
  return compiled.kind === 'equals' ? `text => text === ${literal}` : undefined;
}

/** What code refers to: tests by pattern, and where inputs are, by path. */
interface Written {
  readonly patterns: ReadonlyMap<string, string>;
  readonly paths: ReadonlyMap<string, string>;
}

/** A string with fields is their `text` if they are read, too: `req.url.text` next to `req.url.path`. */
function ownPath(path: string, inputs: readonly Input[]): string {
  return inputs.some(other => other.path.startsWith(`${path}.`)) ? `${path}.text` : path;
}

function conditionCode(condition: Condition, written: Written): string {
  const code = (part: Condition) => conditionCode(part, written);
  const valueCode = (value: Value) => valueCodeOf(value, written);
  const inputCode = ({ path }: Input) => pathCode(written.paths.get(path)!);
  switch (condition.kind) {
    case 'constant':
      return condition.value ? '3' : '0';
    case 'and':
      return condition.parts.length === 1 ? code(condition.parts[0]!) : `and(${condition.parts.map(code).join(', ')})`;
    case 'or':
      return `or(${condition.parts.map(code).join(', ')})`;
    case 'not':
      return `not(${code(condition.part)})`;
    case 'holds':
      return `holds(${code(condition.part)})`;
    case 'choice':
      return `choose(${[condition.test, condition.yes, condition.no].map(code).join(', ')})`;
    case 'input':
      return `test(${inputCode(condition.input)}, value => value)`;
    case 'key':
      return `has(${inputCode(condition.input)}, ${JSON.stringify(condition.key)})`;
    case 'comparison': {
      const { operator, value, other } = condition;
      const isText = [value, other].some(
        one =>
          one.kind === 'element' ||
          (one.kind === 'constant'
            ? typeof one.value === 'string'
            : one.kind === 'input' && one.input.type === 'string'),
      );
      const isEquality = operator === '==' || operator === '!=';
      const comparison = isEquality ? `a ${operator}= b` : isText ? `order(a, b) ${operator} 0` : `a ${operator} b`;
      return `both(${valueCode(value)}, ${valueCode(other)}, (a, b) => ${comparison})`;
    }
    case 'text':
      return `both(${valueCode(condition.value)}, ${valueCode(condition.other)}, (a, b) => a.${TEXT[condition.operator]}(b))`;
    case 'membership':
      return `test(${valueCode(condition.value)}, value => ${JSON.stringify(condition.members)}.includes(value))`;
    case 'pattern':
      return `test(${valueCode(condition.value)}, ${written.patterns.get(condition.pattern)})`;
    case 'address':
      return `test(${valueCode(condition.value)}, value => bytesOf(value) !== undefined)`;
    case 'network':
      return `within(${valueCode(condition.value)}, [${condition.network.bytes.join(', ')}], ${condition.network.prefixLength})`;
  }
}

const TEXT = { startsWith: 'startsWith', endsWith: 'endsWith', contains: 'includes' } as const;

function valueCodeOf(value: Value, { paths }: Written): string {
  const inputCode = ({ path }: Input) => pathCode(paths.get(path)!);
  switch (value.kind) {
    case 'constant':
      return JSON.stringify(value.value satisfies Constant);
    case 'input':
      return inputCode(value.input);
    case 'size':
      return `size(${inputCode(value.input)})`;
    case 'element':
      return `element(${inputCode(value.input)}, ${JSON.stringify(value.key)}, ${value.position})`;
  }
}

/** Every part of a path may be left out. */
function pathCode(path: string): string {
  return `input${path
    .split('.')
    .map((name, at) => `${at === 0 ? '.' : '?.'}${name}`)
    .join('')}`;
}

interface TypeTree {
  readonly [name: string]: TypeTree | string;
}

/** Returns the type of the input: `{ req?: { Path?: string } }`. */
function inputType(inputs: readonly Input[], paths: ReadonlyMap<string, string>): string {
  const root: Record<string, TypeTree | string> = {};
  for (const { path, type } of inputs) {
    const names = paths.get(path)!.split('.');
    let at: Record<string, TypeTree | string> = root;
    for (const name of names.slice(0, -1)) {
      const next = at[name];
      const inner = typeof next === 'object' ? { ...next } : {};
      at[name] = inner;
      at = inner;
    }
    at[names.at(-1)!] = TYPES[type];
  }
  return typeText(root);
}

const TYPES: Readonly<Record<Input['type'], string>> = {
  string: 'string',
  int: 'number',
  bool: 'boolean',
  headers: 'Record<string, readonly string[]>',
};

function typeText(tree: TypeTree): string {
  const members = Object.entries(tree).map(
    ([name, type]) => `${name}?: ${typeof type === 'string' ? type : typeText(type)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
}

const HEAD = `// Generated by \`tollgate compile --to js\`; do not edit.

/**
 * @typedef {{ outcome: string, status?: number, action?: string, rule?: string, name?: string }} Decision
 */
`;

const RUNTIME = `// The value of a condition is 0 for false, 1 for unknown, 2 for an evaluation error, 3 for true: the least of them is the conjunction.
const FAILED = Symbol();
const and = (...parts) => Math.min(3, ...parts);
const holds = part => (part === 2 ? 0 : part);
const not = part => (part === 0 ? 3 : part === 3 ? 0 : part);
const or = (...parts) => not(and(...parts.map(not)));
const choose = (test, yes, no) => (test === 3 ? yes : test === 0 ? no : test);
const test = (value, holds) => (value === undefined ? 1 : value === FAILED ? 2 : holds(value) ? 3 : 0);
const both = (a, b, holds) => (a === undefined || b === undefined ? 1 : a === FAILED || b === FAILED ? 2 : holds(a, b) ? 3 : 0);
// The list under a name is undefined if nobody knows whether there is one.
const has = (map, key) => (map === undefined ? 1 : !Object.hasOwn(map, key) ? 0 : map[key] === undefined ? 1 : 3);
const size = value => (typeof value === 'string' ? [...value].length : value && Object.values(value).every(Boolean) ? Object.keys(value).length : undefined);
const element = (map, key, at) => (map === undefined || has(map, key) === 1 ? undefined : has(map, key) === 3 ? (map[key][at] ?? FAILED) : FAILED);
// Strings are ordered by code point.
const order = (a, b) => {
  const [one, other] = [[...a], [...b]];
  const at = one.findIndex((point, index) => point !== other[index]);
  if (at < 0) return one.length - other.length;
  return other[at] === undefined ? 1 : one[at].codePointAt(0) - other[at].codePointAt(0);
};
`;

/** Reads addresses as the evaluator does: no zones, no leading zeros, and IPv4-mapped addresses in hexadecimal are those of IPv4. */
const NETWORK = `const bytesOfIpv4 = text =>
  /^(?:(?:0|[1-9]\\d{0,2})(?:[.](?!$)|$)){4}$/.test(text) && text.split('.').every(part => part < 256) ? text.split('.').map(Number) : undefined;
const bytesOf = text => {
  if (!text.includes(':')) return bytesOfIpv4(text);
  if (text.length > 45 || text.split('::').length > 2 || text.includes(':::')) return undefined;
  const dotted = text.includes('.') ? bytesOfIpv4(text.slice(text.lastIndexOf(':') + 1)) : [];
  if (dotted === undefined) return undefined;
  const hex = dotted.length > 0 ? text.slice(0, text.lastIndexOf(':') + 1) : text;
  const halves = (dotted.length > 0 && !hex.endsWith('::') ? hex.slice(0, -1) : hex).split('::');
  const [first, last = []] = halves.map(half => (half === '' ? [] : half.split(':')));
  if (![...first, ...last].every(part => /^[0-9a-f]{1,4}$/i.test(part))) return undefined;
  const pairs = parts => parts.flatMap(part => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]);
  const [head, tail] = [pairs(first), [...pairs(last), ...dotted]];
  const missing = 16 - head.length - tail.length;
  if (halves.length > 1 ? missing < 2 : missing !== 0) return undefined;
  const bytes = [...head, ...Array(missing).fill(0), ...tail];
  const isMapped = bytes.slice(0, 10).every(byte => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? (dotted.length > 0 ? undefined : bytes.slice(12)) : bytes;
};
const within = (value, range, length) =>
  test(value === undefined || value === FAILED ? value : (bytesOf(value) ?? FAILED), bytes =>
    bytes.length === range.length &&
    range.every((byte, at) => ((byte ^ bytes[at]) & (0xff00 >> Math.max(0, Math.min(8, length - 8 * at))) & 255) === 0));
`;

const FORMS = `// What is of another type or form is unknown.
const string = value => (typeof value === 'string' ? value : undefined);
const int = value => (Number.isSafeInteger(value) ? value : undefined);
const bool = value => (typeof value === 'boolean' ? value : undefined);
const address = value => (typeof value === 'string' ? spelledAddress(value) : undefined);
const isList = value => Array.isArray(value) && value.every(one => typeof one === 'string');
const listed = (map, nameOf) => {
  if (Object.prototype.toString.call(map) !== '[object Object]') return undefined;
  const found = Object.create(null);
  for (const [name, value] of Object.entries(map)) {
    const key = nameOf(name);
    found[key] = isList(value) && !(key in found) ? value : undefined;
  }
  return found;
};`;

const REQUEST = `const headersOf = ({ fields, joined }) => {
  const found = Object.create(null);
  for (const { name, value } of fields) (found[headerName(name)] ??= []).push(value);
  for (const { name } of joined) found[headerName(name)] = undefined;
  return found;
};

/**
 * Returns what the policy reads of a request of Node's \`http\` or of a \`fetch\` handler. What it does not say, or what a proxy hides, is said by
 * \`connection\`, or unknown.
 * @param {import('node:http').IncomingMessage | Request} request
 * @param {{ clientIp?: string, scheme?: 'http' | 'https' }} [connection]
 * @returns {Input}
 */`;

const DECIDE = `/**
 * Returns the possible decisions on a request: exactly one unless it depends on something unknown.
 * @param {Input} input
 * @returns {Decision[]}
 */
export function decide(input) {
  const known = canonical(input);
  const found = [];
  for (let at = 0; at < TESTS.length; at++) {
    const result = TESTS[at](known);
    if (result === 1 || result === 3) found.push(DECISIONS[at]);
    if (result === 3) return found;
  }
  found.push({ outcome: 'passed' });
  return found;
}
`;
