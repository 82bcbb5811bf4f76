import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { type Comment, type ParseResult, parseSync } from 'oxc-parser';

/** Root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** A parsed TypeScript file of the repository. */
export interface SourceFile {
  /** Path from the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly program: ParseResult['program'];
  readonly module: ParseResult['module'];
  readonly comments: readonly Comment[];
}

/** A node of the syntax tree. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the paths from the root of all files below a folder that end in `ending`, without build output, dependencies and hidden folders. */
export function filesBelow(folder: string, ending: string): string[] {
  const skipped = new Set(['node_modules', 'dist', 'coverage']);
  const walk = (path: string): string[] =>
    readdirSync(path).flatMap(name => {
      const full = join(path, name);
      if (statSync(full).isDirectory()) return skipped.has(name) || name.startsWith('.') ? [] : walk(full);
      return name.endsWith(ending) ? [relative(ROOT, full).split(sep).join('/')] : [];
    });
  return walk(join(ROOT, folder)).sort();
}

const read = new Map<string, SourceFile>();

/**
 * Reads a file, given by its path from the root, once for all suites of a worker. It is parsed, and its tree built, when they are first read: both cost
 * more than reading.
 */
export function readSource(path: string): SourceFile {
  const source = read.get(path) ?? readFile(path);
  read.set(path, source);
  return source;
}

function readFile(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  let result: ParseResult | undefined;
  const parsed = () => {
    result ??= parseSync(path, text);
    return result;
  };
  return {
    path,
    text,
    get program() {
      return parsed().program;
    },
    get module() {
      return parsed().module;
    },
    get comments() {
      return parsed().comments;
    },
  };
}

/** Returns every module that a file imports or re-exports, including types and `import('…')` with a constant. */
export function importsOf(source: SourceFile): string[] {
  const { staticImports, staticExports } = source.module;
  const found = staticImports.map(staticImport => staticImport.moduleRequest.value);
  for (const exported of staticExports) {
    for (const entry of exported.entries) if (entry.moduleRequest) found.push(entry.moduleRequest.value);
  }
  if (!source.text.includes('import(')) return [...new Set(found)];
  visit(source.program, node => {
    if (node.type !== 'ImportExpression' && node.type !== 'TSImportType') return;
    const specifier = (node as { source?: { value?: unknown } }).source?.value;
    if (typeof specifier === 'string') found.push(specifier);
  });
  return [...new Set(found)];
}

/** Calls `enter` for a node and every node below it. */
export function visit(node: unknown, enter: (node: SyntaxNode) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, enter);
  } else if (isNode(node)) {
    enter(node);
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) visit(value, enter);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** Returns the number of lines that a range of a source touches. */
export function linesIn(text: string, start = 0, end = text.length): number {
  let lines = 1;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end - 1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
