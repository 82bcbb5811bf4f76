import { expect, it } from 'vitest';
import { Grammar } from './grammar.ts';

it('has no ambiguity, left recursion or other fault that Chevrotain finds', () => {
  expect(() => new Grammar({ recovery: false, validation: true })).not.toThrow();
});
