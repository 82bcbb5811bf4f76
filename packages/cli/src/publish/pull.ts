// `tollgate pull`: writes published policies into files.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatDocument } from '@tollgate/core/documents';
import { createTargeting } from '@tollgate/core/targeting';
import { ExternalError, printable, SourceText } from '@tollgate/diagnostics';
import {
  detectProfile,
  type PartPath,
  type PlainValue,
  policyAt,
  readPlain,
  rewriteInFile,
  updateJson,
  updateYaml,
} from '@tollgate/policy';
import {
  type Canonical,
  canonicalModule,
  createLocator,
  isSame,
  phasesOf,
  type TargetAddress,
} from '@tollgate/publisher';
import { splitFilePart } from '../input/document-parts.ts';
import { readSource } from '../input/read-source.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { listLive } from './live-policies.ts';
import { openRemote } from './open-remote.ts';
import { chooseEnvironment, loadProject, type PublishProject } from './project.ts';
import { readAddresses } from './targets.ts';

/** The options of `tollgate pull`. */
interface PullOptions {
  readonly target?: readonly string[];
}

interface Pulled {
  readonly name: string;
  readonly address: TargetAddress;
  /** As the project file names it. */
  readonly policy: string;
}

/** Writes live policies to the files of their targets. Comments in files stay with their rules. Sends only reads. */
export async function pull(
  environment: string | undefined,
  { target: only }: PullOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const chosen = chooseEnvironment(project, environment);
  const wanted = policiesOf(project, chosen.name, only);
  const remote = openRemote(project, chosen, terminal);
  const locate = createLocator(await listLive(remote, wanted));
  let isFailed = false;
  for (const { name, address, policy } of wanted) {
    const located = locate(address);
    if ('fault' in located) throw new ExternalError('publish/no-record', `target \`${name}\`: ${located.fault}`);
    const reading = await remote.read(located.record.ref);
    if (!reading.ok) throw new ExternalError('publish/api', `target \`${name}\`: ${reading.failure.message}`);
    const live = reading.value.record.modules.policy;
    if (live === null) {
      printMessage(terminal, `target \`${name}\` has no live policy; left \`${policy}\` as it is`);
      isFailed = true;
    } else if (live.enabled === false && !mayBeDisabled(live)) {
      const { name: profile } = profileOf(live);
      printMessage(
        terminal,
        `the live policy of \`${name}\` is disabled, which a policy of the profile \`${profile}\` cannot say; left \`${policy}\` as it is`,
      );
      isFailed = true;
    } else terminal.write(`${printable(policy)}: ${await writePolicy(policy, live, { project, terminal })}\n`);
  }
  return isFailed ? EXIT.findings : EXIT.clean;
}

function policiesOf(
  project: PublishProject,
  environment: string,
  only: readonly string[] | undefined,
): readonly Pulled[] {
  const found = readAddresses({ project, environment, only }).flatMap(({ name, address, settings: { policy } }) =>
    policy === undefined ? [] : [{ name, address, policy }],
  );
  if (found.length > 0) return found;
  throw new UsageError(`\`${project.path}\` has no target with a \`policy\`; add one, or run \`tollgate adopt\``);
}

interface Pulling {
  readonly project: PublishProject;
  readonly terminal: Terminal;
}

/** Returns `written` or `unchanged`. */
async function writePolicy(
  argument: string,
  live: NonNullable<Canonical>,
  { project, terminal }: Pulling,
): Promise<string> {
  const { name, part } = splitFilePart(resolve(project.directory, argument));
  const named = { repositoryOf: project.directory };
  const before = existsSync(name) ? await readSource(name, terminal, named) : new SourceText(name, '');
  if (before instanceof Error) throw before;
  const embedded = part && policyAt(before, part, await project.embeddedSettings(name));
  const own = embedded?.source ?? before;
  const current = own.text.trim() === '' ? undefined : readPlain(own, embedded?.part);
  if (current !== undefined && isSame(canonicalModule('policy', current), live)) return 'unchanged';
  const text = formatted(
    new SourceText(own.uri, updated(own, embedded?.part, plainPolicy(live))),
    embedded?.part,
    project,
  );
  const written = embedded ? rewriteInFile(embedded, text).file?.text : text;
  if (written === undefined) throw new ExternalError('file/unwritable', `cannot update the policy in \`${argument}\``);
  const failure = await replaceFile(name, written, { by: named });
  if (failure) throw failure;
  return 'written';
}

function updated(source: SourceText, part: PartPath | undefined, value: PlainValue): string {
  const isJson = /\.json$/i.test(source.uri);
  const path = part ?? { document: undefined, steps: [] };
  const text = isJson ? updateJson(source, path, value) : updateYaml(source.text, path, value);
  if (text !== undefined) return text;
  const where = part ? `: it has errors, or no place for \`/${part.steps.join('/')}\`` : ': it has errors';
  throw new ExternalError('file/unwritable', `cannot update \`${source.uri}\`${where}; \`tollgate check\` shows them`);
}

function mayBeDisabled(live: NonNullable<Canonical>): boolean {
  return profileOf(live).documentKeys.includes('enabled');
}

function profileOf(live: NonNullable<Canonical>) {
  return detectProfile(JSON.stringify(phasesOf(live))).profile;
}

/** Only what a policy must say: the server adds defaults. */
function plainPolicy(live: NonNullable<Canonical>): PlainValue {
  const phases = Object.entries(phasesOf(live)).map(([phase, rules]) => [phase, rules.map(plainRule)]);
  return { ...(live.enabled === false && { enabled: false }), ...Object.fromEntries(phases) };
}

function plainRule({ name, expressions, actions }: ReturnType<typeof phasesOf>[string][number]): PlainValue {
  return {
    ...(name !== '' && { name }),
    ...(expressions.length > 0 && { expressions }),
    actions: actions.map(action => {
      const { type, config } = action as { readonly type: PlainValue; readonly config: PlainValue };
      return { type, ...(config !== null && { config }) };
    }),
  };
}

function formatted(source: SourceText, part: PartPath | undefined, { settings }: PublishProject): string {
  const target = createTargeting(settings)(source);
  if (target instanceof Error) return source.text;
  // A policy that this version does not understand is written as it is.
  return formatDocument({ source, target, part }).text ?? source.text;
}
