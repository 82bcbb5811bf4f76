import { MODERN, PROFILES, type Profile, phasesAt, sampleActivation } from '@tollgate/catalog';
import { type Activation, compileClosures, EvaluationError } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import { type CodeExample, type Diagnostic, InternalError, SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, lintExample, lintedText, unmark } from '@tollgate/lint';
import {
  analyzePolicies,
  checkCondition,
  createPhaseEnvironments,
  detectProfile,
  migratePolicy,
  readExtension,
  readProject,
  readTests,
} from '@tollgate/policy';
import type { CodePage } from '../output/rule-description.ts';

/** The diagnostics for an example, or the error of evaluating it. */
export type ExampleFinding = Pick<Diagnostic, 'code' | 'message'> & Partial<Pick<Diagnostic, 'severity' | 'range'>>;

/**
 * Checks an example; for a lint rule, only its own findings are returned. Examples of traffic and commands have none, because they would
 * have to be run.
 */
export function exampleFindings(
  example: CodeExample,
  { rule }: Pick<CodePage, 'rule'> = {},
): readonly ExampleFinding[] {
  const source = new SourceText(example.kind === 'json' ? 'example.json' : 'example.yaml', fullText(example));
  if (rule) return lintFindings(example, rule);
  switch (example.kind) {
    case 'policy':
    case 'json':
      return analyzePolicies(source, targetOf(source, example)).diagnostics;
    case 'expression':
      return expressionFindings(source.text, targetOf(source, { ...example, profile: example.profile ?? 'edge-v2' }));
    case 'extension':
      return readExtension(source).diagnostics;
    case 'project':
      return readProject(source).diagnostics;
    case 'tests':
      return readTests(source).diagnostics;
    case 'migration':
      return migrationFindings(source, example);
    case 'traffic':
    case 'command':
      return [];
  }
}

/** Returns the source with its placeholder filled in. */
export function fullText({ text, stands }: CodeExample): string {
  return stands ? text.replaceAll(stands.mark, stands.for.repeat(stands.times)) : text;
}

function targetOf({ text }: SourceText, { profile: name, endpoint }: CodeExample) {
  const profile = PROFILES.find(one => one.name === name) ?? detectProfile(text).profile;
  return { profile, endpoint: profile.endpoints.find(one => one === endpoint) ?? profile.endpoints[0]! };
}

/** The examples of a lint rule contain more than their source. */
function lintFindings({ text }: CodeExample, rule: NonNullable<CodePage['rule']>) {
  const linter = createLinter([activate(rule, rule.bad.options)]);
  const whole = [rule.bad, rule.good].find(one => unmark(lintedText(one)).text === text);
  return whole ? lintExample(whole, linter).filter(one => one.code === rule.id) : [];
}

/** Checks the expression as a condition and, if it has no errors, evaluates it with sample values. */
function expressionFindings(
  text: string,
  { profile, endpoint }: ReturnType<typeof targetOf>,
): readonly ExampleFinding[] {
  const phase = phasesAt(profile, endpoint).find(one => /inbound|request/.test(one));
  if (phase === undefined) throw new InternalError(`\`${profile.name}\` has no phase of requests on \`${endpoint}\``);
  const environment = createPhaseEnvironments(profile, endpoint)[phase];
  const { typed, diagnostics } = checkCondition(text, { profile, place: { endpoint, phase }, environment });
  if (!typed) return diagnostics;
  const activation = sampleActivation(profile, { endpoint, phase }) as Activation;
  const value = compileClosures(inlineBodies(typed, environment), environment).evaluate(activation);
  return [...diagnostics, ...(value instanceof EvaluationError ? [{ code: value.code, message: value.message }] : [])];
}

function migrationFindings(source: SourceText, { endpoint }: CodeExample): readonly ExampleFinding[] {
  const { profile } = detectProfile(source.text);
  const known = profile.endpoints.find(one => one === endpoint) ?? profile.endpoints[0]!;
  return migratePolicy(source, { from: profile, to: MODERN, endpoint: known as Profile['endpoints'][number] })
    .diagnostics;
}
