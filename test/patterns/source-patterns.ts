import { PROFILES } from '@tollgate/catalog';
import { PROJECT_FIELDS } from '@tollgate/policy';
import { filesBelow, readSource, visit } from '../architecture/source-file.ts';
import { builtPatterns } from './built-patterns.ts';

/** The regular expressions of the sources. */
interface SourcePatterns {
  /** With flags, as literals are written: `/a+/u`. Those that modules build while they load, and the shapes of the catalog, included. */
  readonly patterns: ReadonlySet<string>;
  /** Where calls of `RegExp` get their source at run time: `path:line`. */
  readonly dynamic: readonly string[];
}

interface RegExpNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

/** Reads all sources of the packages, tests left out. */
export function sourcePatterns(): SourcePatterns {
  const patterns = new Set<string>();
  const calls: { readonly path: string; readonly where: string }[] = [];
  for (const path of filesBelow('packages', '.ts')) {
    if (!path.includes('/src/') || path.endsWith('.test.ts')) continue;
    const { program, text } = readSource(path);
    visit(program, found => {
      const node = found as RegExpNode;
      if (node.regex) patterns.add(`/${node.regex.pattern}/${node.regex.flags}`);
      if (node.callee?.name !== 'RegExp') return;
      calls.push({ path, where: `${path}:${text.slice(0, node.start).split('\n').length}` });
    });
  }
  const built = builtPatterns([...new Set(calls.map(({ path }) => path))]);
  for (const pattern of built.values()) patterns.add(pattern);
  for (const pattern of shapesIn([PROFILES, PROJECT_FIELDS])) patterns.add(`/${pattern}/u`);
  return { patterns, dynamic: calls.map(({ where }) => where).filter(where => !built.has(where)) };
}

/** The patterns of strings of a given shape, anywhere in a value. */
function shapesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { kind, patterns } = value as { readonly kind?: unknown; readonly patterns?: readonly string[] };
  return kind === 'shape' ? (patterns ?? []) : Object.values(value).flatMap(shapesIn);
}
