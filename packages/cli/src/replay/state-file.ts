// The file of `--state`: counts of the days of a table, and what they are counts of.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ExternalError } from '@tollgate/diagnostics';
import { plainValue } from '@tollgate/policy';
import type { DayCounts, DayStore } from '@tollgate/query';
import type { ReplayOptions } from '@tollgate/simulator';
import { readSource } from '../input/read-source.ts';
import type { TrafficInputs } from '../input/traffic-inputs.ts';
import type { LoadedPolicy } from '../policies/load-policy.ts';
import { UsageError } from '../process/exit-code.ts';
import { MAX_BYTES, type Terminal } from '../process/terminal.ts';
import { VERSION } from '../process/version.ts';
import { replaceFile } from '../trust/replace-file.ts';
import type { EngineOptions } from './replay-options.ts';

/** Version of the format. */
const FORMAT = 1;

/** What counts depend on, by how messages name it. */
type Origins = Readonly<Record<string, string>>;

interface StateDocument {
  readonly format: number;
  readonly of: Origins;
  /** Of `days`, because wrong counts would be wrong figures. */
  readonly digest: string;
  readonly days: Readonly<Record<string, DayCounts>>;
}

/** Which traffic is replayed. */
interface TableArguments extends EngineOptions, TrafficInputs {
  readonly now?: number;
}

/** Counts by day that outlast a run. */
export interface StateFile extends DayStore {
  /** Writes the file, if there is something new. Throws an `ExternalError` if that fails. */
  readonly save: () => Promise<void>;
}

/**
 * Reads the file, if it exists. Throws a {@link UsageError} if it has counts of something else than what is replayed, and an `ExternalError` if it cannot be read
 * or was changed.
 */
export async function openState(
  path: string,
  loaded: LoadedPolicy,
  {
    args,
    options,
    terminal,
  }: { readonly args: TableArguments; readonly options: ReplayOptions; readonly terminal: Terminal },
): Promise<StateFile> {
  const of = originsOf(loaded, args, options);
  const kept = existsSync(path) ? await readDays(path, of, terminal) : {};
  const days: Record<string, DayCounts> = { ...kept };
  let isNew = false;
  return {
    kept,
    now: Date.now(),
    keep: (day, counts) => {
      days[day] = counts;
      isNew = true;
    },
    save: async () => {
      if (!isNew) return;
      const inOrder = Object.fromEntries(Object.entries(days).sort(([a], [b]) => (a < b ? -1 : 1)));
      const document: StateDocument = { format: FORMAT, of, digest: digestOf(inOrder), days: inOrder };
      const text = `${JSON.stringify(document)}\n`;
      if (Buffer.byteLength(text) > MAX_BYTES)
        throw new ExternalError(
          'file/unwritable',
          `\`${path}\` would be larger than ${MAX_BYTES} bytes; use a file for each month`,
        );
      const failure = await replaceFile(path, text);
      if (failure) throw failure;
    },
  };
}

async function readDays(path: string, of: Origins, terminal: Terminal): Promise<StateDocument['days']> {
  const source = await readSource(path, terminal);
  if (source instanceof Error) throw source;
  const document = parsed(source.text);
  if (document?.format !== FORMAT || document.digest !== digestOf(document.days))
    throw new ExternalError(
      'file/unreadable',
      `\`${path}\` is not a state that \`--state\` has written, or it was changed; delete it to count all days again`,
    );
  const others = Object.keys(of).filter(name => document.of[name] !== of[name]);
  if (others.length > 0)
    throw new UsageError(
      `\`${path}\` has counts of ${others.length === 1 ? 'another' : 'others:'} ${others.join(', ')}; name another file with \`--state\`, or delete it to count all days again`,
    );
  return document.days;
}

function parsed(text: string): StateDocument | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function originsOf(
  { policy, target, environments }: LoadedPolicy,
  args: TableArguments,
  options: ReplayOptions,
): Origins {
  const { engine = '', table = '', connect, traffic, expressions, ready, now } = args;
  const { hostname, port, pathname } =
    connect !== undefined && URL.canParse(connect) ? new URL(connect) : new URL('none:');
  return {
    policy: digestOf(plainValue(policy.node)),
    profile: `${target.profile.name} ${target.endpoint}`,
    // With the functions of extensions.
    'functions and variables': digestOf(environments),
    table: `${engine} ${digestOf([table, hostname, port, pathname])}`,
    mapping: digestOf([traffic.mapping, expressions, ready]),
    options: digestOf([options.assumptions, now]),
    'version of Tollgate': VERSION,
  };
}

function digestOf(value: unknown): string {
  const plain = (_: string, one: unknown) => {
    if (typeof one === 'function' || typeof one === 'bigint') return String(one);
    return one instanceof Map || one instanceof Set ? [...one] : one;
  };
  return createHash('sha256')
    .update(JSON.stringify(value, plain) ?? '')
    .digest('hex')
    .slice(0, 32);
}
