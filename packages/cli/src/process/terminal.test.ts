import { expect, it } from 'vitest';
import { readBytes } from './terminal.ts';

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Uint8Array.of(1, 2, 3);
}

async function* short(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1, 2);
  yield Uint8Array.of(3);
}

it('reads everything below the limit', async () => {
  expect([...(await readBytes(short(), 4))]).toEqual([1, 2, 3]);
});

it('stops at the limit of endless input', async () => {
  expect([...(await readBytes(endless(), 4))]).toEqual([1, 2, 3, 1]);
});
