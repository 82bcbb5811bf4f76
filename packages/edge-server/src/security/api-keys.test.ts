import { describe, expect, it } from 'vitest';
import { hashToken, isHashOf, makeToken, parseToken } from './api-keys.ts';

const KSUID = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';

describe('tokens', () => {
  it('consist of the identifier and 21 random characters', () => {
    const token = makeToken(KSUID);
    expect(token).toMatch(/^0ujtsYcgvSTl8PAuAdqWYSMnLOv_[0-9A-Za-z]{21}$/);
    expect(token).not.toBe(makeToken(KSUID));
    expect(parseToken(token)).toEqual({ ksuid: KSUID, secret: token.slice(28) });
  });

  it.each([
    '',
    KSUID,
    `ak_${KSUID}`,
    `${KSUID}_short`,
    `${KSUID}_6Jxvym7aMW1jc41HTLpA-`,
    `${'z'.repeat(27)}_6Jxvym7aMW1jc41HTLpAc`,
  ])('are not %j', text => {
    expect(parseToken(text)).toBeUndefined();
  });

  it('match only their own hash', () => {
    const token = makeToken(KSUID);
    const hash = hashToken(token);
    expect(hash).not.toContain(token);
    expect([isHashOf(hash, token), isHashOf(hash, makeToken(KSUID)), isHashOf('', token)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
