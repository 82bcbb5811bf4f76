import type { ValueRole, VariableFact } from '@tollgate/catalog';
import type { CostRange, SizeHints } from '@tollgate/cel';

/** Default limits of common servers: 8 KiB for a request line or a header, 100 headers. */
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
  // Maps of no fixed type hold lists from the policy itself, which are longer than those in requests.
  return type.startsWith('map(string, dyn') ? COUNT : LINE;
}

/** Returns the sizes that inputs may have, by role; other strings are as long as a header line. */
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
