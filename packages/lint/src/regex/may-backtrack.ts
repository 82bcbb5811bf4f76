import type { AST } from '@eslint-community/regexpp';
import type { PatternTree } from './pattern-tree.ts';

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
