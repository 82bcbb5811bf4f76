import type { AST } from '@eslint-community/regexpp';
import type { PatternTree } from './pattern-tree.ts';

/**
 * Whether a text of one sign, many times, may be matched in more ways than grow with its length. Sufficient to say no, not to say
 * yes: asked before the analyser, which has to be loaded and is slower by far. Such a text takes two repetitions without bound with nothing
 * between them that has two different signs, or one inside of another.
 */
export function mayBacktrack({ root }: PatternTree): boolean {
  return root.alternatives.some(isSuspicious);
}

function isSuspicious(alternative: AST.Alternative): boolean {
  // The signs that must stand between the last repetition and here; undefined before the first.
  let between: Set<string> | undefined;
  for (const element of flattened(alternative)) {
    if (element.type === 'Character') between?.add(String.fromCodePoint(element.value).toLowerCase());
    if (!isUnbounded(element)) continue;
    if (hasRepeatedLoop(element) || (between && between.size < 2)) return true;
    between = new Set();
  }
  return false;
}

/** The elements of a sequence, with those of brackets that stand for themselves. */
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

/** A loop in a loop, or a suspicious sequence further in. */
function hasRepeatedLoop(node: AST.Element): boolean {
  if (node.type === 'Quantifier') return (node.max > 1 && isUnbounded(node.element)) || hasRepeatedLoop(node.element);
  if (node.type !== 'Group' && node.type !== 'CapturingGroup') return false;
  return node.alternatives.some(isSuspicious);
}

/**
 * How deep repetitions stand inside each other. The analyser takes twice as long with each further one: 0.2 s at ten, a minute at
 * fifty.
 */
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
