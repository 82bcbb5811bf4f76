import { type ExternalError, SourceText } from '@tollgate/diagnostics';
import { type EdgeDocument, type PartPath, readEdgeDocument } from '@tollgate/policy';
import type { Target } from '../settings/targeting.ts';
import { type Terminal, tell } from '../terminal.ts';
import { type DocumentKind, documentKind } from './document-kind.ts';
import { POLICIES_AND_TESTS, STANDARD_INPUT } from './find-inputs.ts';
import { findParts, type InputPart } from './find-parts.ts';
import { readSource } from './read-source.ts';

/** A text with policies, the part of it that is meant, and what they are checked for. */
export interface PolicyText {
  readonly kind: 'policy';
  /** As found; `-` for the standard input. */
  readonly path: string;
  readonly source: SourceText;
  readonly part: PartPath | undefined;
  readonly target: Target;
  /** The edge that the policy is a part of. */
  readonly edge?: EdgeDocument;
}

/** A text with policy tests. */
export interface TestsText {
  readonly kind: 'tests';
  readonly path: string;
  readonly source: SourceText;
}

/** What {@link readPolicyTexts} needs to know. */
export interface PolicyTextOptions {
  /** Where the policies stand in files whose name does not say it. */
  readonly at?: PartPath | undefined;
  /** What the standard input is called. */
  readonly stdinFilename?: string | undefined;
  readonly targetOf: (source: SourceText, isFor?: EdgeDocument['endpoint']) => Target | ExternalError;
  readonly terminal: Terminal;
}

/**
 * Reads the files that arguments name, one after the other, and tells by their contents what they hold: of an edge, its policies are given
 * one by one. Files that cannot be read are told to `fail`; those of directories that hold nothing to be checked are listed at the end.
 */
export async function* readPolicyTexts(
  files: readonly string[],
  options: PolicyTextOptions,
  fail: (failure: ExternalError) => void,
): AsyncGenerator<PolicyText | TestsText> {
  const failed: ExternalError[] = [];
  const inputs = await findParts(files, failed, POLICIES_AND_TESTS);
  for (const failure of failed) fail(failure);
  const passedOver: string[] = [];
  for (const [index, input] of inputs.entries()) {
    if (index % BETWEEN_LOOKS === BETWEEN_LOOKS - 1) (await import('../young-space.ts')).boundYoungSpace();
    const source = await readNamed(input, options);
    if (source instanceof Error) fail(source);
    else {
      const kind = kindOf(source, input, options);
      if (kind === 'other') passedOver.push(input.path);
      else if (kind === 'tests') yield { kind, path: input.path, source };
      else yield* (kind === 'edge' ? policiesOfEdge : policyOf)(source, { input, options, fail });
    }
  }
  tellPassedOver(passedOver, 'neither a policy nor tests', options.terminal);
}

/** Files from one look at the memory to the next. */
const BETWEEN_LOOKS = 16;

async function readNamed({ path }: InputPart, { stdinFilename, terminal }: PolicyTextOptions) {
  const source = await readSource(path, terminal);
  if (source instanceof Error || path !== STANDARD_INPUT || stdinFilename === undefined) return source;
  return new SourceText(stdinFilename, source.text);
}

/** A part that somebody names is a policy, and so is a file whose contents do not say what else it is. */
function kindOf(source: SourceText, { part, isFound }: InputPart, { at }: PolicyTextOptions): DocumentKind {
  if (part ?? at) return 'policy';
  const kind = documentKind(source);
  return kind === 'other' && !isFound ? 'policy' : kind;
}

interface Reading {
  readonly input: InputPart;
  readonly options: PolicyTextOptions;
  readonly fail: (failure: ExternalError) => void;
}

function* policyOf(source: SourceText, { input, options, fail }: Reading): Generator<PolicyText> {
  const { path, part = options.at } = input;
  const target = options.targetOf(source);
  if (target instanceof Error) fail(target);
  else yield { kind: 'policy', path, source, part, target };
}

async function* policiesOfEdge(first: SourceText, { input, options, fail }: Reading): AsyncGenerator<PolicyText> {
  const count = readEdgeDocument(first)?.policies.length ?? 0;
  for (let index = 0; index < count; index++) {
    // Fixes of the one before may have changed the file.
    const source = index === 0 ? first : await readNamed(input, options);
    const edge = source instanceof Error ? undefined : readEdgeDocument(source);
    const target = source instanceof Error ? source : options.targetOf(source, edge?.endpoint);
    if (target instanceof Error) return fail(target);
    const policy = edge?.policies[index];
    if (!(source instanceof Error) && policy)
      yield { kind: 'policy', path: input.path, source, part: policy.part, target, edge };
  }
}

/** How many files are named. */
const SHOWN = 5;

/** Says which files of directories were not looked at, and what they hold: checking nothing looks like finding nothing. */
export function tellPassedOver(paths: readonly string[], holding: string, terminal: Terminal): void {
  if (paths.length === 0) return;
  const rest = paths.length > SHOWN ? `, and ${paths.length - SHOWN} more` : '';
  const names = `${paths.slice(0, SHOWN).join(', ')}${rest}`;
  const what = paths.length === 1 ? 'a file that holds' : `${paths.length} files that hold`;
  tell(terminal, `passed over ${what} ${holding}: ${names}`);
}
