import { expect, it } from 'vitest';
import { createAnswerCache } from './answers.ts';

it('evicts the least recently used responses when full', () => {
  const cache = createAnswerCache(12);
  const answer = (text: string) => ({ revision: 1, text: Buffer.from(text), stamp: 1 });
  for (const key of ['a', 'b', 'c']) cache.set(key, answer('xyz'));
  cache.get('a');
  cache.set('d', answer('xyz'));
  expect(['a', 'b', 'c', 'd'].filter(key => cache.get(key))).toEqual(['a', 'c', 'd']);
  cache.set('a', answer('xyzxyzxyz'));
  expect(['a', 'b', 'c', 'd'].filter(key => cache.get(key))).toEqual(['a']);
  cache.set('e', answer('far more than it holds'));
  expect(['a', 'e'].filter(key => cache.get(key))).toEqual([]);
});
