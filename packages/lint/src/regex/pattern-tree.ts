import type { AST } from '@eslint-community/regexpp';
import { patternParser } from './analysers.ts';

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
  const { RegExpParser } = patternParser();
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
