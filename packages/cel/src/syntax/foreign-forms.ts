// Whole constructs of JavaScript, Python and nginx in an expression, such as `/^a/.test(b)`, `a if b else c` or `$uri = /a`: one finding with
// the form in CEL.

import type { Range } from '@tollgate/diagnostics';
import type { ParseFinding } from './reporter.ts';

/** A construct, and how CEL writes it. */
interface ForeignForm {
  /** Matched against a source whose strings are masked. */
  readonly pattern: RegExp;
  readonly what: string;
  /** Returns what to write; the parts are those of the source, not masked. */
  readonly write: (parts: readonly string[]) => string;
  /** True if what is to be written can replace what was found. */
  readonly isExact?: true;
}

const OF_CONFIGURATIONS = '`${…}` is for strings of a configuration, and this is an expression already';

const FORMS: readonly ForeignForm[] = [
  {
    pattern: /\/((?:[^\s/\\[]|\\.|\[[^\s\]]{0,99}\]){1,99})\/([a-z]{0,4})\.(?:test|exec)\(([\w.]{1,99})\)/d,
    what: 'regular expressions are strings',
    write: ([, body = '', flags = '', operand = '']) => `${operand}.matches(${patternSource(body, flags)})`,
    isExact: true,
  },
  {
    pattern:
      /\b([\w.]{1,99})\.(?:match|matches|search|test)\(\/((?:[^\s/\\[]|\\.|\[[^\s\]]{0,99}\]){1,99})\/([a-z]{0,4})\)/d,
    what: 'regular expressions are strings',
    write: ([, operand = '', body = '', flags = '']) => `${operand}.matches(${patternSource(body, flags)})`,
    isExact: true,
  },
  {
    pattern:
      /(?<![\w.)\]])([A-Za-z_][\w.]{0,99}(?:\[[^\][]{1,99}\]){0,9})\.(replace|replaceAll)\(\/((?:[^\s/\\[]|\\.|\[[^\s\]]{0,99}\]){1,99})\/([a-z]{0,4}), ?('[^']{0,99}'|"[^"]{0,99}")\)/d,
    what: 'regular expressions are strings',
    write: ([, operand = '', name = '', body = '', flags = '', by = '']) => replacement(operand, name, body, flags, by),
    isExact: true,
  },
  {
    pattern:
      /(?<![\w.)\]])([A-Za-z_][\w.]{0,99}(?:\[[^\][]{1,99}\]){0,9}) ?(!?)(=?)~(\*?) ?('[^']{1,199}'|"[^"]{1,199}"|[\^/\\.][^\s'"()]{0,199})/d,
    what: '`matches` is a method',
    write: ([, operand = '', not = '', perl = '', ignoresCase = '', pattern = '']) => {
      const [, delimited, flags = ignoresCase && 'i'] = (perl && /^\/(.+)\/([a-z]*)$/.exec(pattern)) || [];
      const body = delimited ?? (/^['"]/.test(pattern) ? pattern.slice(1, -1) : pattern);
      return `${not}${operand}.matches(${patternSource(body, flags)})`;
    },
    isExact: true,
  },
  {
    pattern: /\bnew RegExp\((["'] {0,99}["'])\)\.test\(([\w.]{1,99})\)/d,
    what: 'regular expressions are strings',
    write: ([, literal = '', operand = '']) => `${operand}.matches(${literal})`,
    isExact: true,
  },
  {
    pattern:
      /\bre\.(match|search|fullmatch|findall)\((r?(?:' {0,199}'|" {0,199}")), ?([\w.]{1,99}(?:\[[^\][]{1,99}\])*)\)(?: (is not|is|!=|==) None)?/d,
    what: '`matches` is a method',
    write: ([, name = '', literal = '', operand = '', test = '']) =>
      `${test === 'is' || test === '==' ? '!' : ''}${operand}.matches(${anchored(literal, name)})`,
    isExact: true,
  },
  {
    pattern: /`\$\{([^{}`]{1,199})\}`/d,
    what: 'an expression needs no quotes',
    write: ([, inner = '']) => inner.trim(),
    isExact: true,
  },
  {
    pattern:
      /\b(?:in|IN|In) ?\(((?:[\w.-]{1,99}|' {0,199}'|" {0,199}")(?:, ?(?:[\w.-]{1,99}|' {0,199}'|" {0,199}")){0,99}),?\)/d,
    what: 'a list is written in brackets',
    write: ([, elements = '']) => `in [${elements}]`,
    isExact: true,
  },
  {
    pattern: /\$\{([^{}\s][^{}]{0,199})\}/d,
    what: OF_CONFIGURATIONS,
    write: ([, inner = '']) => inner.trim(),
    isExact: true,
  },
  {
    pattern: /\b([\w.]{1,99})\[(\d{1,9}):(\d{1,9})\]/d,
    what: 'slices are a method',
    write: ([, operand = '', from = '', to = '']) => `${operand}.substring(${from}, ${to})`,
    isExact: true,
  },
  {
    pattern:
      /\b(any|all)\(((?:[^()]|\([^()]{0,99}\)){1,199}) for ([A-Za-z_]\w{0,99}) in ([\w.]{1,99}|\[[^\]]{0,199}\])\)/d,
    what: 'a loop is a method of its list',
    write: ([, name = '', body = '', variable = '', list = '']) =>
      `${list}.${name === 'any' ? 'exists' : 'all'}(${variable}, ${body})`,
    isExact: true,
  },
  {
    pattern: /\b[fF](?:' {0,199}'|" {0,199}")/d,
    what: 'strings are joined with `+`',
    write: () => "'…' + a",
  },
  {
    pattern: /\btypeof ([A-Za-z_][\w.]{0,99}(?:\[[^\][]{1,99}\])?) ?([!=]={1,2}) ?(' {0,19}'|" {0,19}")/d,
    what: 'types are not strings',
    write: ([, operand = '', operator = '', name = '']) => typeTest(operand, operator[0] === '!', name.slice(1, -1)),
    isExact: true,
  },
];

/** Returns a finding for a construct of another language in an expression that cannot be parsed; undefined if there is none. */
export function foreignForm(source: string): ParseFinding | undefined {
  const masked = source.replaceAll(/'[^'\n]*'|"[^"\n]*"/g, text => text[0] + ' '.repeat(text.length - 2) + text[0]);
  const whole = WHOLES.reduce<ParseFinding | undefined>((found, one) => found ?? one(masked, source), undefined);
  if (whole) return whole;
  for (const { pattern, what, write, isExact } of FORMS) {
    const match = pattern.exec(masked);
    if (!match?.indices) continue;
    const parts = match.indices.map(span => (span ? source.slice(span[0], span[1]) : ''));
    const range = { start: match.index, end: match.index + match[0].length };
    return finding(source, { range, what, newText: write(parts), isExact: isExact ?? false });
  }
  return undefined;
}

/** `'${a('b')}'`: a string ends at the first quote inside of it, so the rest is no expression. */
function quotedInterpolation(_: string, source: string): ParseFinding | undefined {
  const [whole = '', quote = '', inner = ''] = /(['"])\$\{([^{}\n]{1,199})\}\1/.exec(source) ?? [];
  if (!inner.includes(quote) || whole === '') return undefined;
  const start = source.indexOf(whole);
  return finding(source, {
    range: { start, end: start + whole.length },
    what: OF_CONFIGURATIONS,
    newText: inner.trim(),
    isExact: true,
  });
}

/** `return a;`, `const a = b; a == c` and `if (a) { … }`, for the whole expression. */
function statements(masked: string, source: string): ParseFinding | undefined {
  const [, first = '', keyword] = /^(\s*)(const|let|var|return|if(?= ?\())\b/.exec(masked) ?? [];
  if (keyword === undefined) return undefined;
  const newText =
    keyword === 'if' ? conditionOf(masked, source) : resultOf(statementsOf(masked, { start: first.length }), source);
  if (newText === undefined) return undefined;
  const isBinding = keyword !== 'if' && keyword !== 'return';
  const what = isBinding ? 'an expression has no variables' : `an expression has no \`${keyword}\``;
  return finding(source, { range: { start: 0, end: source.length }, what, newText, isExact: true });
}

/** `if (a) …`: the condition, negated if the statement returns false. */
function conditionOf(masked: string, source: string): string | undefined {
  const open = masked.indexOf('(');
  const close = closingOf(masked, open);
  const body = masked.slice(close + 1).trim();
  if (close < 0 || !/^(?:$|\{|return\b)/.test(body)) return undefined;
  const condition = source.slice(open + 1, close).trim();
  return /^\{? ?return false\b/.test(body) ? `!(${condition})` : condition;
}

/** Returns the statements of a text, by semicolons that are in no brackets. */
function statementsOf(masked: string, { start }: { readonly start: number }): readonly Range[] {
  const depths = depthsOf(masked);
  const ends = [...masked.matchAll(/;/g)].map(({ index }) => index).filter(at => depths[at] === 0);
  return [...ends, masked.length].map((end, at) => ({ start: at === 0 ? start : ends[at - 1]! + 1, end }));
}

/** Returns the last statement, with the values of the variables in place of their names. */
function resultOf(ranges: readonly Range[], source: string): string | undefined {
  const values = new Map<string, string>();
  const texts = ranges.map(({ start, end }) => source.slice(start, end).trim()).filter(text => text !== '');
  for (const [at, text] of texts.entries()) {
    const [, name, value] = /^(?:const|let|var) +([A-Za-z_]\w*) ?=(?!=)(.*)$/s.exec(text) ?? [];
    const last = withValues(value ?? text.replace(/^return\b/, ''), values).trim();
    if (last === '') return undefined;
    if (at === texts.length - 1) return last;
    if (name === undefined) return undefined;
    values.set(name, last);
  }
  return undefined;
}

/** Replaces the names of variables outside of strings and member names. */
function withValues(text: string, values: ReadonlyMap<string, string>): string {
  const isWhole = (name: string) => text.trim() === name;
  return text.replaceAll(/'[^'\n]*'|"[^"\n]*"|(?<![\w.])[A-Za-z_]\w*/g, name => {
    const value = values.get(name);
    if (value === undefined) return name;
    return isWhole(name) || /^[\w.]+(?:\[[^\][]*\])*$|^'[^']*'$|^"[^"]*"$/.test(value) ? value : `(${value})`;
  });
}

/** Returns the closing bracket of an opening one, or -1. */
function closingOf(masked: string, open: number): number {
  const depths = depthsOf(masked);
  return depths.findIndex((depth, at) => at > open && depth <= depths[open]!);
}

/** Returns how many brackets are open around each character; those of a pair are outside of it. */
function depthsOf(masked: string): readonly number[] {
  let depth = 0;
  return masked.split('').map(character => {
    if (/[)\]}]/.test(character)) depth--;
    return /[([{]/.test(character) ? depth++ : depth;
  });
}

/** `$a`, as variables of nginx and PHP, for the whole expression. */
function prefixedVariables(masked: string, source: string): ParseFinding | undefined {
  const variables = [...masked.matchAll(/\$(?=[A-Za-z_])/g)].map(({ index }) => ({
    range: { start: index, end: index + 1 },
    newText: '',
  }));
  const [first] = variables;
  if (!first) return undefined;
  // nginx needs no quotes around a pattern.
  const patterns = [...masked.matchAll(/(~\*? ?)([A-Za-z0-9][^\s'"()]*)/g)].map(
    ({ index, 1: operator = '', 2: word = '' }) => {
      const start = index + operator.length;
      return { range: { start, end: start + word.length }, newText: stringOf(word) };
    },
  );
  const edits = [...variables, ...patterns].toSorted((a, b) => a.range.start - b.range.start);
  const newText = applied(source, edits);
  return {
    code: 'syntax/foreign-form',
    message: `variables have no prefix; write \`${newText}\``,
    range: first.range,
    args: { found: '$' },
    fixes: [{ title: `write \`${newText}\``, applicability: 'suggestion', edits }],
  };
}

/** The loops of other languages, and those of CEL. */
const LOOPS: ReadonlyMap<string, string> = new Map([
  ['some', 'exists'],
  ['any', 'exists'],
  ['find', 'exists'],
  ['every', 'all'],
]);

/** `.some(a => b)`. */
function arrowLoop(masked: string, source: string): ParseFinding | undefined {
  const match = /\.(some|any|find|every|all|exists|filter|map)\(\(?([A-Za-z_]\w{0,99})\)? ?=>/.exec(masked);
  if (!match) return undefined;
  const [text, name = '', variable = ''] = match;
  const close = closingOf(masked, match.index + name.length + 1);
  if (close < 0) return undefined;
  const written = source.slice(match.index + text.length, close).trim();
  const [, returned] = /^\{ ?return\b(.*?);? ?\}$/s.exec(written) ?? [];
  return finding(source, {
    range: { start: match.index, end: close + 1 },
    what: 'a loop names its variable first',
    newText: `.${LOOPS.get(name) ?? name}(${variable}, ${(returned ?? written).trim()})`,
    isExact: true,
  });
}

/** `a[b] ?? c` and `a.b ?? c`. */
function defaultValue(masked: string, source: string): ParseFinding | undefined {
  const match =
    /(?<![\w.)\]])([A-Za-z_][\w.]{0,99})((?:\[[^\][]{1,99}\]){0,9}) ?\?\? ?('[^']{0,99}'|"[^"]{0,99}"|\[[^\][]{0,99}\]|[\w.]{1,99}(?:\[[^\][]{1,99}\]){0,9})/d.exec(
      masked,
    );
  if (!match?.indices) return undefined;
  const parts = match.indices.map(span => (span ? source.slice(span[0], span[1]) : ''));
  const [, map = '', keys = '', otherwise = ''] = parts;
  const [, key] = /^\[([^\][]+)\]/.exec(keys) ?? [];
  if (key === undefined && !map.includes('.')) return undefined;
  const range = { start: match.index, end: match.index + match[0].length };
  const value = `${key === undefined ? `has(${map})` : `${key} in ${map}`} ? ${map}${keys} : ${otherwise}`;
  const isFree =
    /(?:^|[([,])$/.test(source.slice(0, range.start).trim()) && /^(?:$|[)\],])/.test(source.slice(range.end).trim());
  const newText = isFree ? value : `(${value})`;
  return finding(source, { range, what: 'CEL has no `??`', newText, isExact: true });
}

const WHOLES = [
  statements,
  quotedInterpolation,
  prefixedVariables,
  conditionalOf,
  optionalChain,
  arrowLoop,
  defaultValue,
];

/** `a if b else c`, for the whole expression. */
function conditionalOf(masked: string, source: string): ParseFinding | undefined {
  const [condition, otherwise] = [masked.indexOf(' if '), masked.indexOf(' else ')];
  if (condition < 0 || otherwise < condition) return undefined;
  const part = (start: number, end?: number) => source.slice(start, end).trim();
  const [value, test, other] = [part(0, condition), part(condition + 4, otherwise), part(otherwise + 6)];
  if ([value, test, other].includes('') || /^if\b/.test(value)) return undefined;
  return finding(source, {
    range: { start: 0, end: source.length },
    what: 'a condition comes first',
    newText: `${test} ? ${value} : ${other}`,
    isExact: true,
  });
}

/** `a?.b` and `a?.[0]`, for the whole expression. */
function optionalChain(masked: string, source: string): ParseFinding | undefined {
  const chains = [...masked.matchAll(/\?\.(?=([A-Za-z_[]))/g)];
  const [first] = chains;
  if (!first) return undefined;
  const edits = chains.map(({ index, 1: next }) => ({
    range: { start: index, end: index + 2 },
    newText: next === '[' ? '' : '.',
  }));
  const newText = applied(source, edits);
  const range = { start: first.index, end: first.index + 2 };
  return {
    code: 'syntax/foreign-form',
    message: `CEL has no \`?.\`: reading an absent value is an error, and the condition does not hold; write \`${newText}\``,
    range,
    args: { found: '?.' },
    fixes: [{ title: `write \`${newText}\``, applicability: 'suggestion', edits }],
  };
}

function applied(source: string, edits: readonly { readonly range: Range; readonly newText: string }[]): string {
  return edits.reduceRight(
    (text, { range, newText }) => text.slice(0, range.start) + newText + text.slice(range.end),
    source,
  );
}

interface FoundForm {
  readonly range: Range;
  readonly what: string;
  readonly newText: string;
  readonly isExact: boolean;
}

function finding(source: string, { range, what, newText, isExact }: FoundForm): ParseFinding {
  return {
    code: 'syntax/foreign-form',
    message: `${what}; write \`${newText}\``,
    range,
    args: { found: source.slice(range.start, range.end) },
    ...(isExact && {
      fixes: [{ title: `write \`${newText}\``, applicability: 'suggestion', edits: [{ range, newText }] }],
    }),
  };
}

const TYPE_TESTS: ReadonlyMap<string, string> = new Map([
  ['boolean', 'bool'],
  ['number', 'double'],
  ['object', 'map'],
]);

/** Returns the test of a type that JavaScript knows by its name: of `undefined`, whether a value is there. */
function typeTest(operand: string, isNot: boolean, name: string): string {
  if (name !== 'undefined') return `type(${operand}) ${isNot ? '!=' : '=='} ${TYPE_TESTS.get(name) ?? name}`;
  const [, map, key] = /^([^[]*)\[([^\]]*)\]$/.exec(operand) ?? [];
  if (map !== undefined) return isNot ? `${key} in ${map}` : `!(${key} in ${map})`;
  return `${isNot ? '' : '!'}has(${operand})`;
}

/** Returns the literal of a pattern that matches where Python's function does. */
function anchored(literal: string, name: string): string {
  const start = literal.search(/["']/) + 1;
  const [before, pattern, quote] = [literal.slice(0, start), literal.slice(start, -1), literal.at(-1)!];
  if (name === 'fullmatch') return `${before}^(?:${pattern})$${quote}`;
  return name === 'match' && !pattern.startsWith('^') ? `${before}^(?:${pattern})${quote}` : literal;
}

/** Returns the call that replaces what a regular expression of JavaScript matches: all with the flag `g`, else the first. */
function replacement(operand: string, name: string, body: string, flags: string, by: string): string {
  const limit = flags.includes('g') || name === 'replaceAll' ? '' : ', 1';
  const text = body.replaceAll(/\\([^\w\s])/g, '$1');
  const isPlain = !flags.includes('i') && /^(?:[^\\^$.*+?()[\]{}|]|\\[^\w\s])+$/.test(body) && !by.includes('$');
  if (isPlain) return `${operand}.replace(${stringOf(text)}, ${by}${limit})`;
  const groups = by
    .slice(1, -1)
    .replaceAll('\\', '\\\\')
    .replaceAll('$&', '\\0')
    .replaceAll(/\$([1-9])/g, '\\$1');
  return `regex.replace(${operand}, ${patternSource(body, flags)}, ${stringOf(groups)}${limit})`;
}

/** Returns a pattern as a string: raw, if it has escapes. */
function patternSource(body: string, flags: string): string {
  const pattern = (flags.includes('i') ? '(?i)' : '') + body.replaceAll('\\/', '/');
  return stringOf(pattern);
}

function stringOf(value: string): string {
  const quote = value.includes("'") ? '"' : "'";
  return `${value.includes('\\') ? 'r' : ''}${quote}${value}${quote}`;
}
