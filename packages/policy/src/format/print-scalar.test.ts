import { PROFILES } from '@tollgate/catalog';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { FUNCTION_ROOTS, formatterOf, KnownLayouts, VARIABLE_ROOTS } from './print-scalar.ts';

function knowing(...expressions: readonly string[]): KnownLayouts {
  const layouts = new KnownLayouts();
  for (const expression of expressions) layouts.add(expression);
  return layouts;
}

describe('known layouts', () => {
  it('recognize an expression that differs in literals', () => {
    const layouts = knowing("a.b('x') && c[1] > 2.5");
    expect(layouts.has("a.b('another') && c[20] > 0.125")).toBe(true);
  });

  it.each([
    ['other white space', "a.b('x')  && c[1] > 2.5"],
    ['another kind of literal', 'a.b(1) && c[1] > 2.5'],
    ['double quotes', 'a.b("x") && c[1] > 2.5'],
    ['an escape', "a.b('\\n') && c[1] > 2.5"],
    ['a line break', "a.b('\n') && c[1] > 2.5"],
    ['a number out of range', "a.b('x') && c[99999999999999999999] > 2.5"],
    ['a prefix', "a.b(r'x') && c[1] > 2.5"],
    ['a comment', "a.b('x') && c[1] > 2.5 // why"],
  ])('do not recognize %s', (_, expression) => {
    expect(knowing("a.b('x') && c[1] > 2.5").has(expression)).toBe(false);
  });

  it('are those that formatting leaves as they are', () => {
    const literal = fc.oneof(
      fc.constantFrom("''", "'a'", "'a b'", '"a"', "'\"'", "'\\''", "'&& ('", "r'a'", "b'a'", "'é'", "'''a'''", "'\n'"),
      fc.constantFrom('0', '1', '1.0', '1e3', '1u', '0x1', '9223372036854775807', '9223372036854775808', '.5'),
    );
    const shape = fc.constantFrom(
      ...['# == #', '-#', '-(#)', '- #', '!(# == #)', '[#, #]', '{#: #}', 'a[#]', 'a.?b', 'a[?#]', 'a.b(#, #).c(#)'],
      ...['# ? # : #', 'a && b == # || #', '(a && b == #) || #', '#.all(x, x == #)', 'a.b{c: #}', '# in [#, #]', '#+#'],
    );
    const filled = (pattern: string, literals: readonly string[]) => {
      let index = 0;
      return pattern.replaceAll('#', () => literals[index++ % literals.length]!);
    };
    const literals = fc.array(literal, { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(shape, literals, literals, (pattern, some, others) => {
        const known = filled(pattern, some);
        if (formatterOf(known)?.().text !== known) return;
        const expression = filled(pattern, others);
        if (!knowing(known).has(expression)) return;
        expect(formatterOf(expression)?.()).toEqual({ text: expression, keepsLines: false });
      }),
      { numRuns: inject('isDeep') ? 100_000 : 2000 },
    );
  });
});

it('knows the roots of all variables', () => {
  const roots = PROFILES.flatMap(({ variables }) => variables.map(({ path }) => path.split('.')[0]!));
  expect([...VARIABLE_ROOTS]).toEqual([...new Set([...roots, 'vars'])].sort());
});

it('knows the roots of all functions', () => {
  const names = PROFILES.flatMap(({ functions }) => functions.map(({ name }) => name));
  const roots = names.filter(name => name.includes('.')).map(name => name.split('.')[0]!);
  expect([...FUNCTION_ROOTS]).toEqual([...new Set(roots)].sort());
});
