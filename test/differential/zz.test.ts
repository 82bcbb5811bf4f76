import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activationOf, caseOf, compileBoth, EVERYTHING } from './case.ts';
import { obscure } from './data.ts';
import { showOursExactly } from './engines.ts';
test('find', () => {
  let shown = 0;
  fc.assert(fc.property(fc.gen(), take => {
    const { source, data } = caseOf(take, EVERYTHING);
    const { closures, generated } = compileBoth(source);
    const full = activationOf(data);
    const partial = Object.fromEntries(Object.entries(full).map(([name, value]) => [name, obscure(value, name, take)]));
    for (const a of [full, partial]) {
      const x = showOursExactly(closures.evaluate(a)), y = showOursExactly(generated.evaluate(a));
      if (x !== y && source.length < 120 && shown++ < 12) console.log(source, '\n   c', x, '\n   g', y, JSON.stringify(a, (k, v) => typeof v === 'bigint' ? String(v) : v)?.slice(0, 300));
    }
  }), { numRuns: 20000, seed: Number(process.env.SEED ?? 5) });
}, 100000);
