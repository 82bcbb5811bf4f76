import { skeletonOf } from '@tollgate/cel/tooling';

/**
 * The expressions of a document that are formatted already. One that differs from them only in literals is so, too, which is seen without
 * parsing it: most expressions of long policies are alike, and most policies have been formatted before.
 */
export class KnownLayouts {
  readonly #skeletons = new Set<string>();

  /** Remembers an expression that formatting leaves as it is, on one line. */
  add(expression: string): void {
    const skeleton = plainSkeleton(expression);
    if (skeleton !== undefined) this.#skeletons.add(skeleton);
  }

  /** Returns true if formatting certainly leaves the expression as it is, on one line. */
  has(expression: string): boolean {
    const skeleton = plainSkeleton(expression);
    return skeleton !== undefined && this.#skeletons.has(skeleton);
  }
}

/** Longer ones may exceed a limit of the parser. */
const LONGEST = 1000;

/** Returns the expression without its literals; undefined if one of them may have to be written differently, or may be invalid. */
function plainSkeleton(expression: string): string | undefined {
  const skeleton = expression.length > LONGEST ? undefined : skeletonOf(expression);
  if (!skeleton) return undefined;
  const { literals } = skeleton;
  let shape = '';
  let at = 0;
  for (let index = 0; index < literals.length; index += 3) {
    const [start, end, kind] = [literals[index]!, literals[index + 1]!, literals[index + 2]!];
    if (!PLAIN.test(expression.slice(start, end))) return undefined;
    shape += expression.slice(at, start) + String.fromCharCode(kind);
    at = end;
  }
  return shape + expression.slice(at);
}

/** A string in single quotes without escapes, or a number that is certainly in range. */
const PLAIN = /^(?:'[ !#-&(-[\]-~]*'|[0-9]{1,15}(?:\.[0-9]{1,15})?)$/;
