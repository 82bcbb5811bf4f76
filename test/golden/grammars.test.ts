import { readFileSync } from 'node:fs';
import { createEnvironment, EXTENSION_LIBRARIES } from '@tollgate/cel';
import { describeGrammar } from '@tollgate/cel/tooling';
import { expect, test } from 'vitest';

interface Rule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly patterns?: readonly Rule[];
}

function read(name: string): string {
  return readFileSync(new URL(`../../grammars/${name}`, import.meta.url), 'utf8');
}

const { patterns } = JSON.parse(read('cel.tmLanguage.json')) as { patterns: readonly Rule[] };

/** Colours one line as an editor does: at each place the rule whose match comes first, and of those the one listed first. */
function colour(line: string): string[] {
  const coloured: string[] = [];
  let at = 0;
  while (at < line.length) {
    const next = patterns.map(rule => firstMatch(rule, line, at)).filter(found => found !== undefined);
    const found = next.reduce((best, other) => (other.start < best.start ? other : best), {
      name: '',
      start: line.length,
      end: line.length,
    });
    if (found.name !== '') coloured.push(`${line.slice(found.start, found.end)} ${found.name}`);
    at = Math.max(found.end, at + 1);
  }
  return coloured;
}

function firstMatch(rule: Rule, line: string, from: number): { name: string; start: number; end: number } | undefined {
  const begin = exec(rule.match ?? rule.begin ?? '', line, from);
  if (begin === undefined || rule.end === undefined) return begin && { name: rule.name ?? '', ...begin };
  let at = begin.end;
  for (;;) {
    const end = exec(rule.end, line, at) ?? { start: line.length, end: line.length };
    const inner = (rule.patterns ?? [])
      .map(({ match = '' }) => exec(match, line, at))
      .find(one => one && one.start < end.start);
    if (inner === undefined) return { name: rule.name ?? '', start: begin.start, end: end.end };
    at = inner.end;
  }
}

function exec(pattern: string, line: string, from: number): { start: number; end: number } | undefined {
  const regex = new RegExp(pattern, 'g');
  regex.lastIndex = from;
  const found = regex.exec(line);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

test('the TextMate grammar colours every part of the language', () => {
  expect(colour(`has(req.size) && f(x.in_) in [1u, 2.5e3, 0x1F] // c`)).toEqual([
    'has support.function.macro.cel',
    '( punctuation.cel',
    'req variable.other.cel',
    '. punctuation.cel',
    'size variable.other.member.cel',
    ') punctuation.cel',
    '&& keyword.operator.cel',
    'f entity.name.function.cel',
    '( punctuation.cel',
    'x variable.other.cel',
    '. punctuation.cel',
    'in_ variable.other.member.cel',
    ') punctuation.cel',
    'in keyword.operator.word.cel',
    '[ punctuation.cel',
    '1u constant.numeric.integer.unsigned.cel',
    ', punctuation.cel',
    '2.5e3 constant.numeric.float.cel',
    ', punctuation.cel',
    '0x1F constant.numeric.integer.cel',
    '] punctuation.cel',
    '// c comment.line.double-slash.cel',
  ]);
  expect(colour(String.raw`"a\"b" + r'\' != b"""x"y""" ? true : type(a) == int`)).toEqual([
    String.raw`"a\"b" string.quoted.double.cel`,
    '+ keyword.operator.cel',
    String.raw`r'\' string.quoted.other.raw.cel`,
    '!= keyword.operator.cel',
    'b"""x"y""" string.quoted.triple.cel',
    '? keyword.operator.cel',
    'true constant.language.cel',
    ': keyword.operator.cel',
    'type entity.name.function.cel',
    '( punctuation.cel',
    'a variable.other.cel',
    ') punctuation.cel',
    '== keyword.operator.cel',
    'int support.type.cel',
  ]);
  expect(colour('a.for + for')).toEqual([
    'a variable.other.cel',
    '. punctuation.cel',
    'for variable.other.member.cel',
    '+ keyword.operator.cel',
    'for invalid.illegal.reserved.cel',
  ]);
});

test('the TextMate grammar knows every macro and type', () => {
  const { macros, typeNames } = createEnvironment({ libraries: EXTENSION_LIBRARIES });
  const names = [...macros.values()].map(({ name }) => name);
  for (const name of names) expect(colour(`${name}(`)[0]).toBe(`${name} support.function.macro.cel`);
  for (const name of typeNames) if (!name.includes('.')) expect(colour(name)).toEqual([`${name} support.type.cel`]);
});

test('the EBNF defines every name that it uses, once', () => {
  const text = read('cel.ebnf').replaceAll(/\(\*[\s\S]*?\*\)|\? \/.*\/ \?/g, '');
  const rules = text
    .split(/ ;$/m)
    .map(rule => rule.trim())
    .filter(rule => rule !== '');
  const defined = rules.map(rule => rule.slice(0, rule.indexOf(' =')));
  const used = rules.flatMap(
    rule =>
      rule
        .slice(rule.indexOf(' =') + 2)
        .replaceAll(/"[^"]*"|'[^']*'/g, '')
        .match(/[a-z][a-z ]*[a-z]/g) ?? [],
  );
  expect(new Set(defined).size).toBe(defined.length);
  expect([...new Set(used)].filter(name => !defined.includes(name))).toEqual([]);
  expect(defined.slice(0, describeGrammar().rules.length)[0]).toBe('expression');
});
