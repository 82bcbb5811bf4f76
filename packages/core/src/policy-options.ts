import { type EndpointKind, type Extension, extendProfile, PROFILES, type Profile } from '@tollgate/catalog';
import { type Diagnostic, type Range, SourceText } from '@tollgate/diagnostics';
import { parsePartPath } from '@tollgate/policy';
import { type PolicyDocument, preparePolicy, type RunnablePolicy } from './documents.ts';
import { createTargeting, type Target } from './targeting.ts';

/** What a policy is written for. Everything has a default. */
export interface PolicyOptions {
  /** File name in findings; `policy.yaml` by default. */
  readonly file?: string;
  /** `edge-v2`, `edge-v2-snake` or `modern`; detected from the source by default. */
  readonly profile?: string;
  /** Kind of endpoint, such as `tcp-edge`; the first of the profile by default. */
  readonly endpoint?: EndpointKind;
  /** Variables, functions and actions beyond the catalog, and other limits and switches. */
  readonly extensions?: readonly Extension[];
  /** Path of the policy in the source, such as `/spec/policy`. */
  readonly at?: string;
}

/** Applies the defaults. Throws an {@link OptionError} for a profile, endpoint or path that does not exist. */
export function policyDocument(text: string, options: PolicyOptions): PolicyDocument & { readonly target: Target } {
  const { file = 'policy.yaml', endpoint, extensions = [], at } = options;
  const source = new SourceText(file, text);
  const part = at === undefined ? undefined : parsePartPath(at);
  if (at !== undefined && part === undefined)
    throw new OptionError(`\`at\` expects a path such as \`/spec/policy\`, found \`${at}\``);
  const targetOf = createTargeting({
    profile: profileNamed(options.profile),
    endpoint,
    ofFile: () => ({}),
    adapt: profile => extensions.reduce(extendProfile, profile),
  });
  const target = targetOf(source);
  if (target instanceof Error) throw new OptionError(target.message);
  return { source, target, part };
}

function profileNamed(name: string | undefined): Profile | undefined {
  if (name === undefined) return undefined;
  const profile = PROFILES.find(one => one.name === name);
  if (profile) return profile;
  const names = PROFILES.map(one => `\`${one.name}\``).join(', ');
  throw new OptionError(`\`profile\` expects one of ${names}, found \`${name}\``);
}

/** Analyzes a policy in order to run it. Throws a {@link PolicyError} if it has errors. */
export function runnablePolicy(text: string, options: PolicyOptions): RunnablePolicy {
  const document = policyDocument(text, options);
  const { runnable, diagnostics } = preparePolicy(document);
  if (runnable === undefined) throw new PolicyError(findingsIn(document.source, diagnostics));
  return runnable;
}

/** Thrown if a policy or its tests have errors and therefore cannot run. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  /** Every finding, including the errors. */
  readonly findings: readonly PolicyFinding[];

  constructor(findings: readonly PolicyFinding[]) {
    const errors = findings.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    super(first ? `${first.file}:${first.line}:${first.column}: ${first.message}${more}` : 'the policy has no rules');
    this.findings = findings;
  }
}

/** Thrown for an invalid option or request. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** A diagnostic with the one-based position at which it starts. */
export interface PolicyFinding extends Omit<Diagnostic, 'uri'> {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  /** One-based, in UTF-16 code units. */
  readonly column: number;
  /** Half-open, in UTF-16 code units. */
  readonly range: Range;
}

/** Returns the diagnostics of a source with their positions. */
export function findingsIn(source: SourceText, diagnostics: readonly Diagnostic[]): readonly PolicyFinding[] {
  return diagnostics.map(({ uri, ...diagnostic }) => {
    const { line, character } = source.positionAt(diagnostic.range.start);
    return { ...diagnostic, file: uri, line: line + 1, column: character + 1 };
  });
}
