// The policies in files, in files of other formats too.

import { type DocumentKind, documentKind } from '@tollgate/core/documents';
import { type Target, type Targeting, targetOfEmbedded } from '@tollgate/core/targeting';
import { type ExternalError, SourceText } from '@tollgate/diagnostics';
import {
  type EdgeDocument,
  type EmbeddedPolicy,
  findPolicies,
  isMeantAsPolicy,
  type PartPath,
  policyAt,
  readEdgeDocument,
} from '@tollgate/policy';
import { formatCount } from '@tollgate/reports';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { withProgress } from '../process/progress-line.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { type InputPart, namedPolicy } from './document-parts.ts';
import { STANDARD_INPUT } from './find-inputs.ts';
import type { EmbeddedSettingsOf } from './load-settings.ts';
import { readSource } from './read-source.ts';

/** A policy to check, lint or fix, and its target. */
export interface PolicySource {
  readonly kind: 'policy';
  /** The path of its file as given; `-` for standard input. */
  readonly path: string;
  readonly embedded: EmbeddedPolicy;
  /** The document that contains the policy: its file, or a document in a string of the file. */
  readonly source: SourceText;
  readonly part: PartPath | undefined;
  readonly target: Target;
  /** The edge that contains the policy. */
  readonly edge?: EdgeDocument;
}

/** A document with policy tests or invariants. */
export interface TestsSource {
  readonly kind: 'tests' | 'invariants';
  readonly path: string;
  readonly source: SourceText;
}

/** The options of {@link readPolicySources}. */
interface PolicySourceOptions {
  /** Path of the policies in files named without one. */
  readonly at?: PartPath | undefined;
  /** Path to use for standard input. */
  readonly stdinFilename?: string | undefined;
  readonly targetOf: Targeting;
  readonly embeddedSettings: EmbeddedSettingsOf;
  /** True if the caller may change a file between its policies, so that it must be read again. */
  readonly isChanging?: boolean;
  /** Collects the files in which nothing was found. */
  readonly skipped?: string[];
  readonly terminal: Terminal;
}

/**
 * Reads files and yields the policies, tests and invariants in them, also the policies in other files and edges. The kind of a file is detected
 * from its content. Calls `fail` for unreadable files.
 */
export async function* readPolicySources(
  inputs: readonly InputPart[],
  options: PolicySourceOptions,
  fail: (failure: ExternalError) => void,
): AsyncGenerator<PolicySource | TestsSource> {
  let count = 0;
  for (const input of withProgress(inputs, options.terminal)) {
    count += 1;
    if (count % FILES_PER_CHECK === 0) (await import('../process/v8-heap-flags.ts')).limitYoungGeneration();
    const source = await readNamed(input, options);
    if (source instanceof Error) {
      fail(source);
      continue;
    }
    const found = await policiesIn(source, input, options);
    if (found instanceof Error) {
      fail(found);
      continue;
    }
    const { kind } = found;
    if (kind === 'other') options.skipped?.push(input.path);
    else if (kind === 'tests' || kind === 'invariants') yield { kind, path: input.path, source };
    else yield* readPolicies(found, { input, options, fail });
  }
}

/** Number of files between two checks of the heap. */
const FILES_PER_CHECK = 16;

async function readNamed({ path }: InputPart, { stdinFilename, terminal }: PolicySourceOptions) {
  const source = await readSource(path, terminal);
  if (source instanceof Error || path !== STANDARD_INPUT || stdinFilename === undefined) return source;
  return new SourceText(stdinFilename, source.text);
}

/** A file with the policies in it. */
interface FileWithPolicies {
  readonly kind: DocumentKind;
  /** Empty for tests, invariants, and files that contain no policy. */
  readonly policies: readonly EmbeddedPolicy[];
  readonly edge?: EdgeDocument;
}

/** Returns the policies in a file. A named part is a policy, and so is a named file that is meant as one; an error if the file has no such part. */
export async function policiesIn(
  source: SourceText,
  { path: input, part, isFound }: InputPart,
  { at, embeddedSettings }: Pick<PolicySourceOptions, 'at' | 'embeddedSettings'>,
): Promise<FileWithPolicies | ExternalError> {
  const settings = await embeddedSettings(source.uri);
  const path = part ?? at;
  if (path) {
    const named = namedPolicy(source, path, settings);
    return named instanceof Error ? named : { kind: 'policy', policies: [named] };
  }
  const kind = documentKind(source);
  if (kind === 'tests' || kind === 'invariants') return { kind, policies: [] };
  const edge = kind === 'edge' ? readEdgeDocument(source) : undefined;
  if (edge) return { kind: 'edge', policies: edge.policies.map(one => policyAt(source, one.part)), edge };
  const found = findPolicies(source, settings);
  if (found.length > 0) return { kind: 'policy', policies: found };
  const isPolicy = !isFound && (input === STANDARD_INPUT || isMeantAsPolicy(source));
  return isPolicy ? { kind: 'policy', policies: [policyAt(source, WHOLE_FILE)] } : { kind: 'other', policies: [] };
}

const WHOLE_FILE: PartPath = { document: undefined, steps: [] };

interface DocumentContext {
  readonly input: InputPart;
  readonly options: PolicySourceOptions;
  readonly fail: (failure: ExternalError) => void;
}

async function* readPolicies(
  first: FileWithPolicies,
  { input, options, fail }: DocumentContext,
): AsyncGenerator<PolicySource> {
  let file = first;
  for (let index = 0; index < first.policies.length; index++) {
    if (index > 0 && options.isChanging) {
      const source = await readNamed(input, options);
      if (source instanceof Error) return fail(source);
      const again = await policiesIn(source, input, options);
      if (again instanceof Error) return fail(again);
      file = again;
    }
    const embedded = file.policies[index];
    if (!embedded) return;
    const { source, part } = embedded;
    const { edge } = file;
    const target = edge ? options.targetOf(source, edge.endpoint) : targetOfEmbedded(embedded, options.targetOf);
    if (target instanceof Error) return fail(target);
    yield { kind: 'policy', path: input.path, embedded, source, part, target, ...(edge && { edge }) };
  }
}

/**
 * Returns the exit code of a run, and says so if no file contains a policy. Hooks and shells pass on the names of files of all kinds, so that
 * is an error only if files were named and none of them has a policy.
 */
export function orNoPolicy(
  exitCode: ExitCode,
  { inputs, skipped, allowEmpty = false }: NoPolicyContext,
  terminal: Terminal,
): ExitCode {
  if (exitCode !== EXIT.clean || inputs.length === 0 || skipped.length < inputs.length) return exitCode;
  printMessage(terminal, `no policy in ${formatCount(skipped.length)} ${skipped.length === 1 ? 'file' : 'files'}`);
  return allowEmpty || inputs.every(({ isFound }) => isFound) ? EXIT.clean : EXIT.usage;
}

interface NoPolicyContext {
  readonly inputs: readonly InputPart[];
  /** The files in which nothing was found. */
  readonly skipped: readonly string[];
  readonly allowEmpty: boolean | undefined;
}

/** Maximum number of files to name. */
const MAX_SHOWN = 5;

/** Names the files in directories that were not checked, so that they are not mistaken for files without findings. */
export function reportSkipped(paths: readonly string[], holding: string, terminal: Terminal): void {
  if (paths.length === 0) return;
  const rest = paths.length > MAX_SHOWN ? `, and ${paths.length - MAX_SHOWN} more` : '';
  const names = `${paths.slice(0, MAX_SHOWN).join(', ')}${rest}`;
  const what = paths.length === 1 ? 'a file that contains' : `${paths.length} files that contain`;
  printMessage(terminal, `skipped ${what} ${holding}: ${names}`);
}
