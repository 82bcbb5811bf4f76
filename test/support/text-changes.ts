import fc from 'fast-check';

/** One edit of a string: its kind, its position as a fraction of the length, its length, and the token that it inserts. */
type Change = readonly [
  kind: 'replace' | 'insert' | 'remove' | 'repeat' | 'cut',
  at: number,
  length: number,
  token: string,
];

/** From 0 to less than 1, evenly spread: `fc.double` draws exponents, so that nearly all of its numbers are close to 0. */
export const FRACTION = fc.nat(0xffff).map(number => number / 0x1_0000);

/** Edits of a string that insert tokens and other short strings without line breaks. */
export function changesWith(tokens: readonly string[]): fc.Arbitrary<readonly Change[]> {
  return fc.array(
    fc.tuple(
      fc.constantFrom('replace', 'insert', 'remove', 'repeat', 'cut'),
      FRACTION,
      fc.integer({ min: 1, max: 8 }),
      fc.oneof(
        fc.constantFrom(...tokens),
        fc.string({ maxLength: 3 }).map(string => string.replaceAll(/[\r\n]/g, ' ')),
      ),
    ) as fc.Arbitrary<Change>,
    { minLength: 1, maxLength: 4 },
  );
}

/** Returns `source` with the changes applied in order, all of them at or after the offset `from`. */
export function changed(source: string, changes: readonly Change[], from: number): string {
  let result = source;
  for (const [kind, fraction, length, token] of changes) {
    const at = from + Math.floor(fraction * Math.max(1, result.length - from));
    const [before, rest] = [result.slice(0, at), result.slice(at)];
    if (kind === 'insert') result = before + token + rest;
    else if (kind === 'replace') result = before + token + rest.slice(token.length);
    else if (kind === 'remove') result = before + rest.slice(length);
    else if (kind === 'repeat') result = before + rest.slice(0, length) + rest;
    else result = before;
  }
  return result;
}
