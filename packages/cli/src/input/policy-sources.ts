import type { Target } from '@tollgate/core/targeting';
import { type ExternalError, SourceText } from '@tollgate/diagnostics';
import { type EdgeDocument, type PartPath, readEdgeDocument } from '@tollgate/policy';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { type DocumentKind, documentKind } from './document-kind.ts';
import { POLICIES_AND_TESTS, STANDARD_INPUT } from './find-inputs.ts';
import { findParts, type InputPart } from './find-parts.ts';
import { readSource } from './read-source.ts';

/** A document with policies, the selected part of it, and its target. */
export interface PolicySource {
  readonly kind: 'policy';
  /** As given; `-` for standard input. */
  readonly path: string;
  readonly source: SourceText;
  readonly part: PartPath | undefined;
  readonly target: Target;
  /** The edge that contains the policy. */
  readonly edge?: EdgeDocument;
}

/** A document with policy tests. */
export interface TestsSource {
  readonly kind: 'tests';
  readonly path: string;
  readonly source: SourceText;
}

/** The options of {@link readPolicySources}. */
export interface PolicySourceOptions {
  /** Path of the policies in files named without one. */
  readonly at?: PartPath | undefined;
  /** Path to use for standard input. */
  readonly stdinFilename?: string | undefined;
  readonly targetOf: (source: SourceText, isFor?: EdgeDocument['endpoint']) => Target | ExternalError;
  readonly terminal: Terminal;
}

/**
 * Reads the files that arguments name and yields the policies and tests in them; the kind is detected from the content, and the policies
 * of an edge are yielded one by one. Calls `fail` for unreadable files, and reports the files in directories that it skipped.
 */
export async function* readPolicySources(
  files: readonly string[],
  options: PolicySourceOptions,
  fail: (failure: ExternalError) => void,
): AsyncGenerator<PolicySource | TestsSource> {
  const failed: ExternalError[] = [];
  const inputs = await findParts(files, failed, POLICIES_AND_TESTS);
  for (const failure of failed) fail(failure);
  const skipped: string[] = [];
  for (const [index, input] of inputs.entries()) {
    if (index % FILES_PER_CHECK === FILES_PER_CHECK - 1)
      (await import('../process/v8-heap-flags.ts')).limitYoungGeneration();
    const source = await readNamed(input, options);
    if (source instanceof Error) fail(source);
    else {
      const kind = kindOf(source, input, options);
      if (kind === 'other') skipped.push(input.path);
      else if (kind === 'tests') yield { kind, path: input.path, source };
      else yield* (kind === 'edge' ? policiesOfEdge : policyOf)(source, { input, options, fail });
    }
  }
  reportSkipped(skipped, 'neither a policy nor tests', options.terminal);
}

/** Number of files between two checks of the heap. */
const FILES_PER_CHECK = 16;

async function readNamed({ path }: InputPart, { stdinFilename, terminal }: PolicySourceOptions) {
  const source = await readSource(path, terminal);
  if (source instanceof Error || path !== STANDARD_INPUT || stdinFilename === undefined) return source;
  return new SourceText(stdinFilename, source.text);
}

/** Returns the kind of a file. A named part is a policy, and so is a named file of unknown kind. */
function kindOf(source: SourceText, { part, isFound }: InputPart, { at }: PolicySourceOptions): DocumentKind {
  if (part ?? at) return 'policy';
  const kind = documentKind(source);
  return kind === 'other' && !isFound ? 'policy' : kind;
}

interface DocumentContext {
  readonly input: InputPart;
  readonly options: PolicySourceOptions;
  readonly fail: (failure: ExternalError) => void;
}

function* policyOf(source: SourceText, { input, options, fail }: DocumentContext): Generator<PolicySource> {
  const { path, part = options.at } = input;
  const target = options.targetOf(source);
  if (target instanceof Error) fail(target);
  else yield { kind: 'policy', path, source, part, target };
}

async function* policiesOfEdge(
  first: SourceText,
  { input, options, fail }: DocumentContext,
): AsyncGenerator<PolicySource> {
  const count = readEdgeDocument(first)?.policies.length ?? 0;
  for (let index = 0; index < count; index++) {
    // Fixing the previous policy may have changed the file.
    const source = index === 0 ? first : await readNamed(input, options);
    const edge = source instanceof Error ? undefined : readEdgeDocument(source);
    const target = source instanceof Error ? source : options.targetOf(source, edge?.endpoint);
    if (target instanceof Error) return fail(target);
    const policy = edge?.policies[index];
    if (!(source instanceof Error) && policy)
      yield { kind: 'policy', path: input.path, source, part: policy.part, target, edge };
  }
}

/** Maximum number of files to name. */
const SHOWN = 5;

/** Names the files in directories that were not checked, so that they are not mistaken for files without findings. */
export function reportSkipped(paths: readonly string[], holding: string, terminal: Terminal): void {
  if (paths.length === 0) return;
  const rest = paths.length > SHOWN ? `, and ${paths.length - SHOWN} more` : '';
  const names = `${paths.slice(0, SHOWN).join(', ')}${rest}`;
  const what = paths.length === 1 ? 'a file that contains' : `${paths.length} files that contain`;
  printMessage(terminal, `skipped ${what} ${holding}: ${names}`);
}
