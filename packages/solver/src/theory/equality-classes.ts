import type { Signal } from '../logic/graph.ts';
import type { Slot } from './vocabulary.ts';

/** A literal about whether two strings are equal. */
export interface SameLiteral {
  readonly literal: Signal;
  readonly slots: readonly [Slot, Slot];
}

/** Returns a string that is equal for the same slot. */
export function slotKey({ cell, index }: Slot): string {
  return `${cell.id}:${index}`;
}

interface Edge {
  readonly to: Slot;
  readonly literal: Signal;
}

/** Strings that are equal to each other, and the literals that say so. */
export class EqualityClasses {
  readonly #edges = new Map<string, Edge[]>();
  readonly #classes = new Map<string, number>();
  /** The members of each class. */
  readonly classes: Slot[][] = [];

  /** @param others strings that are in classes, too, of their own if they equal no other */
  constructor(equalities: readonly SameLiteral[], others: readonly Slot[]) {
    for (const {
      literal,
      slots: [a, b],
    } of equalities) {
      this.#add(a, { to: b, literal });
      this.#add(b, { to: a, literal });
    }
    for (const slot of [...equalities.flatMap(one => one.slots), ...others]) {
      if (!this.#classes.has(slotKey(slot))) this.classes.push(this.#collect(slot));
    }
  }

  #add(slot: Slot, edge: Edge): void {
    const key = slotKey(slot);
    const edges = this.#edges.get(key);
    if (edges === undefined) this.#edges.set(key, [edge]);
    else edges.push(edge);
  }

  #collect(start: Slot): Slot[] {
    const at = this.classes.length;
    const members = [start];
    this.#classes.set(slotKey(start), at);
    for (const slot of members) {
      for (const { to } of this.#edgesOf(slot)) {
        if (this.#classes.has(slotKey(to))) continue;
        this.#classes.set(slotKey(to), at);
        members.push(to);
      }
    }
    return members;
  }

  #edgesOf(slot: Slot): readonly Edge[] {
    return this.#edges.get(slotKey(slot)) ?? [];
  }

  classOf(slot: Slot): number {
    return this.#classes.get(slotKey(slot))!;
  }

  /** Returns true if a literal says that it equals another string, so that it exists. */
  isEqualToAny(slot: Slot): boolean {
    return this.#edgesOf(slot).length > 0;
  }

  /** Returns literals from which follows that these members of a class are equal. */
  linking([first, ...others]: readonly Slot[]): readonly Signal[] {
    return [...new Set(others.flatMap(one => this.#path(first!, one)))];
  }

  #path(from: Slot, to: Slot): readonly Signal[] {
    const before = new Map<string, { readonly slot: Slot; readonly literal: Signal }>();
    const open = [from];
    for (const slot of open) {
      for (const edge of this.#edgesOf(slot)) {
        const key = slotKey(edge.to);
        if (before.has(key)) continue;
        before.set(key, { slot, literal: edge.literal });
        open.push(edge.to);
      }
    }
    const found: Signal[] = [];
    for (let at = to; slotKey(at) !== slotKey(from); ) {
      const step = before.get(slotKey(at))!;
      found.push(step.literal);
      at = step.slot;
    }
    return found;
  }
}
