/**
 * What a target had before a run, from Git: for what is too large to be kept at the edge. Runs name the commit that they published. Which
 * version of the policy it was, the digest at the edge says.
 */
import { basename, dirname, resolve } from 'node:path';
import { ExternalError, printable, SourceText } from '@tollgate/diagnostics';
import { readProject } from '@tollgate/policy';
import type { Canonical, FormerPolicies, RecordHistory, RecordRun } from '@tollgate/publisher';
import { tryGit } from '../../git/run-git.ts';
import { splitFilePart } from '../../input/file-part.ts';
import { readGitFile } from '../../input/git-file.ts';
import type { Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';
import type { PublishProject } from '../project/load-project.ts';
import { createPolicyReader } from '../project/policy-file.ts';
import { settingsIn } from '../project/read-targets.ts';

interface Archive {
  readonly project: PublishProject;
  readonly history: RecordHistory;
  readonly terminal: Terminal;
}

/** How many versions of a policy are compared, from each commit back. */
const VERSIONS = 200;

/** Returns a function that reads the policies that a record may have had before a run. */
export function archiveOf({ project, history, terminal }: Archive): FormerPolicies {
  return async run => {
    const earlier = history.runs.slice(history.runs.indexOf(run));
    const named = earlier.filter(({ commit }) => commit !== undefined);
    const isHere = ({ commit = '' }: RecordRun) => tryGit(project.directory, ['cat-file', '-t', commit]) === 'commit';
    const found = named.filter(isHere);
    async function* policies(): AsyncGenerator<Canonical> {
      for (const one of found) {
        const argument = await policyAt(one, project);
        if (argument !== undefined) yield* versionsOf(argument, one.commit!, { project, history, terminal });
      }
    }
    return { policies: policies(), missing: () => missing(project.directory, named, found) };
  };
}

function missing(directory: string, named: readonly RecordRun[], found: readonly RecordRun[]): string {
  const [first] = named;
  if (first === undefined) return 'its runs name no commit; roll back where the run was made';
  const elsewhere = 'or roll back where the run was made';
  if (tryGit(directory, ['rev-parse', '--is-shallow-repository']) === 'true')
    return `this clone does not have all commits; run \`git fetch --unshallow\`, ${elsewhere}`;
  const short = printable(first.commit!.slice(0, 10));
  if (found.length === 0) return `commit ${short} is not in this repository; fetch it, ${elsewhere}`;
  return `no version of its policy up to commit ${short} is what it held; roll back where the run was made`;
}

/** Returns where the policy of a target was at the commit of a run. */
async function policyAt({ commit, target, environment }: RecordRun, { path }: PublishProject) {
  const file = await attempt(() => readGitFile(resolve(path), commit!));
  const value = file && readProject(new SourceText(basename(path), file.text)).value;
  const settings = value?.targets && Object.hasOwn(value.targets, target) ? value.targets[target] : undefined;
  return settings && settingsIn(settings, environment).policy;
}

async function* versionsOf(
  argument: string,
  commit: string,
  { project, history, terminal }: Archive,
): AsyncGenerator<Canonical> {
  const path = resolve(project.directory, splitFilePart(argument).name);
  const args = ['rev-list', '--full-history', `--max-count=${VERSIONS}`, commit, '--', basename(path)];
  for (const revision of tryGit(dirname(path), args)?.split('\n') ?? []) {
    const read = createPolicyReader({ project, terminal, revision });
    const file = await attempt(() => read(argument, history.record.ref.kind));
    if (file) yield file.value;
  }
}

/** A version that cannot be read is not the one that was live. */
async function attempt<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ExternalError || error instanceof UsageError) return undefined;
    throw error;
  }
}
