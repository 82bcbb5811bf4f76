// The policy to compare with: a file, a revision of Git, or what is published.

import type { SourceText } from '@tollgate/diagnostics';
import type { PartPath } from '@tollgate/policy';
import { splitFilePart } from '../input/document-parts.ts';
import { readGitFile } from '../input/git.ts';
import {
  type LoadedPolicy,
  loadPolicy,
  loadPolicyIn,
  type PolicySettings,
  type Refusal,
} from '../policies/load-policy.ts';
import { type ExitCode, UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';

/** How to find the policy that another one is compared with. */
export interface OldPolicyArguments extends PolicySettings {
  /** A file, `git:REV` or `live:TARGET`. */
  readonly old: string;
  /** The file of the new policy. */
  readonly new: string;
  /** The environment of a live target. */
  readonly environment?: string;
}

/** Loads the old policy. A live policy is one of the same profile and endpoint as the new one, unless its phases show that it is not. */
export async function loadOldPolicy(
  args: OldPolicyArguments,
  becomes: LoadedPolicy,
  terminal: Terminal,
): Promise<LoadedPolicy | Refusal | ExitCode> {
  const [scheme, rest] = splitScheme(args.old);
  if (scheme === undefined) return loadPolicy(args.old, args, terminal);
  if (rest === '') throw new UsageError(`\`${args.old}\` names nothing; expected ${FORMS[scheme]}`);
  if (scheme === 'git') return loadPolicyIn(await atRevision(rest, args.new), args, terminal);
  const { readLivePolicy, liveTarget } = await import('./live-policies.ts');
  const successor = { profile: becomes.target.profile, endpoint: becomes.policy.endpoint };
  const file = await readLivePolicy({ name: rest, environment: args.environment }, successor, terminal);
  if (typeof file === 'number') return file;
  const target = liveTarget(file, successor);
  const settings = { ...args, profile: target.profile.name, endpoint: target.endpoint };
  return loadPolicyIn({ file, part: undefined }, settings, terminal);
}

const FORMS = { git: '`git:REV`, such as `git:main`', live: '`live:TARGET`' } as const;

function splitScheme(argument: string): readonly [scheme: keyof typeof FORMS | undefined, rest: string] {
  if (argument.startsWith('git:')) return ['git', argument.slice('git:'.length)];
  return argument.startsWith('live:') ? ['live', argument.slice('live:'.length)] : [undefined, argument];
}

interface FilePart {
  readonly file: SourceText;
  readonly part: PartPath | undefined;
}

async function atRevision(revision: string, argument: string): Promise<FilePart> {
  if (argument === '-') throw new UsageError('`git:REV` needs the new policy in a file, not on standard input');
  const { name, part } = splitFilePart(argument);
  return { file: await readGitFile(name, revision), part };
}
