import type { RuleEffect } from './rule-effect.ts';

/** A rule with what it reads and changes. */
interface ReadingRule {
  readonly effect: Pick<RuleEffect, 'changes'>;
  /** Paths of the inputs that its expressions read. */
  readonly reads: () => readonly string[];
}

/**
 * Returns, for each rule of a phase, the first position from its own on where an action changes what it reads; the length of the phase if
 * there is none.
 */
export function validUntil(rules: readonly ReadingRule[]): readonly number[] {
  const overlaps = new Overlaps();
  // The next position for each distinct set of changes; there are few.
  const ahead = new Map<string, Change>();
  const found: number[] = [];
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const { effect, reads } = rules[index]!;
    const key = effect.changes === undefined ? '*' : effect.changes.join();
    if (key !== '') ahead.set(key, { changes: ahead.get(key)?.changes ?? effect.changes, at: index });
    // Reading paths is the most expensive step here.
    const read = ahead.size === 0 ? [] : reads();
    const ends = read.length === 0 ? [] : [...ahead.values()].filter(({ changes }) => overlaps.isAny(changes, read));
    found[index] = ends.reduce((first, { at }) => Math.min(first, at), rules.length);
  }
  return found;
}

/** Paths that an action changes, and the next position of such an action. */
interface Change {
  readonly changes: readonly string[] | undefined;
  readonly at: number;
}

/** Caches results, because the rules of a phase repeat the same paths. */
class Overlaps {
  readonly #known = new Map<readonly string[], Map<string, boolean>>();

  /** Returns true if changing values at these paths (undefined: at any) changes what is read. */
  isAny(changes: readonly string[] | undefined, reads: readonly string[]): boolean {
    if (changes === undefined) return reads.length > 0;
    let answers = this.#known.get(changes);
    if (answers === undefined) {
      answers = new Map();
      this.#known.set(changes, answers);
    }
    for (const read of reads) {
      let answer = answers.get(read);
      if (answer === undefined) {
        answer = changes.some(path => overlap(read, path));
        answers.set(read, answer);
      }
      if (answer) return true;
    }
    return false;
  }
}

/** Returns true if one path contains the other. */
function overlap(a: string, b: string): boolean {
  return `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`);
}
