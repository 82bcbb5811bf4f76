// Whole constructs of JavaScript and Python in an expression, such as `/^a/.test(b)` or `a if b else c`: one finding with the form in CEL.

import type { Range } from '@tollgate/diagnostics';
import type { Finding } from './reporter.ts';

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
    what: '`${…}` is for strings of a configuration, and this is an expression already',
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
    pattern: /\.(some|find|every|filter|map)\(\(?([A-Za-z_]\w{0,99})\)? ?=>/d,
    what: 'a loop names its variable first',
    write: ([, name = '', variable = '']) => `.${LOOPS.get(name) ?? name}(${variable}, …)`,
  },
  {
    pattern: /\b(any|all)\(([^()]{1,199}) for ([A-Za-z_]\w{0,99}) in ([\w.]{1,99}|\[[^\]]{0,199}\])\)/d,
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

const LOOPS: ReadonlyMap<string, string> = new Map([
  ['some', 'exists'],
  ['find', 'exists'],
  ['every', 'all'],
]);

/** Returns a finding for a construct of another language in an expression that cannot be parsed; undefined if there is none. */
export function foreignForm(source: string): Finding | undefined {
  const masked = source.replaceAll(/'[^'\n]*'|"[^"\n]*"/g, text => text[0] + ' '.repeat(text.length - 2) + text[0]);
  const whole = conditionalOf(masked, source) ?? optionalChain(masked, source);
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

/** `a if b else c`, for the whole expression. */
function conditionalOf(masked: string, source: string): Finding | undefined {
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
function optionalChain(masked: string, source: string): Finding | undefined {
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

function finding(source: string, { range, what, newText, isExact }: FoundForm): Finding {
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

/** Returns a pattern as a string: raw, if it has escapes. */
function patternSource(body: string, flags: string): string {
  const pattern = (flags.includes('i') ? '(?i)' : '') + body.replaceAll('\\/', '/');
  const quote = pattern.includes("'") ? '"' : "'";
  return `${pattern.includes('\\') ? 'r' : ''}${quote}${pattern}${quote}`;
}
