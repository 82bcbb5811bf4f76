import type { Condition, Input, Value } from './condition.ts';

/** Returns what conditions read, each once. */
export function inputsOf(conditions: readonly Condition[]): readonly Input[] {
  const read = conditions.flatMap(readBy);
  return [...new Map(read.map(input => [input.path, input])).values()];
}

function readBy(condition: Condition): readonly Input[] {
  switch (condition.kind) {
    case 'constant':
      return [];
    case 'and':
    case 'or':
      return condition.parts.flatMap(readBy);
    case 'not':
      return readBy(condition.part);
    case 'choice':
      return [condition.test, condition.yes, condition.no].flatMap(readBy);
    case 'input':
    case 'key':
      return [condition.input];
    case 'comparison':
    case 'text':
      return [condition.value, condition.other].flatMap(inputIn);
    case 'membership':
    case 'pattern':
    case 'address':
    case 'network':
      return inputIn(condition.value);
  }
}

function inputIn(value: Value): readonly Input[] {
  return value.kind === 'constant' ? [] : [value.input];
}
