import { type CharSet, isSingle, LAST_CODE_POINT, negate } from './pattern/char-set.ts';
import type { PatternNode, RepeatNode } from './pattern/pattern.ts';

/**
 * Returns a JavaScript regular expression with the same meaning as the pattern; undefined if none is certain to have. Sets are written out,
 * and only the flag `u` is used, for characters beyond U+FFFF.
 */
export function toRegExp(node: PatternNode): RegExp | undefined {
  const unicode = !isWithinPlaneZero(node);
  const source = write(node, unicode);
  return source === undefined ? undefined : new RegExp(source, unicode ? 'u' : '');
}

/** Returns true if each set contains only characters of one UTF-16 unit, and no surrogates. */
function isWithinPlaneZero(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return (
        node.set.every(codePoint => codePoint <= 0xffff) && !node.set.some((_, i) => coversSurrogates(node.set, i))
      );
    case 'concat':
      return node.items.every(isWithinPlaneZero);
    case 'alternate':
      return node.branches.every(isWithinPlaneZero);
    case 'repeat':
      return isWithinPlaneZero(node.body);
    default:
      return true;
  }
}

function coversSurrogates(set: CharSet, index: number): boolean {
  return index % 2 === 0 && set[index]! <= 0xdfff && set[index + 1]! >= 0xd800;
}

function write(node: PatternNode, unicode: boolean): string | undefined {
  switch (node.kind) {
    case 'empty':
      return '';
    case 'set':
      return writeSet(node.set, unicode);
    case 'assertion':
      return ASSERTIONS[node.what];
    case 'concat':
      return join(node.items, '', unicode);
    case 'alternate':
      return wrap(join(node.branches, '|', unicode));
    case 'repeat':
      return writeRepeat(node, unicode);
    case 'unicode-set':
      return undefined;
  }
}

/**
 * JavaScript's multiline anchors know more line terminators than RE2's, and V8 finds `\B` inside a surrogate pair even with the flag `u`.
 */
const ASSERTIONS = {
  'text-start': '^',
  'text-end': '$',
  'line-start': undefined,
  'line-end': undefined,
  'word-boundary': '\\b',
  'no-word-boundary': undefined,
} as const;

function wrap(source: string | undefined): string | undefined {
  return source === undefined ? undefined : `(?:${source})`;
}

function join(nodes: readonly PatternNode[], separator: string, unicode: boolean): string | undefined {
  const parts = nodes.map(node => write(node, unicode));
  return parts.includes(undefined) ? undefined : parts.join(separator);
}

function writeRepeat({ body, min, max }: RepeatNode, unicode: boolean): string | undefined {
  const source = write(body, unicode);
  if (source === undefined) return undefined;
  const operand = body.kind === 'set' ? source : wrap(source);
  if (max === undefined) return `${operand}${min === 0 ? '*' : min === 1 ? '+' : `{${min},}`}`;
  if (min === 0 && max === 1) return `${operand}?`;
  return `${operand}{${min === max ? min : `${min},${max}`}}`;
}

function writeSet(set: CharSet, unicode: boolean): string {
  if (isSingle(set)) return writeChar(set[0]!, unicode);
  if (set.at(-1) === LAST_CODE_POINT) return `[^${writeRanges(negate(set), unicode)}]`;
  return `[${writeRanges(set, unicode)}]`;
}

function writeRanges(set: CharSet, unicode: boolean): string {
  let source = '';
  for (let i = 0; i < set.length; i += 2) {
    const [low, high] = [set[i]!, set[i + 1]!];
    source += writeChar(low, unicode);
    if (high > low) source += `${high > low + 1 ? '-' : ''}${writeChar(high, unicode)}`;
  }
  return source;
}

function writeChar(codePoint: number, unicode: boolean): string {
  const char = String.fromCodePoint(codePoint);
  if (/^[\w !"#%&',:;<=>@`~]$/.test(char)) return char;
  if (/^[$()*+./?[\\\]^{|}]$/.test(char)) return `\\${char}`;
  const hex = codePoint.toString(16);
  return unicode ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
