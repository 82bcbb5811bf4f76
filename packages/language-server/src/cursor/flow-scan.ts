/** A bracket or brace around a position. */
interface FlowLevel {
  readonly kind: 'map' | 'list';
  /** The entries so far: each key with the text of its value. */
  readonly entries: Map<string, string>;
  /** The key whose value is being read. */
  key: string | undefined;
}

/** Where a scan of brackets and braces ended. */
export interface FlowPosition {
  readonly levels: readonly FlowLevel[];
  /** Start of the scalar that the position is in or after; the position itself if there is none. */
  readonly start: number;
  /** The quote that the position is inside of. */
  readonly quote: '"' | "'" | undefined;
}

/** Reads brackets and braces from `from` to `to`. Understands JSON and the flow style of YAML; takes linear time. */
export function scanFlow(text: string, from: number, to: number): FlowPosition {
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
