// Where a policy that is enforced comes from, and how its changes are noticed: a file, or what is published for a target.

import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MODERN, PROFILES } from '@tollgate/catalog';
import { ExternalError, type SourceText } from '@tollgate/diagnostics';
import { splitFilePart } from '../input/document-parts.ts';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { FolderWatch } from '../input/watch-paths.ts';
import {
  type LoadedPolicy,
  loadPolicy,
  loadPolicyIn,
  type PolicySettings,
  type Refusal,
} from '../policies/load-policy.ts';
import { type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';

/** How to find a policy that is enforced. */
export interface SourceArguments extends PolicySettings {
  /** A file, a part of one, or `live:TARGET`. */
  readonly policy: string;
  /** The environment of the target. */
  readonly environment?: string;
  /** Seconds between two readings of what is published. */
  readonly poll: number;
}

/** Where a policy comes from. */
export interface PolicySource {
  /** Reads the policy. Throws an {@link ExternalError} if it cannot be read; problems of the project file are reported. */
  readonly load: () => Promise<LoadedPolicy | Refusal | ExitCode>;
  /** Begins to look for changes, other than to these files, until the signal aborts. */
  readonly watch: (stop: AbortSignal, written: readonly string[]) => Promise<Changes>;
}

/** Waits until the policy may be another one; `next` is false if there will be no more. */
interface Changes {
  readonly next: () => Promise<boolean>;
}

/** Returns the source that the command line names. Reads nothing yet. */
export function policySource(args: SourceArguments, terminal: Terminal): PolicySource {
  if (args.policy === STANDARD_INPUT)
    throw new UsageError('expected a policy in a file, which is read again when it changes');
  if (args.policy.startsWith(LIVE)) return new LiveSource(args, terminal);
  if (args.environment !== undefined)
    throw new UsageError('`--environment` is that of `live:TARGET`, and the policy is a file');
  return {
    load: () => loadPolicy(args.policy, args, terminal),
    async watch(stop, written) {
      const watch = new FolderWatch(stop, written);
      await watch.add([dirname(splitFilePart(args.policy).name), ...(args.env ?? []).map(file => dirname(file))]);
      return watch;
    },
  };
}

const LIVE = 'live:';

/** What is published for a target of `tollgate.yaml`. It is asked for again and again: the API tells nobody of a change. */
class LiveSource implements PolicySource {
  readonly #args: SourceArguments;
  readonly #terminal: Terminal;
  /** As it was read last, if {@link load} has not taken it. */
  #pending: SourceText | undefined;
  /** What was read last. */
  #text: string | undefined;
  #read: (() => Promise<SourceText>) | undefined;

  constructor(args: SourceArguments, terminal: Terminal) {
    if (args.policy === LIVE) throw new UsageError(`\`${LIVE}\` names nothing; expected \`live:TARGET\``);
    this.#args = args;
    this.#terminal = terminal;
  }

  async load(): Promise<LoadedPolicy | Refusal | ExitCode> {
    const opened = await this.#open();
    if (typeof opened === 'number') return opened;
    const file = this.#pending ?? (await opened());
    this.#pending = undefined;
    this.#text = file.text;
    return loadPolicyIn({ file, part: undefined }, this.#settings, this.#terminal);
  }

  async watch(stop: AbortSignal): Promise<Changes> {
    let fault: string | undefined;
    const next = async () => {
      while (await isAwake(this.#args.poll, stop)) {
        const found = await this.#readAgain();
        if (found instanceof Error && found.message !== fault)
          printMessage(this.#terminal, `${found.message}; the previous policy stays in use`);
        fault = found instanceof Error ? found.message : undefined;
        if (found === true) return true;
      }
      return false;
    };
    return { next };
  }

  /** Returns true if the policy is another one. */
  async #readAgain(): Promise<boolean | Error> {
    try {
      const opened = await this.#open();
      if (typeof opened === 'number') return false;
      const file = await opened();
      if (file.text === this.#text) return false;
      this.#pending = file;
      return true;
    } catch (error) {
      // The target may be another record by now.
      this.#read = undefined;
      if (error instanceof ExternalError) return error;
      throw error;
    }
  }

  #settings: PolicySettings = {};

  /** Finds the target, and returns what reads its policy. */
  async #open(): Promise<(() => Promise<SourceText>) | ExitCode> {
    if (this.#read) return this.#read;
    const { findLivePolicy, livePolicySource } = await import('../publish/live-policies.ts');
    const { policy, environment, ...settings } = this.#args;
    const found = await findLivePolicy({ name: policy.slice(LIVE.length), environment }, this.#terminal);
    if (typeof found === 'number') return found;
    const profile = PROFILES.find(({ name }) => name === settings.profile) ?? MODERN;
    const endpoint = settings.endpoint ?? found.kind;
    this.#settings = { ...settings, endpoint };
    const what = { profile, endpoint: profile.endpoints.find(one => one === endpoint) ?? profile.endpoints[0]! };
    this.#read = async () => livePolicySource(policy, await found.read(), what);
    return this.#read;
  }
}

/** Waits for some seconds. Returns false if the signal aborts. */
async function isAwake(seconds: number, signal: AbortSignal): Promise<boolean> {
  await pause(seconds * 1000, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}
