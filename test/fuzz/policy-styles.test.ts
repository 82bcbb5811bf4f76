import { type EvaluationContext, isAvailable, type Phase, PROFILES, type Profile, phasesAt } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, stringify, visit } from 'yaml';
import { type Json, policies } from '../schemas/generated-policy.ts';
import { runs } from '../support/runs.ts';
import { EXPRESSION_MISTAKES, LINE_MISTAKES } from './planted-mistakes.ts';

type JsonMap = { readonly [key: string]: Json };
const isMap = (value: Json): value is JsonMap => typeof value === 'object' && value !== null && !Array.isArray(value);

const STYLES = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;
/** Stands in no catalog, and looks the same in every style. */
const MISTAKE = 'zqx9';

/** The examples of the catalog that are available at a place, as conditions. */
function conditionsAt(profile: Profile, place: EvaluationContext): readonly string[] {
  const facts = [
    ...profile.variables.map(fact => ({ fact, examples: [fact.example] })),
    ...profile.functions.map(fact => ({ fact, examples: fact.examples })),
  ];
  const found = facts.filter(({ fact }) => isAvailable(fact, place)).flatMap(({ examples }) => examples);
  return found.map(({ expression, value }) => `(${expression}) ==\n(${value}) && true`.replace('\n', ' '));
}

interface Choices {
  /** Taken in turn. */
  readonly numbers: readonly number[];
  at: number;
}

function next(choices: Choices, below: number): number {
  choices.at += 1;
  return choices.numbers[choices.at % choices.numbers.length]! % below;
}

/** What is generated has the right types; where more is asked of a value, the example of the catalog has it. */
function withExample(action: JsonMap, profile: Profile): JsonMap {
  const fact = profile.actions.find(({ type }) => type === action.type)!;
  const asksMore = /"kind":"(?:shape|expression|duration)"|"unique":true/.test(JSON.stringify(fact.config));
  return asksMore && fact.example !== undefined ? { type: fact.type, config: fact.example as Json } : action;
}

/** The policy with conditions of the catalog in its rules, and one action each: others may be unreachable. */
function withConditions(
  policy: Json,
  context: { profile: Profile; endpoint: EvaluationContext['endpoint'] },
  choices: Choices,
): Json {
  if (!isMap(policy)) return policy;
  const { profile, endpoint } = context;
  const convert = (key: string, value: Json): Json => {
    if (key === 'policy' || key === 'module') return withConditions(value, context, choices);
    if (!Array.isArray(value) || !phasesAt(profile, endpoint).includes(key as Phase)) return value;
    const conditions = conditionsAt(profile, { endpoint, phase: key as Phase });
    return value.map((rule: JsonMap) => ({
      ...rule,
      expressions: [conditions[next(choices, conditions.length)]!, 'true || false'],
      actions: (rule.actions as readonly JsonMap[]).slice(0, 1).map(action => withExample(action, profile)),
    }));
  };
  return Object.fromEntries(Object.entries(policy).map(([key, value]) => [key, convert(key, value)]));
}

/** The policy in YAML, each text in a style of its own, with comments and lists in brackets here and there. */
function written(policy: Json, choices: Choices): string {
  const document = new Document(policy, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, node) {
      if (typeof node.value === 'string' && key !== 'key') node.type = STYLES[next(choices, STYLES.length)]!;
    },
    Collection(_, node) {
      if (next(choices, 9) === 0) node.flow = true;
      if (next(choices, 5) === 0) node.commentBefore = ' a remark: "here" [';
    },
  });
  return document.toString({ lineWidth: next(choices, 2) === 0 ? 0 : 40 });
}

/** Changes one rule. */
type Change = (rule: JsonMap) => JsonMap;

const LAST = "'a # b: c' == ''";
const condition =
  (expression: string): Change =>
  rule => ({ ...rule, expressions: [expression, ...(rule.expressions as readonly Json[])] });
const action =
  (wrong: JsonMap): Change =>
  rule => ({ ...rule, actions: [{ ...(rule.actions as readonly JsonMap[])[0], ...wrong }] });

/** That every place can have. */
const SAFE_RULES: readonly Json[] = [
  { name: 'a rule', expressions: ['true || false'], actions: [{ type: 'log' }] },
  { actions: [{ type: 'log', config: {} }] },
  { name: 'no: robots', expressions: ["'a' == 'b'", 'true'], actions: [{ type: 'log' }] },
];

/** What is changed, how, and the code of what is then found at the mistake alone. */
const MISTAKES: readonly (readonly [string, Change, string])[] = [
  ['a variable', condition(`true ||\n  1 == ${MISTAKE} || ${LAST}`), 'name/undeclared-reference'],
  ['a function', condition(`true ||\n\n\t${MISTAKE}("\\n") || ${LAST}`), 'name/undeclared-function'],
  ['a field', condition(`{"a": 1}.a == 1 && ${LAST} || conn.${MISTAKE} == 'é😀'`), 'name/undeclared-field'],
  ['the syntax', condition(`true ||\n  ${LAST} ${MISTAKE}`), 'syntax/unexpected-token'],
  ['a key of a rule', rule => ({ [MISTAKE]: 'é', ...rule }), 'policy/unknown-key'],
  ['a key of an action', action({ [MISTAKE]: null }), 'policy/unknown-key'],
  ['the type of an action', action({ type: MISTAKE, config: { a: 'x' } }), 'policy/unknown-action'],
];

/** The policy with the first of its rules changed; undefined when it has none. */
function withMistake(policy: Json, change: Change): Json | undefined {
  let isDone = false;
  const visit = (value: Json): Json => {
    if (isDone) return value;
    if (Array.isArray(value)) return value.map(visit);
    if (!isMap(value)) return value;
    if ('expressions' in value) {
      isDone = true;
      return change(value);
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
  };
  const changed = visit(policy);
  return isDone ? changed : undefined;
}

/** The YAML of a phase with a rule, written by hand, among others. */
function phaseWith(phase: string, rule: string, { others, pad }: { others: readonly Json[]; pad: number }): string {
  const blocks = [...others.map(one => stringify([one])), rule];
  const lines = (blocks.length > 1 ? [blocks[0]!, rule, ...blocks.slice(1, -1)] : blocks).join('').split('\n');
  return `${phase}:\n${lines.map(line => (line === '' ? '' : ' '.repeat(pad) + line)).join('\n')}`;
}

/** The text without the marks of what is wrong, and where that stands. */
function unmarked(marked: string): { readonly text: string; readonly start: number; readonly end: number } {
  const start = marked.indexOf('«');
  return { text: marked.replace('«', '').replace('»', ''), start, end: marked.indexOf('»') - 1 };
}

/** A condition in a style of its own that can be read: what begins with a quote or has a colon needs quotes. */
function styled(source: string, choices: Choices): string {
  const style = next(choices, 4);
  const canBePlain = /^[A-Za-z(«]/.test(source) && !/^«["'!]|: | #|:$/.test(source);
  if (style === 0 && canBePlain) return source;
  if (style === 1) return `>-\n        ${source}`;
  return style === 2 ? `|-\n        ${source}` : `'${source.replaceAll("'", "''")}'`;
}

const PLACES = PROFILES.flatMap(profile => profile.endpoints.map(endpoint => ({ profile, endpoint })));

/** What a random policy of the right shape may well mean. */
const OF_MEANING: ReadonlySet<string> = new Set([
  'policy/empty-document',
  'policy/conflicting-actions',
  'policy/unset-variable',
  'policy/unhandled-traffic',
]);

describe.each(PLACES.map(place => [`${place.profile.name}, ${place.endpoint}`, place] as const))(
  'a policy of %s',
  (_, place) => {
    const { profile, endpoint } = place;
    const environments = createPhaseEnvironments(profile, endpoint);
    const numbers = fc.array(fc.nat(1000), { minLength: 7, maxLength: 40 });
    const errorsIn = (uri: string, text: string) =>
      analyzePolicy(new SourceText(uri, text), { profile, endpoint, environments })
        .diagnostics.filter(({ severity, code }) => severity === 'error' && !OF_MEANING.has(code))
        .map(({ code, range }) => ({ code, ...range }));

    it('has no false error in any style', () => {
      fc.assert(
        fc.property(policies(profile, endpoint), numbers, (shape, chosen) => {
          const choices = { numbers: chosen, at: 0 };
          const policy = withConditions(shape, place, choices);
          const yaml = written(policy, choices);
          expect({ yaml, errors: errorsIn('p.yaml', yaml) }).toEqual({ yaml, errors: [] });
          expect(errorsIn('p.json', JSON.stringify(policy, undefined, chosen[0]! % 3))).toEqual([]);
        }),
        { numRuns: runs(3, 60) },
      );
    });

    it.each(MISTAKES)('has exactly its one mistake at the right range in any style: %s', (_, change, expected) => {
      fc.assert(
        fc.property(policies(profile, endpoint), numbers, (shape, chosen) => {
          const choices = { numbers: chosen, at: 0 };
          const wrong = withMistake(withConditions(shape, place, choices), change);
          fc.pre(wrong !== undefined);
          const yaml = written(wrong!, choices);
          const start = yaml.indexOf(MISTAKE);
          const mistake = { code: expected, start, end: start + MISTAKE.length };
          expect({ yaml, errors: errorsIn('p.yaml', yaml) }).toEqual({ yaml, errors: [mistake] });
          const json = JSON.stringify(wrong, undefined, chosen[0]! % 3);
          const inJson = json.indexOf(MISTAKE);
          const sameInJson = { code: expected, start: inJson, end: inJson + MISTAKE.length };
          expect({ json, errors: errorsIn('p.json', json) }).toEqual({ json, errors: [sameInJson] });
        }),
        { numRuns: runs(1, 25) },
      );
    });
  },
);

describe.each(PLACES.map(place => [`${place.profile.name}, ${place.endpoint}`, place] as const))(
  'a policy of %s with one mistake that people make',
  (_, { profile, endpoint }) => {
    const environments = createPhaseEnvironments(profile, endpoint);
    const numbers = fc.array(fc.nat(1000), { minLength: 7, maxLength: 40 });
    const phase = phasesAt(profile, endpoint)[0]!;
    const string = profile.name === 'edge-v2' ? 'conn.ClientIP' : 'conn.client_ip';
    const isClosing = (type: string) => type === 'deny' || type === 'close-connection';
    const action = profile.actions.find(fact => isAvailable(fact, { endpoint, phase }) && isClosing(fact.type))!.type;
    const allErrors = (text: string) =>
      analyzePolicy(new SourceText('p.yaml', text), { profile, endpoint, environments }).diagnostics.filter(
        ({ severity, code }) => severity === 'error' && !OF_MEANING.has(code),
      );
    const valid = fc.record({
      others: fc.array(fc.constantFrom<Json>(...SAFE_RULES), { maxLength: 2 }),
      pad: fc.constantFrom(0, 2, 4),
    });
    const expectOne = (marked: string, says: string | RegExp) => {
      const { text, start, end } = unmarked(marked);
      const errors = allErrors(text);
      const found = errors.map(({ code, message, range }) => ({
        message: `${code}: ${message}`,
        isThere: range.start <= end && range.end >= start,
      }));
      const message = typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says);
      expect({ text, found }).toEqual({ text, found: [{ message, isThere: true }] });
    };

    it.each(EXPRESSION_MISTAKES.map(one => [one.name, one] as const))(
      'reports once, at the right range, what to write instead: %s',
      (_, { source, says }) => {
        fc.assert(
          fc.property(valid, numbers, (around, chosen) => {
            const choices = { numbers: chosen, at: 0 };
            const condition = source.replace(/\bN\b/g, `size(${string})`).replace(/\bS\b/g, string);
            const rule = `- expressions:\n    - ${styled(condition, choices)}\n    - 'true'\n  actions:\n    - type: ${action}\n`;
            expectOne(phaseWith(phase, rule, around), says);
          }),
          { numRuns: runs(1, 8) },
        );
      },
    );

    it.each(LINE_MISTAKES.map(one => [one.name, one] as const))(
      'reports once, at the right range, how to write the lines: %s',
      (_, { plant, says }) => {
        fc.assert(
          fc.property(valid, around => expectOne(phaseWith(phase, plant({ action, config: '' }), around), says)),
          { numRuns: runs(1, 6) },
        );
      },
    );
  },
);
