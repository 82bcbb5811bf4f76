import type { Condition, Input, Value } from './condition.ts';
import { type Leaf, leavesOf } from './leaves.ts';

/** Returns what conditions read, each once. */
export function inputsOf(conditions: readonly Condition[]): readonly Input[] {
  const read = conditions.flatMap(leavesOf).flatMap(readBy);
  return [...new Map(read.map(input => [input.path, input])).values()];
}

function readBy(leaf: Leaf): readonly Input[] {
  switch (leaf.kind) {
    case 'constant':
      return [];
    case 'input':
    case 'key':
      return [leaf.input];
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

function inputIn(value: Value): readonly Input[] {
  return value.kind === 'constant' ? [] : [value.input];
}
