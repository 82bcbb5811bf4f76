import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { isLinear } from './backtracking.ts';
import { trimEdges } from './parse-pattern.ts';
import { alternate, concat, itemsOf, type PatternNode, single } from './pattern.ts';

const TOO_MANY = 3_000_000;

/** Counts the characters that a backtracking engine reads while it matches a pattern, trying alternatives in V8's order. */
class StepCounter {
  readonly #text: string;
  steps = 0;

  constructor(text: string) {
    this.#text = text;
  }

  search(pattern: PatternNode): number {
    const [first] = itemsOf(pattern);
    const anchored = first?.kind === 'assertion' && first.what === 'text-start';
    for (let start = 0; start <= (anchored ? 0 : this.#text.length); start++) {
      if (this.#match(pattern, start, () => true)) break;
    }
    return this.steps;
  }

  #match(node: PatternNode, at: number, next: (at: number) => boolean): boolean {
    if (this.steps > TOO_MANY) return true;
    this.steps++;
    switch (node.kind) {
      case 'set':
        return node.set[0] === this.#text.charCodeAt(at) && next(at + 1);
      case 'assertion':
        return at === (node.what === 'text-start' ? 0 : this.#text.length) && next(at);
      case 'concat':
        return this.#sequence(node.items, at, next);
      case 'alternate':
        return node.branches.some(branch => this.#match(branch, at, next));
      case 'repeat':
        return node.body.kind === 'set' && node.max === undefined
          ? this.#loop(node.body.set[0]!, node.min, at, next)
          : this.#repeat(node.body, [node.min, node.max ?? Number.POSITIVE_INFINITY], at, next);
      default:
        return next(at);
    }
  }

  #sequence(items: readonly PatternNode[], at: number, next: (at: number) => boolean): boolean {
    const [first, ...rest] = items;
    return first === undefined ? next(at) : this.#match(first, at, end => this.#sequence(rest, end, next));
  }

  /** Iterative, so that long strings do not exhaust the stack. */
  #loop(char: number, min: number, at: number, next: (at: number) => boolean): boolean {
    let end = at;
    while (this.#text.charCodeAt(end) === char) {
      end++;
      this.steps++;
    }
    for (; end >= at + min; end--) {
      this.steps++;
      if (next(end)) return true;
    }
    return false;
  }

  #repeat(
    body: PatternNode,
    [min, max]: readonly [number, number],
    at: number,
    next: (at: number) => boolean,
  ): boolean {
    const again = (end: number): boolean =>
      (end > at || min > 0) && this.#repeat(body, [Math.max(0, min - 1), max - 1], end, next);
    return (max > 0 && this.#match(body, at, again)) || (min === 0 && next(at));
  }
}

const char: fc.Arbitrary<PatternNode> = fc
  .constantFrom('a', 'b', 'c')
  .map(letter => ({ kind: 'set', set: single(letter.charCodeAt(0)) }));

const pattern: fc.Arbitrary<PatternNode> = fc
  .letrec<{ node: PatternNode; repeat: PatternNode }>(tie => ({
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'pattern' },
      char,
      fc.array(tie('node'), { minLength: 2, maxLength: 4, depthIdentifier: 'pattern' }).map(concat),
      fc.array(tie('node'), { minLength: 2, maxLength: 3, depthIdentifier: 'pattern' }).map(alternate),
      tie('repeat'),
    ),
    repeat: fc
      .record({
        body: fc.oneof({ weight: 3, arbitrary: char }, { weight: 1, arbitrary: tie('node') }),
        min: fc.integer({ min: 0, max: 2 }),
        extra: fc.constantFrom(0, 1, undefined, undefined, undefined),
      })
      .map(({ body, min, extra }) => ({
        kind: 'repeat',
        body,
        min,
        max: extra === undefined ? undefined : min + extra,
      })),
  }))
  .node.chain(node =>
    fc
      .tuple(fc.boolean(), fc.boolean())
      .map(([start, end]) =>
        concat([
          ...(start ? [{ kind: 'assertion', what: 'text-start' } as const] : []),
          node,
          ...(end ? [{ kind: 'assertion', what: 'text-end' } as const] : []),
        ]),
      ),
  );

const word = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }).map(letters => letters.join(''));

test('a linear pattern takes about twice the steps on twice the input', () => {
  let looped = 0;
  fc.assert(
    fc.property(pattern, word, word, word, (untrimmed, before, between, after) => {
      const trimmed = trimEdges(untrimmed);
      if (!isLinear(trimmed)) return;
      if (JSON.stringify(trimmed).includes('"min":')) looped++;
      const steps = (size: number): number =>
        new StepCounter(before.repeat(size) + between + after.repeat(size)).search(trimmed);
      expect(steps(400)).toBeLessThanOrEqual(2.2 * steps(200) + 5000);
    }),
    { numRuns: inject('isDeep') ? 3000 : 1000 },
  );
  expect(looped).toBeGreaterThan(200);
});

test('the step counter detects patterns that are not linear', () => {
  const loop: PatternNode = { kind: 'repeat', body: { kind: 'set', set: single(0x61) }, min: 0, max: undefined };
  const quadratic = concat([{ kind: 'assertion', what: 'text-start' }, loop, loop, { kind: 'set', set: single(0x62) }]);
  const steps = (size: number): number => new StepCounter('a'.repeat(size)).search(quadratic);
  expect(isLinear(quadratic)).toBe(false);
  expect(steps(400) / steps(200)).toBeGreaterThan(3.5);
});
