import { filesBelow, readSource, visit } from '../architecture/source-file.ts';

/** The regular expressions of the sources. */
export interface SourcePatterns {
  /** As written, with flags: `/a+/u`; by it, the files. */
  readonly literals: ReadonlyMap<string, readonly string[]>;
  /** Calls of `RegExp`, as written; by it, the files. */
  readonly built: ReadonlyMap<string, readonly string[]>;
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
  const literals = new Map<string, string[]>();
  const built = new Map<string, string[]>();
  const add = (to: Map<string, string[]>, key: string, path: string) => to.set(key, [...(to.get(key) ?? []), path]);
  for (const path of filesBelow('packages', '.ts')) {
    if (!path.includes('/src/') || path.endsWith('.test.ts')) continue;
    const { program, text } = readSource(path);
    visit(program, found => {
      const node = found as RegExpNode;
      if (node.regex) add(literals, `/${node.regex.pattern}/${node.regex.flags}`, path);
      if (node.callee?.name === 'RegExp') add(built, text.slice(node.start, node.end), path);
    });
  }
  return { literals, built };
}
