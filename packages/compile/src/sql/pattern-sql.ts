import { type CompiledPattern, compilePattern, patternTree } from '@tollgate/cel/tooling';
import { InternalError } from '@tollgate/diagnostics';
import { someNode } from '../plan/some-node.ts';
import type { SqlDialect } from './dialects/sql-dialect.ts';
import { patternSource } from './pattern-source.ts';

/** The test of a pattern in SQL, or why the engine has none with the same meaning. */
export type PatternSql = { readonly sql: string } | { readonly refused: PatternRefusal };

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
