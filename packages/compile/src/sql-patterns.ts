/** Patterns in RE2 syntax as tests in SQL, written in the syntax of the engine if it reads them with the same meaning. */
import {
  type CharSet,
  type CompiledPattern,
  compilePattern,
  LAST_CODE_POINT,
  negate,
  type PatternNode,
  patternTree,
} from '@tollgate/cel/tooling';
import { InternalError } from '@tollgate/diagnostics';
import { someNode } from './condition.ts';
import type { PatternSyntax, SqlDialect } from './sql-dialects.ts';

/** The test of a pattern in SQL, or why the engine has none with the same meaning. */
type PatternSql = { readonly sql: string } | { readonly refused: PatternRefusal };

/** What an engine lacks for a pattern. */
type PatternRefusal = 'unicode' | 'backtracking' | 'other';

/** Writes the test of a pattern in RE2 syntax, parsed and written again unless the engine runs RE2. */
export function patternSql(dialect: SqlDialect, value: string, pattern: string): PatternSql {
  const compiled = compilePattern(pattern);
  const tree = patternTree(pattern);
  if (!('kind' in compiled) || tree === undefined) return { refused: 'other' };
  const literal = literalSql(dialect, value, compiled);
  if (literal !== undefined) return { sql: literal };
  // Each engine, and each version of it, knows another version of Unicode.
  if (someNode(tree.node, ({ kind }) => kind === 'unicode-set')) return { refused: 'unicode' };
  const { syntax, matches } = dialect.regex;
  if (syntax === 're2') return { sql: matches(value, dialect.text(pattern)) };
  if (syntax.backtracks && !tree.boundedBacktracking) return { refused: 'backtracking' };
  const source = patternSource(tree.node, syntax);
  return source === undefined ? { refused: 'other' } : { sql: matches(value, dialect.text(source)) };
}

/** Returns the string search that a pattern is equivalent to, if it is. */
function literalSql(dialect: SqlDialect, value: string, compiled: CompiledPattern): string | undefined {
  if (!('text' in compiled) || compiled.text.includes('\0')) return undefined;
  const other = dialect.text(compiled.text);
  switch (compiled.kind) {
    case 'literal':
      return dialect.contains(value, other);
    case 'prefix':
      return dialect.startsWith(value, other);
    case 'suffix':
      return dialect.endsWith(value, other);
    default:
      return `${value} = ${other}`;
  }
}

/** Returns the test of a pattern of ours, which all dialects can express. */
export function fixedPattern({ text, regex: { syntax, matches } }: SqlDialect, value: string, pattern: string): string {
  const source = syntax === 're2' ? pattern : patternSource(patternTree(pattern)!.node, syntax);
  if (source === undefined) throw new InternalError('a pattern of ours is refused');
  return matches(value, text(source));
}

/** Returns the source of a pattern in syntax that the engines of Java, Joni and PostgreSQL read alike; undefined if that says too little. */
function patternSource(node: PatternNode, syntax: PatternSyntax): string | undefined {
  switch (node.kind) {
    case 'empty':
      return '';
    case 'set':
      return setSource(node.set, syntax);
    case 'assertion':
      return assertions(syntax)[node.what];
    case 'concat':
      return joined(node.items, '', syntax);
    case 'alternate':
      return grouped(joined(node.branches, '|', syntax));
    case 'repeat':
      return repeatSource(node, syntax);
    // Engines know different versions of Unicode.
    case 'unicode-set':
      return undefined;
  }
}

/** A word character is one of ASCII, and a line ends before a line feed only. */
function assertions({ textStart, textEnd }: PatternSyntax) {
  const word = '[0-9A-Za-z_]';
  return {
    'text-start': textStart,
    'text-end': textEnd,
    'line-start': `(?:${textStart}|(?<=\\u000a))`,
    'line-end': `(?:${textEnd}|(?=\\u000a))`,
    'word-boundary': `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
    'no-word-boundary': `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
  };
}

function joined(nodes: readonly PatternNode[], separator: string, syntax: PatternSyntax): string | undefined {
  const parts = nodes.map(node => patternSource(node, syntax));
  return parts.includes(undefined) ? undefined : parts.join(separator);
}

function grouped(source: string | undefined): string | undefined {
  return source === undefined ? undefined : `(?:${source})`;
}

type RepeatNode = Extract<PatternNode, { readonly kind: 'repeat' }>;

function repeatSource({ body, min, max }: RepeatNode, syntax: PatternSyntax): string | undefined {
  const source = patternSource(body, syntax);
  if (source === undefined || Math.max(min, max ?? 0) > syntax.maxRepeat) return undefined;
  if (max === 0) return '';
  // Not every engine repeats what is empty or an assertion.
  if (body.kind === 'empty' || body.kind === 'assertion') return min === 0 ? '' : source;
  const operand = body.kind === 'set' ? source : `(?:${source})`;
  if (max === undefined) return `${operand}${min === 0 ? '*' : min === 1 ? '+' : `{${min},}`}`;
  if (min === 0 && max === 1) return `${operand}?`;
  return `${operand}{${min === max ? min : `${min},${max}`}}`;
}

function setSource(set: CharSet, { firstCharacter }: PatternSyntax): string | undefined {
  const isNegated = set.at(-1) === LAST_CODE_POINT;
  const ranges = rangesSource(isNegated ? negate(set) : set, firstCharacter);
  if (ranges === '') return isNegated ? ANY : undefined;
  if (isNegated) return `[^${ranges}]`;
  return set.length === 2 && set[0] === set[1] ? ranges : `[${ranges}]`;
}

const ANY = '(?:[^a]|a)';

function rangesSource(set: CharSet, firstCharacter: number): string {
  let source = '';
  for (let at = 0; at < set.length; at += 2)
    for (const [low, high] of withoutForeign(set[at]!, set[at + 1]!, firstCharacter))
      source += `${characterSource(low)}${high > low ? `-${characterSource(high)}` : ''}`;
  return source;
}

/** No string has unpaired surrogates. */
function withoutForeign(low: number, high: number, first: number): readonly (readonly [number, number])[] {
  const parts = [
    [Math.max(low, first), Math.min(high, 0xd7ff)],
    [Math.max(low, 0xe000), high],
  ] as const;
  return parts.filter(([from, to]) => from <= to);
}

function characterSource(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  if (codePoint > 0xffff || /^[0-9A-Za-z]$/.test(character)) return character;
  return `\\u${codePoint.toString(16).padStart(4, '0')}`;
}
