// The ground truth for assistants: each intent has a policy that is right and one with a mistake, and the score tells them apart.

import { describe, expect, it } from 'vitest';
import { isRight, readIntents, scorePolicy } from './score.ts';

const INTENTS = readIntents();

describe('intents', () => {
  it('are 40, each with tests, invariants and a name of its own', () => {
    expect(new Set(INTENTS.map(({ id }) => id)).size).toBe(40);
    for (const { id, tests, invariants } of INTENTS) {
      expect(tests.length, id).toBeGreaterThan(0);
      expect(invariants.length, id).toBeGreaterThan(0);
    }
  });

  it.each(INTENTS)('$id: the reference is right', async intent => {
    expect(await scorePolicy(intent, intent.reference)).toEqual({
      id: intent.id,
      errors: 0,
      failedTests: 0,
      unprovedInvariants: 0,
    });
  });

  it.each(INTENTS)('$id: the mistake is noticed', async intent => {
    const score = await scorePolicy(intent, intent.wrong);
    expect(score.errors).toBe(0);
    expect(isRight(score)).toBe(false);
  });

  it.each(INTENTS)('$id: a policy that does nothing is not right', async intent => {
    const nothing = intent.endpoint === undefined ? 'on_http_request: []\n' : 'on_tcp_connect: []\n';
    expect(isRight(await scorePolicy(intent, nothing))).toBe(false);
  });

  it('count errors', async () => {
    expect(await scorePolicy(INTENTS[0]!, 'on_http_request: [\n')).toMatchObject({ errors: expect.any(Number) });
    expect(isRight(await scorePolicy(INTENTS[0]!, 'on_http_request: [\n'))).toBe(false);
  });
});
