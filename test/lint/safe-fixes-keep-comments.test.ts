import { PROFILES } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, fixText, LINT_RULES, lintTests, lintText, unmark } from '@tollgate/lint';
import { analyzePolicies, applyEdits, readTests } from '@tollgate/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, parse } from 'yaml';
import { runs, seed } from '../support/runs.ts';

/** Number of cases; more with `TOLLGATE_COMMENT_CASES=20000`. */
const CASES = runs(10, 300, 'TOLLGATE_COMMENT_CASES');

const SEED = seed(20_261_122, 'TOLLGATE_COMMENT_SEED');

const LINTER = createLinter(LINT_RULES.map(rule => activate(rule, rule.bad.options)));

/** A document for which a lint rule offers a safe fix. */
interface Subject {
  readonly name: string;
  readonly text: string;
  readonly isTests: boolean;
  readonly lint: (text: string) => readonly Diagnostic[];
}

/** Layouts that the examples of lint rules lack: adjacent removals and conditions on several lines. */
const OTHERS = [
  ...['inbound: []\noutbound: null\non_tcp_connect:\n', 'outbound: []\ninbound:\n  - actions: [{ type: deny }]\n'],
  'inbound:\n  - actions:\n      - type: deny\n        config:\n      - type: log\n        config: {}\n  - actions: [{ type: deny, config: {} }]\noutbound: []\n',
  "inbound:\n  - expressions:\n      - |\n        req.Method == 'A' // first\n          || req.Method == 'B' // second\n          || req.Method == 'B'\n    actions: [{ type: deny }]\n",
  'inbound:\n  - expressions:\n      - >-\n        (req.Method == "A") == true // why\n    actions: [{ type: deny, config: { status_code: 204, content: x } }]\n',
];

const SUBJECTS: readonly Subject[] = [
  ...LINT_RULES.filter(rule => rule.fixable === 'safe' && !rule.bad.isEdge).map(({ id, bad }) =>
    subjectOf(id, unmark(bad.tests ?? bad.policy).text, bad),
  ),
  ...OTHERS.map(text => subjectOf('others', text, { policy: text })),
].flatMap(inSeveralLayouts);

type Example = (typeof LINT_RULES)[number]['bad'];

function subjectOf(
  name: string,
  text: string,
  { profile: profileName = 'edge-v2', endpoint, policy, tests }: Example,
): Subject {
  const profile = PROFILES.find(({ name: id }) => id === profileName)!;
  const target = { profile, endpoint: endpoint ?? profile.endpoints[0]! };
  if (tests === undefined) {
    const lint = (content: string) => lintText(new SourceText('p.yaml', content), target, LINTER).diagnostics;
    return { name, text, lint, isTests: false };
  }
  const { policies } = analyzePolicies(new SourceText('p.yaml', unmark(policy).text), target);
  const rules = policies.flatMap(({ rules: byPhase }) => profile.phases.flatMap(phase => byPhase[phase]));
  const lint = (content: string) =>
    lintTests(new SourceText('p.test.yaml', content), { ...target, rules }, LINTER).diagnostics;
  return { name, text, lint, isTests: true };
}

/** Returns the document as written, in block style and in flow style; only as written if it has an anchor, which would be lost. */
function inSeveralLayouts(subject: Subject): readonly Subject[] {
  const value = subject.text.includes('&') ? undefined : parse(subject.text);
  if (value === undefined) return [subject];
  const layouts = (['block', 'flow'] as const).map(collectionStyle => {
    return new Document(value).toString({ collectionStyle, lineWidth: 40 });
  });
  return [subject, ...layouts.map(text => ({ ...subject, text }))];
}

function commentsIn(text: string, { isTests }: Subject): readonly string[] {
  const source = new SourceText('p.yaml', text);
  const { comments } = isTests
    ? readTests(source)
    : analyzePolicies(source, { profile: PROFILES[0]!, endpoint: PROFILES[0]!.endpoints[0]! });
  return comments.map(({ start, end }) => text.slice(start, end).trimEnd()).toSorted();
}

/** Returns all comments, also those inside conditions. */
function allComments(text: string, subject: Subject): readonly string[] {
  return [...commentsIn(text, subject), ...(text.match(/\/\/ \w+/g) ?? []).toSorted()];
}

const PLACES = ['trailing', 'before', 'within'] as const;

/** Where to insert a comment: at the end of a line, before one, or after a bracket or comma. */
const INSERTION = fc.record({ place: fc.constantFrom(...PLACES), at: fc.nat(10_000), indented: fc.boolean() });

type Insertion = typeof INSERTION extends fc.Arbitrary<infer T> ? T : never;

/** Returns the document with one more comment, or unchanged if none is possible there. */
function withComment(text: string, { place, at, indented }: Insertion, comment: string): string {
  const pattern = { trailing: /(?=\n)/g, before: /^(?=.)/gm, within: /(?<=[[{,]) ?|(?<=\S) ?(?=[\]},])/g }[place];
  const places = [...text.matchAll(pattern)];
  const chosen = places[at % Math.max(places.length, 1)];
  if (chosen === undefined) return text;
  const line = text.slice(text.lastIndexOf('\n', chosen.index - (place === 'before' ? 0 : 1)) + 1);
  const indentation = /^[ -]*/.exec(line)![0].replaceAll('-', ' ');
  const newText = {
    trailing: ` ${comment}`,
    before: `${indented ? indentation : ''}${comment}\n`,
    within: ` ${comment}\n${indentation}    `,
  }[place];
  return text.slice(0, chosen.index) + newText + text.slice(chosen.index + chosen[0].length);
}

/** Returns the document with a comment at each insertion that does not change its content. */
function withComments(subject: Subject, insertions: readonly Insertion[]): string {
  let { text } = subject;
  for (const [index, insertion] of insertions.entries()) {
    const next = withComment(text, insertion, `# c${index}.`);
    if (isSame(next, text) && commentsIn(next, subject).includes(`# c${index}.`)) text = next;
  }
  return text;
}

function isSame(a: string, b: string): boolean {
  try {
    return JSON.stringify(parse(a)) === JSON.stringify(parse(b));
  } catch {
    return false;
  }
}

const CASE = fc.record({
  subject: fc.constantFrom(...SUBJECTS),
  insertions: fc.array(INSERTION, { minLength: 1, maxLength: 6 }),
});

type Case = typeof CASE extends fc.Arbitrary<infer T> ? T : never;

/** Drops suppressions, which `meta/unused-ignore` removes. */
function comparable(comments: readonly string[]): readonly string[] {
  return comments.filter(comment => !comment.includes('tollgate-ignore'));
}

function errorsIn(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.flatMap(({ severity, code }) => (severity === 'error' ? [code] : [])).toSorted();
}

/** Applies each safe fix alone, then all together; returns the lint rules whose fixes were tried. */
function checkCase({ subject, insertions }: Case): readonly string[] {
  const text = withComments(subject, insertions);
  const before = comparable(allComments(text, subject));
  const diagnostics = subject.lint(text);
  const tried = diagnostics.flatMap(({ code, fixes = [] }) => {
    const safe = fixes.filter(({ applicability }) => applicability === 'safe');
    for (const fix of safe) {
      const after = applyEdits(text, fix.edits);
      expect({ code, text, after, comments: comparable(allComments(after, subject)) }).toEqual({
        ...{ code, text, after, comments: before },
      });
      const known = errorsIn(diagnostics);
      expect({
        code,
        text,
        after,
        errors: errorsIn(subject.lint(after)).filter(error => !known.includes(error)),
      }).toEqual({
        ...{ code, text, after, errors: [] },
      });
    }
    return safe.length > 0 ? [code] : [];
  });
  const lint = (source: SourceText) => subject.lint(source.text);
  const { source: all } = fixText(new SourceText('p.yaml', text), { lint, kinds: ['safe'] });
  const after = all.text;
  expect({ text, after, comments: comparable(allComments(after, subject)) }).toEqual({ text, after, comments: before });
  return tried;
}

describe('safe fixes', () => {
  it(`keep every comment, wherever it is (seed ${SEED})`, () => {
    fc.assert(
      fc.property(CASE, one => {
        checkCase(one);
      }),
      { numRuns: CASES, seed: SEED },
    );
  });

  it('are tried for every lint rule that offers one', () => {
    const insertions: Insertion[] = [{ place: 'before', at: 0, indented: false }];
    const tried = new Set(SUBJECTS.flatMap(subject => checkCase({ subject, insertions })));
    expect(LINT_RULES.filter(rule => rule.fixable === 'safe' && !tried.has(rule.id)).map(one => one.id)).toEqual([]);
  });
});
