import type { Match } from './regex-match.ts';
import { EvaluationError } from './value.ts';

/** The capturing groups of a pattern. */
export interface Groups {
  readonly count: number;
  readonly names: Readonly<Record<string, number>>;
}

/** `$$`, `$1`, `$name` and `${name}`; a dollar sign before anything else stands for itself. */
const REFERENCE = /\$(?:(\$)|([0-9A-Za-z_]+)|\{([0-9A-Za-z_]+)\})/g;

/** What a match is replaced by. A reference to a group that the pattern does not have is an error. */
export function replacementOf(template: string, groups: Groups): ((match: Match) => string) | EvaluationError {
  const pieces: (string | number)[] = [];
  let end = 0;
  for (const match of template.matchAll(REFERENCE)) {
    const [reference, dollar, plain, braced] = match;
    const piece = dollar ?? groupIndex(plain, braced, groups);
    if (piece === undefined) return unknownGroup(reference);
    pieces.push(template.slice(end, match.index), piece);
    end = match.index + reference.length;
  }
  pieces.push(template.slice(end));
  return match => pieces.map(piece => (typeof piece === 'string' ? piece : (match.group(piece) ?? ''))).join('');
}

/** Names stand in braces; without them, letters after the dollar sign are a mistake. */
function groupIndex(plain: string | undefined, braced: string | undefined, groups: Groups): number | undefined {
  const name = plain ?? braced!;
  if (!/^\d+$/.test(name)) return braced === undefined ? undefined : groups.names[name];
  return Number(name) <= groups.count ? Number(name) : undefined;
}

function unknownGroup(reference: string): EvaluationError {
  return new EvaluationError('regex/unknown-group', `the pattern has no group for \`${reference}\` in the replacement`);
}
