import type { Range } from '@tollgate/diagnostics';

/** What a stand-in replaces: a placeholder of a template engine, or a template in a Terraform string. */
export type PlaceholderOrigin = 't' | 'h';

/** Stand-ins look like a field of this variable, so that they are names in YAML as well as in CEL. */
export const STAND_IN_VARIABLE = 'placeholder_';

const STAND_IN = /\bplaceholder_\.([th])(\d+)_/g;

/** Returns a name that stands for an unknown value. Each placeholder has its own, so that no two seem to be equal. */
export function standIn(origin: PlaceholderOrigin, index: number): string {
  return `${STAND_IN_VARIABLE}.${origin}${index}_`;
}

/** Returns a text with the stand-ins of one origin replaced by what they stand for. */
export function withPlaceholders(text: string, origin: PlaceholderOrigin, placeholders: readonly string[]): string {
  return text.replace(STAND_IN, (whole, kind: string, index: string) =>
    kind === origin ? (placeholders[Number(index)] ?? whole) : whole,
  );
}

/** Returns true if a text contains stand-ins. */
export function hasStandIns(text: string): boolean {
  return text.includes(`${STAND_IN_VARIABLE}.`);
}

/** Returns the ranges of the stand-ins in a text. */
export function standInRanges(text: string): readonly Range[] {
  return Array.from(text.matchAll(STAND_IN), ({ index, 0: whole }) => ({ start: index, end: index + whole.length }));
}
