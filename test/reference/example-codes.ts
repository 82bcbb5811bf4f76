import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODERN, PROFILES, type Profile, phasesAt, sampleActivation } from '@tollgate/catalog';
import { type Activation, compileClosures, EvaluationError, inlineBodies } from '@tollgate/cel';
import { runTollgate } from '@tollgate/cli';
import { type CodeExample, type Severity, SourceText, WorldError } from '@tollgate/diagnostics';
import {
  analyzePolicies,
  checkCondition,
  createPhaseEnvironments,
  detectProfile,
  migratePolicy,
  readExtension,
  readProject,
} from '@tollgate/policy';
import { readTraffic } from '@tollgate/traffic';

/** What an example gives. */
export interface Found {
  readonly code: string;
  /** Only diagnostics have one. */
  readonly severity?: Severity;
}

/** What an example gives, in the order in which it is found. */
export async function findingsOf(example: CodeExample): Promise<readonly Found[]> {
  return READERS[example.kind](textOf(example), example);
}

/** The text with what its mark stands for. */
function textOf({ text, stands }: CodeExample): string {
  return stands ? text.replaceAll(stands.mark, stands.for.repeat(stands.times)) : text;
}

type Reader = (text: string, example: CodeExample) => readonly Found[] | Promise<readonly Found[]>;

const READERS: Readonly<Record<CodeExample['kind'], Reader>> = {
  policy: (text, example) => {
    const { profile, endpoint } = targetOf(text, example);
    return analyzePolicies(new SourceText('example', text), { profile, endpoint }).diagnostics;
  },
  json: (text, example) => {
    const { profile, endpoint } = targetOf(text, example);
    return analyzePolicies(new SourceText('example.json', text), { profile, endpoint }).diagnostics;
  },
  expression: (text, example) =>
    expressionCodes(text, targetOf(text, { ...example, profile: example.profile ?? 'edge-v2' })),
  extension: text => readExtension(new SourceText('example', text)).diagnostics,
  project: text => readProject(new SourceText('example', text)).diagnostics,
  migration: (text, { endpoint = 'https-route' }) => {
    const options = {
      from: detectProfile(text).profile,
      to: MODERN,
      endpoint: endpoint as Profile['endpoints'][number],
    };
    return migratePolicy(new SourceText('example', text), options).diagnostics;
  },
  traffic: trafficCodes,
  command: commandCodes,
};

function targetOf(text: string, { profile: name, endpoint }: CodeExample) {
  const profile = PROFILES.find(one => one.name === name) ?? detectProfile(text).profile;
  return { profile, endpoint: profile.endpoints.find(one => one === endpoint) ?? profile.endpoints[0]! };
}

/** Checks the expression as a condition, and runs it where it is without error. */
function expressionCodes(text: string, { profile, endpoint }: ReturnType<typeof targetOf>): readonly Found[] {
  const phase = phasesAt(profile, endpoint).find(one => /inbound|request/.test(one))!;
  const environment = createPhaseEnvironments(profile, endpoint)[phase];
  const { typed, diagnostics } = checkCondition(text, { profile, place: { endpoint, phase }, environment });
  if (!typed) return diagnostics;
  const activation = sampleActivation(profile, { endpoint, phase }) as Activation;
  const value = compileClosures(inlineBodies(typed, environment), environment).evaluate(activation);
  return [...diagnostics, ...(value instanceof EvaluationError ? [{ code: value.code }] : [])];
}

async function trafficCodes(text: string): Promise<readonly Found[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
  const file = join(directory, 'traffic');
  writeFileSync(file, text);
  try {
    const found: Found[] = [];
    for await (const { skipped } of readTraffic(file)) found.push(...skipped.map(({ reason }) => ({ code: reason })));
    return found;
  } catch (error) {
    if (error instanceof WorldError) return [{ code: error.code }];
    throw error;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs the command from the root of the repository, and takes the codes out of its JSON. */
async function commandCodes(text: string): Promise<readonly Found[]> {
  const [, command = '', ...args] = text.split(' ');
  const out: string[] = [];
  await runTollgate([command, '--format', 'json', ...args], {
    write: chunk => void out.push(chunk),
    writeError: () => undefined,
    readInput: async () => new Uint8Array(),
    isInteractive: false,
    env: {},
  });
  const { diagnostics = [], failures = [], files = [] } = JSON.parse(out.join('')) as CommandReport;
  const unread = files.flatMap(file => (typeof file === 'object' && file.failure ? [file.failure] : []));
  return [...diagnostics, ...failures, ...unread];
}

interface CommandReport {
  readonly diagnostics?: readonly Found[];
  readonly failures?: readonly Found[];
  readonly files?: readonly (string | { readonly failure?: Found })[];
}
