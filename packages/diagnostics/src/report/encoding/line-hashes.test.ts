import { expect, it } from 'vitest';
import { lineHashes } from './line-hashes.ts';

// From the tests of the CodeQL action.
it.each<[string, readonly string[]]>([
  ['', ['c129715d7a2bc9a3:1']],
  [' a\nb\n  \t\tc\n d', ['271789c17abda88f:1', '54703d4cd895b18:1', '180aee12dab6264:1', 'a23a3dc5e078b07b:1']],
])('hashes the lines of %j as GitHub does', (text, hashes) => {
  expect(lineHashes(text)).toEqual(hashes);
});

it('ignores spaces and kinds of line breaks', () => {
  expect(lineHashes('a: 1\r\n  b: 2\r\n')).toEqual(lineHashes('a:1\nb:2\n'));
});

it('numbers lines that start the same', () => {
  const [first, second] = lineHashes(`${'x\n'.repeat(200)}`);
  expect(second!.split(':')).toEqual([first!.split(':')[0], '2']);
});
