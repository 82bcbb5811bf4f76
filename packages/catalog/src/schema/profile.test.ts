import { expect, it } from 'vitest';
import { withLazyMembers } from './profile.ts';

it('computes a member once, on first read', () => {
  const made: string[] = [];
  const note = (name: string) => () => {
    made.push(name);
    return [name];
  };
  const members = withLazyMembers<Record<'a' | 'b', string[]>, 'a' | 'b'>({}, { a: note('a'), b: note('b') });
  expect(made).toEqual([]);
  expect(members.b).toBe(members.b);
  expect(made).toEqual(['b']);
});

it('behaves like an object with these members', () => {
  const members = withLazyMembers<Record<'a' | 'b', number>, 'b'>({ a: 1 }, { b: () => 2 });
  expect({ ...members, b: 3 }).toEqual({ a: 1, b: 3 });
  expect(Object.keys(members)).toEqual(['a', 'b']);
});
