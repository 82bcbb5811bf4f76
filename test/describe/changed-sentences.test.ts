import { MODERN } from '@tollgate/catalog';
import { changedSentences, describePolicy, describeRule, phrasesOfRule, textOfPhrases } from '@tollgate/describe';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const RULES = [
  '{ name: office, expressions: ["req.url.path.startsWith(\'/admin/\')"], actions: [{ type: deny }] }',
  '{ name: office, expressions: ["req.url.path.startsWith(\'/admin\')"], actions: [{ type: deny }] }',
  '{ expressions: ["req.method == \'TRACE\'"], actions: [{ type: deny, config: { status_code: 405 } }] }',
  '{ name: all, actions: [{ type: log, config: { metadata: { a: b } } }] }',
];

function analysed(rules: readonly string[]) {
  const text =
    rules.length === 0 ? 'on_http_request: []\n' : `on_http_request:\n${rules.map(one => `  - ${one}\n`).join('')}`;
  return analyzePolicy(new SourceText('p.yaml', text), { profile: MODERN, endpoint: 'http-endpoint' }).policy!;
}

const described = (rules: readonly string[]) => describePolicy(analysed(rules), MODERN);

describe('changedSentences', () => {
  it('shows what is removed before what is added, by rule', () => {
    expect(changedSentences(described([RULES[0]!, RULES[3]!]), described([RULES[3]!, RULES[1]!]))).toEqual([
      { kind: 'removed', rule: 'office', text: 'When the path starts with `/admin/`: denies with 403.' },
      { kind: 'added', rule: 'office', text: 'When the path starts with `/admin`: denies with 403.' },
    ]);
  });

  it('turns the sentences of one policy into those of the other', () => {
    const rules = fc.array(fc.constantFrom(...RULES), { maxLength: 6 });
    const sentences = (all: readonly string[]) => {
      const words = described(all);
      return [...words.rules.map(rule => textOfPhrases(phrasesOfRule(rule))), words.rest].toSorted();
    };
    fc.assert(
      fc.property(rules, rules, (before, after) => {
        const changed = changedSentences(described(before), described(after));
        const texts = sentences(before);
        for (const { kind, text } of changed) {
          if (kind === 'added') texts.push(text);
          else texts.splice(texts.indexOf(text), 1);
        }
        expect(texts.toSorted()).toEqual(sentences(after));
        if (before.toSorted().join() === after.toSorted().join()) expect(changed).toEqual([]);
      }),
    );
  });
});

describe('describeRule', () => {
  const ruleOf = (rule: string) => {
    const policy = analysed([rule]);
    return describeRule(policy.rules.on_http_request[0]!, policy);
  };

  it('describes a rule as the whole policy does', () => {
    for (const rule of RULES) expect(ruleOf(rule)).toEqual(described([rule]).rules[0]);
  });

  it.each([
    '{ expressions: ["req.method == \'TRACE\'", "req.nothing == \'\'"], actions: [{ type: deny }] }',
    '{ expressions: ["req.method == \'TRACE\'"], actions: [{ type: dney }] }',
  ])('says nothing about %s, which has an error', rule => {
    expect(ruleOf(rule)).toBeUndefined();
  });
});
