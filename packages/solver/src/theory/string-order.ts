// The order of strings that vary: what comes before what, together.

import { compareStrings } from '@tollgate/cel/tooling';
import type { Signal } from '../logic/formula.ts';
import type { Cell, Slot, Vocabulary } from './vocabulary.ts';

/** One string does not come after another, as a literal says; strings of which one is before the other are different. */
interface Step {
  readonly to: string;
  readonly isStrict: boolean;
  /** None for two constants, whose order is known. */
  readonly literals: readonly Signal[];
}

/**
 * Returns literals that order strings in a circle, so that one would come before itself; undefined if there is no such circle. A string that does
 * not exist is taken for some string: what depends on its order does not hold without it.
 */
export function circleIn(literals: readonly Signal[], vocabulary: Vocabulary): readonly Signal[] | undefined {
  const ordered = literals.filter(literal => vocabulary.meaningOf(literal).cell.before !== undefined);
  // The order of a single pair and constants alone are decided elsewhere.
  if (ordered.length === 0) return undefined;
  const steps = stepsOf(literals, vocabulary);
  for (const start of steps.keys()) {
    const found = pathFrom(start, steps);
    if (found !== undefined) return found;
  }
  return undefined;
}

function stepsOf(literals: readonly Signal[], vocabulary: Vocabulary): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  const constants = new Set<string>();
  const add = (from: string, step: Step) => {
    const own = steps.get(from);
    if (own === undefined) steps.set(from, [step]);
    else own.push(step);
  };
  const constant = (text: string) => {
    constants.add(text);
    return constantKey(text);
  };
  for (const literal of literals) {
    const meaning = vocabulary.meaningOf(literal);
    const { before } = meaning.cell;
    const own = [literal];
    if (meaning.kind === 'free' && before !== undefined) {
      const [one, other] = [slotKey(before[0]), slotKey(before[1])];
      if (literal > 0) add(one, { to: other, isStrict: true, literals: own });
      else add(other, { to: one, isStrict: false, literals: own });
    } else if (meaning.kind === 'same' && literal > 0) {
      const [one, other] = [slotKey({ cell: meaning.cell, index: meaning.index }), slotKey(meaning.other)];
      add(one, { to: other, isStrict: false, literals: own });
      add(other, { to: one, isStrict: false, literals: own });
    } else if (meaning.kind === 'language' || meaning.kind === 'element') {
      const index = meaning.kind === 'element' ? meaning.index : undefined;
      const slot = slotKey({ cell: meaning.cell, index });
      // A literal about an element says nothing if there is none.
      const exists = index === undefined ? [] : existence(literals, vocabulary, { cell: meaning.cell, index });
      if (exists === undefined) continue;
      const all = [literal, ...exists];
      const { before: bound, words } = meaning.language.definition;
      if (bound !== undefined && literal > 0) add(slot, { to: constant(bound), isStrict: true, literals: all });
      else if (bound !== undefined) add(constant(bound), { to: slot, isStrict: false, literals: all });
      const [word, ...others] = words ?? [];
      if (word === undefined || others.length > 0 || literal < 0) continue;
      add(slot, { to: constant(word), isStrict: false, literals: all });
      add(constant(word), { to: slot, isStrict: false, literals: all });
    }
  }
  [...constants].sort(compareStrings).forEach((text, at, all) => {
    const next = all[at + 1];
    if (next !== undefined) add(constantKey(text), { to: constantKey(next), isStrict: true, literals: [] });
  });
  return steps;
}

/** Returns a literal that says that a list has an element; undefined if none does. */
function existence(
  literals: readonly Signal[],
  vocabulary: Vocabulary,
  { cell, index }: { readonly cell: Cell; readonly index: number },
): readonly Signal[] | undefined {
  const found = literals.find(literal => {
    const meaning = vocabulary.meaningOf(literal);
    return literal > 0 && meaning.kind === 'size' && meaning.cell === cell && meaning.set[0]![0] > BigInt(index);
  });
  return found === undefined ? undefined : [found];
}

function constantKey(text: string): string {
  return JSON.stringify(text);
}

function slotKey({ cell, index }: Slot): string {
  return `${cell.id}:${index ?? ''}`;
}

/** Returns the literals of a shortest way back to a string with a strict step; undefined if there is none. */
function pathFrom(start: string, steps: ReadonlyMap<string, readonly Step[]>): readonly Signal[] | undefined {
  interface Place {
    readonly at: string;
    readonly isStrict: boolean;
    readonly literals: readonly Signal[];
  }
  const seen = new Set<string>();
  const open: Place[] = [{ at: start, isStrict: false, literals: [] }];
  for (const { at, isStrict, literals } of open) {
    for (const step of steps.get(at) ?? []) {
      const strict = isStrict || step.isStrict;
      const used = [...literals, ...step.literals];
      if (step.to === start && strict) return [...new Set(used)];
      const key = `${step.to} ${strict}`;
      if (seen.has(key)) continue;
      seen.add(key);
      open.push({ at: step.to, isStrict: strict, literals: used });
    }
  }
  return undefined;
}
