import type { AST } from '@eslint-community/regexpp';

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
