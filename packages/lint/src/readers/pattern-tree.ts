// RE2 patterns as trees, and what is known about them: groups, text that matches, backtracking.

import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** A parsed pattern. Ranges of nodes are offsets in the pattern. */
export interface PatternTree {
  readonly root: AST.Pattern;
  /** In the order of their opening parentheses. */
  readonly groups: readonly AST.CapturingGroup[];
}

/** Leading flags, which do not change the structure. */
const LEADING_FLAGS = /^\(\?[imsU]+\)/;

/** Syntax that RE2 and JavaScript read differently, or JavaScript does not accept. */
const FOREIGN = /\\[AzZQECpPa]|\\x\{|\\[1-9]|\[\[:|\(\?(?!:|P?<[A-Za-z_])/;

/** Parses an RE2 pattern. Undefined for invalid patterns and for syntax that JavaScript reads differently. */
export function patternTree(pattern: string): PatternTree | undefined {
  const start = LEADING_FLAGS.exec(pattern)?.[0].length ?? 0;
  if (FOREIGN.test(pattern.slice(start))) return undefined;
  // Keeps the length, and so all offsets: the `P` becomes a part of the name.
  const source = pattern.replaceAll('(?P<', '(?<P');
  try {
    const groups: AST.CapturingGroup[] = [];
    const root = new RegExpParser({ strict: false }).parsePattern(source, start, source.length, false);
    visitNodes(root, node => {
      if (node.type === 'CapturingGroup') groups.push(node);
    });
    return { root, groups };
  } catch {
    return undefined;
  }
}

/** Returns the name of a capture group, as written. */
export function groupName(pattern: string, group: AST.CapturingGroup): string | undefined {
  if (group.name === null) return undefined;
  return pattern.startsWith('(?P<', group.start) ? group.name.slice(1) : group.name;
}

/** Calls `see` for each node, parents before children, in source order. */
export function visitNodes(node: AST.Node, see: (node: AST.Node) => void): void {
  see(node);
  for (const child of partsOf(node)) visitNodes(child, see);
}

function partsOf(node: AST.Node): readonly AST.Node[] {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives;
    case 'Alternative':
    case 'CharacterClass':
      return node.elements;
    case 'Quantifier':
      return [node.element];
    default:
      return [];
  }
}

/**
 * Returns false if no string of one repeated character can be matched in superlinearly many ways. True proves nothing; this is a quick
 * check before the analyser, which is slow to load and run. Such a string needs nested unbounded repetitions, or two of them with at most
 * one distinct character in between.
 */
export function mayBacktrack({ root }: PatternTree): boolean {
  return root.alternatives.some(isSuspicious);
}

function isSuspicious(alternative: AST.Alternative): boolean {
  // Characters required since the last repetition; undefined before the first.
  let between: Set<string> | undefined;
  for (const element of flattened(alternative)) {
    if (element.type === 'Character') between?.add(String.fromCodePoint(element.value).toLowerCase());
    if (!isUnbounded(element)) continue;
    if (hasRepeatedLoop(element) || (between && between.size < 2)) return true;
    between = new Set();
  }
  return false;
}

/** Returns the elements of a sequence with plain groups expanded. */
function flattened({ elements }: AST.Alternative): readonly AST.Element[] {
  return elements.flatMap(element => {
    const isBrackets = element.type === 'Group' || element.type === 'CapturingGroup';
    return isBrackets && element.alternatives.length === 1 ? flattened(element.alternatives[0]!) : element;
  });
}

function isUnbounded(node: AST.Element): boolean {
  if (node.type === 'Quantifier') return node.max === Number.POSITIVE_INFINITY || isUnbounded(node.element);
  if (node.type !== 'Group' && node.type !== 'CapturingGroup') return false;
  return node.alternatives.some(one => one.elements.some(isUnbounded));
}

/** Returns true for nested repetitions, or a suspicious sequence inside the element. */
function hasRepeatedLoop(node: AST.Element): boolean {
  if (node.type === 'Quantifier') return (node.max > 1 && isUnbounded(node.element)) || hasRepeatedLoop(node.element);
  if (node.type !== 'Group' && node.type !== 'CapturingGroup') return false;
  return node.alternatives.some(isSuspicious);
}

/** Returns how deep repetitions are nested. Each level doubles the time of the analyser: 0.2 s at ten, a minute at fifty. */
export function loopDepth({ root }: PatternTree): number {
  return depthOf(root.alternatives);
}

function depthOf(alternatives: readonly AST.Alternative[]): number {
  return Math.max(0, ...alternatives.flatMap(({ elements }) => elements.map(depthOfElement)));
}

function depthOfElement(node: AST.Element): number {
  if (node.type === 'Quantifier') return 1 + depthOfElement(node.element);
  return node.type === 'Group' || node.type === 'CapturingGroup' ? depthOf(node.alternatives) : 0;
}

/** Candidates for a character of a class, in order of preference. */
const SIGNS = ['a', '1', '/', '-', 'A', '.', ':', '_', '%', '?', '=', '&', ' '];

/** Returns a short string that probably matches a pattern; callers must test it. Undefined if none was found. */
export function matchingText({ alternatives }: Pick<AST.Pattern, 'alternatives'>): string | undefined {
  return join(alternatives[0]?.elements ?? []);
}

function join(elements: readonly AST.Element[]): string | undefined {
  const parts = elements.map(textOf);
  return parts.includes(undefined) ? undefined : parts.join('');
}

function textOf(node: AST.Element): string | undefined {
  switch (node.type) {
    case 'Assertion':
      return '';
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterSet':
    case 'CharacterClass':
      return SIGNS.find(sign => new RegExp(`^(?:${node.raw})$`).test(sign));
    case 'Group':
    case 'CapturingGroup':
      return matchingText(node);
    case 'Quantifier':
      return textOf(node.element)?.repeat(Math.min(node.min, 100));
    default:
      return undefined;
  }
}

/** Patterns without escapes and classes, and without a repetition of nothing: RE2 and JavaScript read these alike. */
const SIMPLE = /^(?:[\w\-/:=&@%,;~"'<>!# .|^$()]|[\w\-/:=&@%,;~"'<>!# .)][*+?])*$/;

/** Returns the number of capture groups of a simple pattern without parsing it; undefined for other patterns. */
export function simpleGroupCount(pattern: string): number | undefined {
  if (!SIMPLE.test(pattern)) return undefined;
  let [groups, depth] = [0, 0];
  for (const sign of pattern) {
    if (sign === '(') {
      groups += 1;
      depth += 1;
    } else if (sign === ')') {
      if (depth === 0) return undefined;
      depth -= 1;
    }
  }
  return depth === 0 ? groups : undefined;
}

/** Characters that match only themselves, in RE2 and in JavaScript. */
const PLAIN_TEXT = /^[\w\-/:=&%@,;~"'<>!# ]+$/;

/** Returns true if a pattern is a plain string, so that searching for it needs no pattern engine. */
export function isPlainPattern(pattern: string): boolean {
  return PLAIN_TEXT.test(pattern);
}
