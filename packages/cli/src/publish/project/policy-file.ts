import { relative, resolve } from 'node:path';
import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { createTargeting, type Target as PolicyTarget, type Targeting } from '@tollgate/core/targeting';
import { ExternalError, printable, SourceText } from '@tollgate/diagnostics';
import {
  type Analysis,
  analyzePolicy,
  type CarrierSettings,
  type EmbeddedPolicy,
  hasStandIns,
  type PartPath,
  type PlainValue,
  plainValue,
  readPlain,
  wholePolicy,
} from '@tollgate/policy';
import { type Canonical, canonicalModule, type RecordKind, type WantedModule } from '@tollgate/publisher';
import { splitFilePart } from '../../input/file-part.ts';
import { readGitFile } from '../../input/git-file.ts';
import { readSource } from '../../input/read-source.ts';
import { singlePolicy } from '../../input/single-policy.ts';
import type { Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';
import type { PublishProject } from './load-project.ts';

/** A policy file, located and analysed only if something is to be said about it. */
export interface PolicyFile {
  readonly locate: () => EmbeddedPolicy;
  readonly analyse: () => { readonly analysis: Analysis; readonly target: PolicyTarget };
}

/** What reading policy files needs. */
interface PolicyReading {
  readonly project: PublishProject;
  readonly terminal: Terminal;
  /** The commit to read files from; undefined for the working tree. */
  readonly revision?: string;
}

/** A policy file with the value of its policy. */
export interface PolicyFileWithValue extends PolicyFile {
  readonly value: Canonical;
  readonly reference: NonNullable<WantedModule['source']>;
}

/** Returns a function that reads a policy file once for each kind of endpoint. */
export function createPolicyReader({
  project,
  terminal,
  revision,
}: PolicyReading): (argument: string, kind: RecordKind) => Promise<PolicyFileWithValue> {
  const targetOf = createTargeting(project.settings);
  const known = new Map<string, PolicyFileWithValue>();
  return async (argument, kind) => {
    const key = `${kind} ${argument}`;
    const earlier = known.get(key);
    if (earlier) return earlier;
    const { name, part } = splitFilePart(resolve(project.directory, argument));
    const path = relative('.', name);
    const shown = path.startsWith('..') ? name : path;
    const source =
      revision === undefined
        ? await readSource(shown, terminal, { repositoryOf: project.directory })
        : new SourceText(shown, (await readGitFile(name, revision)).text);
    if (source instanceof Error) throw source;
    const carriers = await project.carriers(source.uri);
    const locate = once(() => located(source, part, carriers));
    const analyse = once(() => analyseFor(kind, locate(), targetOf));
    const whole = part ? undefined : wholePolicy(source, carriers);
    const value = canonicalModule('policy', whole ?? embeddedValue(locate(), argument) ?? analysedValue(analyse()));
    const file = { locate, analyse, value, reference: { path: argument, text: source.text } };
    known.set(key, file);
    return file;
  };
}

const PHASES: ReadonlySet<string> = new Set(PROFILES.flatMap(({ phases }) => phases));

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

function located(source: SourceText, part: PartPath | undefined, carriers: CarrierSettings): EmbeddedPolicy {
  const embedded = singlePolicy(source, part, carriers);
  if (embedded instanceof Error) throw embedded;
  return embedded;
}

/** Undefined if it takes an analysis to find the policy: it is within another document, or has errors. */
function embeddedValue({ source, part, layers }: EmbeddedPolicy, argument: string): PlainValue | undefined {
  const value = readPlain(source, part);
  const isPolicy = typeof value === 'object' && value !== null && Object.keys(value).some(key => PHASES.has(key));
  const isRendered = !hasStandIns(source.text) || (isPolicy && !hasStandIns(JSON.stringify(value)));
  if (isRendered) return isPolicy ? value : undefined;
  const [first = ''] = layers.flatMap(({ placeholders = [] }) => placeholders);
  const message = `the policy in \`${argument}\` has placeholders, such as \`${printable(first)}\`; render it, and publish the result`;
  throw new UsageError(message);
}

function analysedValue({ analysis }: ReturnType<PolicyFile['analyse']>): PlainValue {
  return analysis.policy ? plainValue(analysis.policy.node) : null;
}

const ENDPOINTS = {
  'https-route': ['https-route', 'http-endpoint'],
  'tls-edge': ['tls-edge', 'tls-endpoint'],
  'tcp-edge': ['tcp-edge', 'tcp-endpoint'],
} as const satisfies Record<RecordKind, readonly EndpointKind[]>;

/** Newer profiles have other names for the same endpoint kinds. */
function analyseFor(
  kind: RecordKind,
  { file, source, part }: EmbeddedPolicy,
  targetOf: Targeting,
): ReturnType<PolicyFile['analyse']> {
  const [edge, cloud] = ENDPOINTS[kind];
  // Settings are those of the file.
  const named = new SourceText(file.uri, source.text);
  const first = targetOf(named, edge);
  const target = first instanceof ExternalError ? targetOf(named, cloud) : first;
  if (target instanceof ExternalError) throw first;
  return { analysis: analyzePolicy(source, { ...target, ...(part && { part }) }), target };
}
