import { describe, expect, it } from 'vitest';
import { MODERN } from '../modern/modern.ts';
import { type ActionFact, terminationDoc, terminationOf } from './action-fact.ts';

function factOf(type: string): ActionFact {
  return MODERN.actions.find(fact => fact.type === type)!;
}

describe('the termination of an action', () => {
  it.each([
    ['deny', {}, 'always'],
    ['custom-response', { status_code: 200 }, 'always'],
    ['close-connection', {}, 'always'],
    ['forward-internal', { url: 'https://a.internal' }, 'always'],
    ['forward-internal', { url: 'https://a.internal', on_error: null }, 'always'],
    ['forward-internal', { url: 'https://a.internal', on_error: 'halt' }, 'always'],
    ['forward-internal', { url: 'https://a.internal', on_error: 'continue' }, 'sometimes'],
    ['http-request', { url: 'https://a.internal' }, 'never'],
    ['http-request', { url: 'https://a.internal', on_error: 'halt' }, 'sometimes'],
    ['redirect', { to: '/b' }, 'sometimes'],
    ['rate-limit', {}, 'sometimes'],
    ['rate-limit', { enforce: false }, 'never'],
    ['oauth', { provider: 'google' }, 'sometimes'],
    ['log', {}, 'never'],
    ['url-rewrite', { to: '/b' }, 'never'],
  ])('of `%s` with %j is %s', (type, config, termination) => {
    expect(terminationOf({ fact: factOf(type), config })).toBe(termination);
  });

  it('of an unknown action is unknown', () => {
    expect(terminationOf({ fact: undefined, config: {} })).toBeUndefined();
  });

  it('has a sentence', () => {
    expect(terminationDoc(factOf('deny'))).toBe('Ends the policy.');
  });
});
