import type { RuleEffect } from './rule-effect.ts';

/** A rule, as far as others change what it reads. */
export interface ReadingRule {
  readonly effect: Pick<RuleEffect, 'changes'>;
  /** Paths of the inputs that its expressions read. */
  readonly reads: () => readonly string[];
}

/** For each rule of a phase, the first position from its own on where an action changes what it reads; the end of the phase where none does. */
export function validUntil(rules: readonly ReadingRule[]): readonly number[] {
  const overlaps = new Overlaps();
  // The next position with the same changes, of which there are few that differ.
  const ahead = new Map<string, Change>();
  const found: number[] = [];
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const { effect, reads } = rules[index]!;
    const key = effect.changes === undefined ? '*' : effect.changes.join();
    if (key !== '') ahead.set(key, { changes: ahead.get(key)?.changes ?? effect.changes, at: index });
    // Finding out what is read takes longer than all else.
    const read = ahead.size === 0 ? [] : reads();
    const ends = read.length === 0 ? [] : [...ahead.values()].filter(({ changes }) => overlaps.isAny(changes, read));
    found[index] = ends.reduce((first, { at }) => Math.min(first, at), rules.length);
  }
  return found;
}

/** Paths that an action changes, and where the next one stands that does. */
interface Change {
  readonly changes: readonly string[] | undefined;
  readonly at: number;
}

/** Remembers answers: the rules of a phase ask the same many times over. */
class Overlaps {
  readonly #known = new Map<readonly string[], Map<string, boolean>>();

  /** Whether an action that changes values at these paths, or at any for undefined, changes what is read. */
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

/** Whether one path leads into what the other one leads to. */
function overlap(a: string, b: string): boolean {
  return `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`);
}
