import { check, type Environment, parse, type Type } from '@tollgate/cel';

/** A name with its type. */
export interface Local {
  readonly name: string;
  readonly type: Type;
}

/** What an expression that ends at the cursor ends with. */
type Ending =
  /** Inside a string literal: what precedes it, and what it contains so far. */
  | { readonly kind: 'string'; readonly before: string; readonly text: string }
  /** After a dot: the receiver, and the part of the name. */
  | { readonly kind: 'member'; readonly receiver: string; readonly word: string }
  | { readonly kind: 'name'; readonly word: string };

/** A call around the cursor. */
export interface OpenCall {
  /** Offset of the opening parenthesis. */
  readonly paren: number;
  readonly name: string;
  /** The expression before the dot; undefined for a function without one. */
  readonly receiver: string | undefined;
  /** The arguments before the cursor; the last one is not complete. */
  readonly args: readonly string[];
}

/** An expression up to the cursor, divided at its innermost open parts. */
interface PartialExpression {
  readonly ending: Ending;
  /** Outermost first. */
  readonly calls: readonly OpenCall[];
}

interface Frame {
  readonly open: number;
  readonly bracket: string;
  readonly commas: number[];
}

const STRING_START = /(?:[rR][bB]?|[bB][rR]?)?("""|'''|"|')/y;
const WORD = /[A-Za-z_]\w*$/;

/** Divides the part of an expression before the cursor. Needs no complete expression; takes linear time. */
export function readPartial(source: string): PartialExpression {
  const frames: Frame[] = [];
  for (let at = 0; at < source.length; ) {
    STRING_START.lastIndex = at;
    const string = /\w/.test(source[at - 1] ?? '') ? null : STRING_START.exec(source);
    if (string) {
      const end = endOfString(source, at + string[0].length, string[1]!, /^[rR]|^[bB][rR]/.test(string[0]));
      const before = source.slice(0, at);
      const text = source.slice(at + string[0].length);
      if (end === undefined) return { ending: { kind: 'string', before, text }, calls: callsOf(source, frames) };
      at = end;
      continue;
    }
    const char = source[at]!;
    if ('([{'.includes(char)) frames.push({ open: at, bracket: char, commas: [] });
    else if (')]}'.includes(char)) frames.pop();
    else if (char === ',') frames.at(-1)?.commas.push(at);
    at += 1;
  }
  return { ending: endingOf(source), calls: callsOf(source, frames) };
}

function endOfString(source: string, from: number, quote: string, isRaw: boolean): number | undefined {
  for (let at = from; at < source.length; at += 1) {
    if (!isRaw && source[at] === '\\') at += 1;
    else if (source.startsWith(quote, at)) return at + quote.length;
  }
  return undefined;
}

function endingOf(source: string): Ending {
  const word = WORD.exec(source)?.[0] ?? '';
  const before = source.slice(0, source.length - word.length);
  const dot = /\.\??\s*$/.exec(before);
  if (!dot || /(?:^|[^\w.])\d+$/.test(before.slice(0, dot.index))) return { kind: 'name', word };
  const receiver = receiverBefore(before.slice(0, dot.index));
  return receiver === '' ? { kind: 'name', word } : { kind: 'member', receiver, word };
}

/** Returns the operand that a text ends with: names, members, calls and literals, without operators before them. */
export function receiverBefore(text: string): string {
  let at = text.trimEnd().length;
  for (;;) {
    const start = atomBefore(text, at);
    if (start === at) return text.slice(at).trim();
    at = start;
    const isJoined = text[at - 1] === '.' || (/[\w\])"'}]/.test(text[at - 1] ?? '') && /[([{]/.test(text[at] ?? ''));
    if (!isJoined) return text.slice(at).trim();
    if (text[at - 1] === '.') at -= 1;
  }
}

/** Returns the start of the name, bracket or string that ends at `end`; `end` itself if there is none. */
function atomBefore(text: string, end: number): number {
  const last = text[end - 1] ?? '';
  if (/\w/.test(last)) return end - (/\w+$/.exec(text.slice(0, end))?.[0].length ?? 0);
  if (last === '"' || last === "'") return Math.max(openingQuote(text, end - 1, last), 0);
  if (!')]}'.includes(last) || last === '') return end;
  let depth = 0;
  for (let at = end - 1; at >= 0; at -= 1) {
    const char = text[at]!;
    if (char === '"' || char === "'") at = openingQuote(text, at, char);
    else if (')]}'.includes(char)) depth += 1;
    else if ('([{'.includes(char) && --depth === 0) return at;
  }
  return end;
}

function openingQuote(text: string, closing: number, quote: string): number {
  for (let at = closing - 1; at >= 0; at -= 1) if (text[at] === quote && text[at - 1] !== '\\') return at;
  return 0;
}

function callsOf(source: string, frames: readonly Frame[]): readonly OpenCall[] {
  return frames.flatMap(({ open, bracket, commas }, index): readonly OpenCall[] => {
    const before = source.slice(0, open);
    const name = bracket === '(' ? /[A-Za-z_]\w*$/.exec(before)?.[0] : undefined;
    if (name === undefined) return [];
    const prefix = before.slice(0, before.length - name.length);
    const isMember = prefix.trimEnd().endsWith('.');
    const receiver = isMember ? receiverBefore(prefix.trimEnd().slice(0, -1)) : undefined;
    const ends = [...commas, frames[index + 1] ? source.length : source.length];
    const starts = [open, ...commas];
    const args = starts.map((start, at) => source.slice(start + 1, ends[at]).trim());
    return [{ paren: open, name, receiver, args }];
  });
}

/** Macros that bind an element of their receiver. */
const LOOPS = /^(?:all|exists|exists_one|existsOne|map|filter|transformList|transformMap|transformMapEntry|sortBy)$/;
const NAME = /^[A-Za-z_]\w*$/;

/** Returns the variables that the macros around the cursor bind. */
export function localsOf(calls: readonly OpenCall[], environment: Environment): readonly Local[] {
  const locals: Local[] = [];
  for (const { name, receiver, args } of calls) {
    const [first = '', second = ''] = args;
    if (receiver === undefined || args.length < 2 || !NAME.test(first)) continue;
    if (name === 'bind' && receiver === 'cel') {
      if (args.length > 2) locals.push({ name: first, type: typeOf(second, environment, locals) });
      continue;
    }
    if (!LOOPS.test(name)) continue;
    const range = typeOf(receiver, environment, locals);
    const isPair = args.length > 2 && NAME.test(second);
    locals.push({ name: first, type: isPair ? indexType(range) : elementType(range) });
    if (isPair) locals.push({ name: second, type: range.kind === 'map' ? range.value : elementType(range) });
  }
  return locals;
}

const DYN: Type = { kind: 'dyn' };

function elementType(range: Type): Type {
  if (range.kind === 'list') return range.element;
  return range.kind === 'map' ? range.key : DYN;
}

function indexType(range: Type): Type {
  return range.kind === 'map' ? range.key : { kind: 'int' };
}

/** Returns the type of an expression, as far as it can be checked. A string with fields has the type of an object. */
export function typeOf(source: string, environment: Environment, locals: readonly Local[]): Type {
  const { ast } = parse(source, environment);
  const { typed } = check(ast, environment, locals);
  const { root } = ast;
  const path = pathOf(root);
  const declared = path && declaredType(path, environment, locals);
  return declared ?? typed.types[root.id] ?? DYN;
}

type Node = ReturnType<typeof parse>['ast']['root'];

/** Returns the names of a path such as `req.url.path`; undefined for any other expression. */
export function pathOf(node: Node): readonly string[] | undefined {
  if (node.kind === 'ident') return [node.name];
  if (node.kind !== 'select') return undefined;
  const operand = pathOf(node.operand);
  return operand && [...operand, node.field];
}

/** The checker reads a string with fields as a string; completion needs the object. */
function declaredType(path: readonly string[], environment: Environment, locals: readonly Local[]): Type | undefined {
  const [first = '', ...fields] = path;
  let type = locals.findLast(one => one.name === first)?.type ?? environment.variables.get(first)?.type;
  for (const field of fields) {
    if (type?.kind !== 'object') return undefined;
    type = environment.objects.get(type.name)?.fields.get(field)?.type;
  }
  return type;
}
