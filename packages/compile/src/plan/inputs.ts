import type { Condition, Input, Value } from './condition.ts';
import { type Leaf, leavesOf } from './leaves.ts';

/** Returns what conditions read, each once. */
export function inputsOf(conditions: readonly Condition[]): readonly Input[] {
  const read = conditions.flatMap(readsOf);
  return [...new Map(read.map(({ input }) => [input.path, input])).values()];
}

/** A place where an input is read. */
interface Read {
  readonly input: Input;
  /** The only key of a map that is read; undefined if more is. */
  readonly key: string | undefined;
}

/** Returns what a condition reads, from left to right. */
export function readsOf(condition: Condition): readonly Read[] {
  return leavesOf(condition).flatMap(readBy);
}

function readBy(leaf: Leaf): readonly Read[] {
  switch (leaf.kind) {
    case 'constant':
      return [];
    case 'input':
      return [{ input: leaf.input, key: undefined }];
    case 'key':
      return [{ input: leaf.input, key: leaf.key }];
    case 'comparison':
    case 'text':
      return [leaf.value, leaf.other].flatMap(inputIn);
    case 'membership':
    case 'pattern':
    case 'address':
    case 'network':
      return inputIn(leaf.value);
  }
}

function inputIn(value: Value): readonly Read[] {
  if (value.kind === 'constant') return [];
  return [{ input: value.input, key: value.kind === 'element' ? value.key : undefined }];
}
