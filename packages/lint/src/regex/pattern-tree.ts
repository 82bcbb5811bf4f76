import type { AST } from '@eslint-community/regexpp';
import { patternParser } from './analysers.ts';

/** A pattern with the places of its parts, which are offsets of its text. */
export interface PatternTree {
  readonly root: AST.Pattern;
  /** In the order of their opening brackets. */
  readonly groups: readonly AST.CapturingGroup[];
}

/** Flags before everything else, which change nothing of the structure. */
const LEADING_FLAGS = /^\(\?[imsU]+\)/;

/** What RE2 reads otherwise than JavaScript, or JavaScript does not read at all. */
const FOREIGN = /\\[AzZQECpPa]|\\x\{|\\[1-9]|\[\[:|\(\?(?!:|P?<[A-Za-z_])/;

/**
 * The structure of a pattern of RE2; undefined where its syntax is beyond what both RE2 and JavaScript read in the same way, and for
 * what is no pattern.
 */
export function patternTree(pattern: string): PatternTree | undefined {
  const start = LEADING_FLAGS.exec(pattern)?.[0].length ?? 0;
  if (FOREIGN.test(pattern.slice(start))) return undefined;
  // Of the same length, so that all offsets stay: the `P` becomes a part of the name.
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

/** The name of a group, as written. */
export function groupName(pattern: string, group: AST.CapturingGroup): string | undefined {
  if (group.name === null) return undefined;
  return pattern.startsWith('(?P<', group.start) ? group.name.slice(1) : group.name;
}

/** Calls for each node, parents before children, in the order of the text. */
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
