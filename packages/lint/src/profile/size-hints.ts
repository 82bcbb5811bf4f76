import type { ValueRole, VariableFact } from '@tollgate/catalog';
import type { CostRange, SizeHints } from '@tollgate/cel';

/** What servers accept by default: a line of a request or a header of 8 KiB, a hundred headers. */
const LINE: CostRange = { min: 0, max: 8192 };
const COUNT: CostRange = { min: 0, max: 100 };
const WORD: CostRange = { min: 0, max: 64 };

const TEXTS: Partial<Record<ValueRole, CostRange>> = {
  'client-address': { min: 0, max: 45 },
  'country-code': { min: 0, max: 2 },
  'numeric-string': { min: 0, max: 32 },
  'tls-version': { min: 0, max: 8 },
  method: WORD,
  status: { min: 0, max: 3 },
  host: { min: 0, max: 261 },
};

function sizeOfEntry(type: string): CostRange {
  if (type.startsWith('map(string, list')) return { min: 0, max: 10 };
  // Of no fixed type: the longest lists there are those that somebody wrote into the policy.
  return type.startsWith('map(string, dyn') ? COUNT : LINE;
}

/** The sizes that inputs may have, for estimates: by their roles, and for other texts those of a line. */
export function sizeHints(variables: readonly VariableFact[]): SizeHints {
  const hints: Record<string, CostRange> = {};
  for (const { path, type, role } of variables) {
    const isText = type === 'string';
    hints[path] = isText ? ((role && TEXTS[role]) ?? LINE) : COUNT;
    if (isText) continue;
    hints[`${path}.*`] = sizeOfEntry(type);
    hints[`${path}.*.*`] = LINE;
  }
  return hints;
}
