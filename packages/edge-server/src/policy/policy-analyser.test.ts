import { expect, it } from 'vitest';
import { createPolicyAnalyser } from './policy-analyser.ts';
import { requestSource } from './policy-in-request.ts';

it('runs all lint rules that can report errors, even those that usually warn', () => {
  const analyse = createPolicyAnalyser();
  const rule = { actions: [{ type: 'remove-headers', config: { headers: ['user-agent'] } }] };
  const source = requestSource(JSON.stringify({ on_http_request: [rule] }));
  const codesOf = (errorsOnly: boolean) =>
    analyse({ source, traffic: 'http', anyProfile: true, errorsOnly })
      .filter(({ severity }) => severity === 'error')
      .map(({ code }) => code);
  expect(codesOf(false)).toEqual(['header/reserved']);
  expect(codesOf(true)).toEqual(['header/reserved']);
});
