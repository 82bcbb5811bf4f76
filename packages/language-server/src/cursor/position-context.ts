import { type Line, levelsAround, lineAt, lineBefore, siblingsOf } from './block-levels.ts';

/** One step from the root: a key, or an item of a list. */
export interface Step {
  /** Undefined for an item of a list. */
  readonly key: string | undefined;
  /** Returns the entries of the map that the key belongs to; none for an item. */
  readonly siblings: Siblings;
}

/** Returns the entries of a map: each key with what follows it on its line. */
type Siblings = () => ReadonlyMap<string, string>;

/** What is known about a position from the text around it, also in documents with errors. */
export interface PositionContext {
  /** From the root to the map, list or scalar at the position. */
  readonly path: readonly Step[];
  /** `key`: a key, or the start of an entry. `value`: a scalar, or where one may begin. */
  readonly at: 'key' | 'value';
  /** Returns the entries of the map that a key at the position belongs to. */
  readonly siblings: Siblings;
  /** Start of the scalar at the position, after an opening quote. */
  readonly start: number;
  /** How the scalar is written; undefined if it has not begun. */
  readonly style: 'plain' | 'single' | 'double' | 'block' | undefined;
  /** Column in which entries of the map begin. */
  readonly column: number;
  readonly isFlow: boolean;
}

/** Maximum number of lines that a bracket or a block scalar is followed upward. */
const MAX_LINES = 200;

const NO_VALUES: ReadonlyMap<string, string> = new Map();
const NO_SIBLINGS: Siblings = () => NO_VALUES;

/** Finds out where a position is. Takes time linear in the lines above it, of which nearly all are skipped by their indentation. */
export function contextAt(text: string, offset: number): PositionContext {
  if (/^\s*[{[]/.test(text.slice(0, 200))) return flowContext(text, { line: lineAt(text, 0), from: 0 }, offset)!;
  const line = lineAt(text, offset);
  return inBlockScalar(text, line, offset) ?? inFlow(text, line, offset) ?? blockContext(text, line, offset);
}

function blockContext(text: string, line: Line, offset: number): PositionContext {
  const column = Math.min(line.column, Math.max(offset - line.start, 0));
  const path = pathOf(text, line, column);
  if (line.key && offset >= line.rest && offset > line.key.end) {
    const steps = [...path, entryStep(text, line, line.key)];
    return {
      ...scalarAt(text, line.rest, offset),
      path: steps,
      at: 'value',
      siblings: NO_SIBLINGS,
      column,
      isFlow: false,
    };
  }
  const siblings = () => siblingsOf(text, line, column);
  const scalar = scalarAt(text, line.start + column, offset);
  return { ...scalar, path, at: 'key', siblings, column, isFlow: false };
}

function pathOf(text: string, line: Line, column: number): readonly Step[] {
  return levelsAround(text, line, column).map(level =>
    level.kind === 'item'
      ? { key: undefined, siblings: NO_SIBLINGS }
      : { key: level.key, siblings: () => siblingsOf(text, level.line, level.column) },
  );
}

function entryStep(text: string, line: Line, key: NonNullable<Line['key']>): Step {
  return { key: key.text, siblings: () => siblingsOf(text, line, key.column) };
}

function scalarAt(text: string, start: number, offset: number): Pick<PositionContext, 'start' | 'style'> {
  if (start >= offset) return { start: offset, style: undefined };
  const quote = text[start];
  if (quote === '"') return { start: start + 1, style: 'double' };
  if (quote === "'") return { start: start + 1, style: 'single' };
  return { start, style: 'plain' };
}

const BLOCK_HEADER = /[|>][-+0-9]{0,2}[ \t]*(?:#.*)?$/;

/** The nearest line above that is indented less begins a block scalar. */
function inBlockScalar(text: string, line: Line, offset: number): PositionContext | undefined {
  const width = line.isBlank ? offset - line.start : (line.dashes[0] ?? line.column);
  if (width === 0) return undefined;
  let above = lineBefore(text, line);
  for (let count = 0; above && count < MAX_LINES; count += 1) {
    const indent = above.dashes[0] ?? above.column;
    const isOuter = !above.isBlank && indent < width;
    if (isOuter) break;
    above = lineBefore(text, above);
  }
  if (!above || !BLOCK_HEADER.test(text.slice(above.rest, above.end)) || !/^[|>]/.test(text[above.rest] ?? ''))
    return undefined;
  const { key, column } = above;
  const outer = pathOf(text, above, column);
  const path = key ? [...outer, entryStep(text, above, key)] : outer;
  const start = text.indexOf('\n', above.end) + 1;
  return { path, at: 'value', siblings: NO_SIBLINGS, start, style: 'block', column, isFlow: false };
}

/** The nearest line above whose value begins with a bracket that is still open. */
function inFlow(text: string, line: Line, offset: number): PositionContext | undefined {
  let at: Line | undefined = line;
  for (let count = 0; at && count < MAX_LINES; count += 1) {
    const from = at.rest;
    if (from < offset && /[[{]/.test(text[from] ?? '')) return flowContext(text, { line: at, from }, offset);
    if (at !== line && at.key) return undefined;
    at = lineBefore(text, at);
  }
  return undefined;
}

function flowContext(
  text: string,
  { line, from }: { readonly line: Line; readonly from: number },
  offset: number,
): PositionContext | undefined {
  const position = scanFlow(text, from, offset);
  const { levels, start, quote } = position;
  const inner = levels.at(-1);
  if (!inner && from > 0) return undefined;
  const isWhole = from === 0;
  const outer = isWhole ? [] : pathOf(text, line, line.column);
  const own = line.key && !isWhole ? [entryStep(text, line, line.key)] : [];
  const path = [...outer, ...own, ...stepsOf(position, text, offset)];
  const isValue = inner?.kind !== 'map' || inner.key !== undefined;
  const siblings = inner ? () => withLater(inner.entries, text, offset) : NO_SIBLINGS;
  const scalar = quote
    ? { start: start + 1, style: quote === '"' ? ('double' as const) : ('single' as const) }
    : scalarAt(text, start, offset);
  return {
    ...scalar,
    path,
    at: isValue ? 'value' : 'key',
    siblings: isValue ? NO_SIBLINGS : siblings,
    column: 0,
    isFlow: true,
  };
}

function stepsOf({ levels }: FlowPosition, text: string, offset: number): readonly Step[] {
  return levels.flatMap((level, index): readonly Step[] => {
    if (level.kind === 'list') return [{ key: undefined, siblings: NO_SIBLINGS }];
    if (level.key === undefined) return [];
    const isInner = index === levels.length - 1;
    return [{ key: level.key, siblings: isInner ? () => withLater(level.entries, text, offset) : () => level.entries }];
  });
}

/** Adds the entries between the position and the end of the map. */
function withLater(entries: ReadonlyMap<string, string>, text: string, offset: number): ReadonlyMap<string, string> {
  const all = new Map(entries);
  const rest = /^[^{}]{0,2000}/.exec(text.slice(offset, offset + 2000))?.[0] ?? '';
  for (const [, key = '', value = ''] of rest.matchAll(/,\s*["']?([\w-]+)["']?\s*:\s*["']?([^,"'{}[\]]*)/g))
    if (!all.has(key)) all.set(key, value.trim());
  return all;
}

/** A bracket or brace around a position. */
interface FlowLevel {
  readonly kind: 'map' | 'list';
  /** The entries so far: each key with the text of its value. */
  readonly entries: Map<string, string>;
  /** The key whose value is being read. */
  key: string | undefined;
}

/** Where a scan of brackets and braces ended. */
interface FlowPosition {
  readonly levels: readonly FlowLevel[];
  /** Start of the scalar that the position is in or after; the position itself if there is none. */
  readonly start: number;
  /** The quote that the position is inside of. */
  readonly quote: '"' | "'" | undefined;
}

/** Reads brackets and braces from `from` to `to`. Understands JSON and the flow style of YAML; takes linear time. */
function scanFlow(text: string, from: number, to: number): FlowPosition {
  const levels: FlowLevel[] = [];
  let start = -1;
  let at = from;
  const finish = (end: number) => {
    const level = levels.at(-1);
    if (level?.kind === 'map' && level.key !== undefined && start >= 0)
      level.entries.set(level.key, text.slice(start, end).trim());
    start = -1;
  };
  while (at < to) {
    const char = text[at]!;
    if (char === '"' || char === "'") {
      const end = endOfQuoted(text, at, to);
      if (start < 0) start = at;
      if (end === undefined) return { levels, start, quote: char };
      at = end;
      continue;
    }
    if (char === '{' || char === '[') {
      levels.push({ kind: char === '{' ? 'map' : 'list', entries: new Map(), key: undefined });
      start = -1;
    } else if (char === '}' || char === ']') {
      finish(at);
      levels.pop();
      if (levels.length === 0) return { levels, start: to, quote: undefined };
    } else if (char === ',') {
      finish(at);
      const level = levels.at(-1);
      if (level) level.key = undefined;
    } else if (char === ':' && isColon(text, at, levels.at(-1))) {
      const level = levels.at(-1)!;
      level.key = unquoted(text.slice(start < 0 ? at : start, at));
      level.entries.set(level.key, '');
      start = -1;
    } else if (char === '#' && /\s/.test(text[at - 1] ?? ' ')) {
      const lineBreak = text.indexOf('\n', at);
      at = lineBreak < 0 ? to : lineBreak;
      continue;
    } else if (start < 0 && !/\s/.test(char)) start = at;
    at += 1;
  }
  return { levels, start: start < 0 ? to : start, quote: undefined };
}

function isColon(text: string, at: number, level: FlowLevel | undefined): boolean {
  if (level?.kind !== 'map' || level.key !== undefined) return false;
  return /[\s,[\]{}"']/.test(text[at + 1] ?? ' ') || /["']/.test(text[at - 1] ?? '');
}

/** Returns the offset after the closing quote; undefined if it is not before `to`. */
function endOfQuoted(text: string, start: number, to: number): number | undefined {
  const quote = text[start];
  for (let at = start + 1; at < to; at += 1) {
    if (quote === '"' && text[at] === '\\') at += 1;
    else if (text[at] === quote && quote === "'" && text[at + 1] === "'") at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return undefined;
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  return /^(["']).*\1$/s.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}
