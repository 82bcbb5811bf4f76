import { dirname } from 'node:path';
import { ExternalError, printable } from '@tollgate/diagnostics';
import { DecisionTexts, replay } from '@tollgate/simulator';
import { nothingRead } from '@tollgate/traffic';
import { splitFilePart } from '../input/file-part.ts';
import { readSource } from '../input/read-source.ts';
import { type LoadedPolicy, loadPolicy, reportRefusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { UsageError } from '../process/usage-error.ts';
import { createRedactor } from '../recording/redact.ts';
import { type RedactionOptions, redactionsOf } from '../recording/redaction-options.ts';
import { type ReplayArguments, replayOptions } from '../replay/options/replay-options.ts';
import { formatCount, pluralize } from '../text/format-count.ts';
import { replaceFile } from '../trust/replace-file.ts';
import {
  compareSnapshots,
  readSnapshot,
  type SnapshotChange,
  type SnapshotEntry,
  snapshotEntry,
  snapshotText,
} from './snapshot-file.ts';

/** The arguments and options of `tollgate snapshot`. */
export interface SnapshotArguments
  extends RedactionOptions,
    Pick<
      ReplayArguments,
      'policy' | 'files' | 'traffic' | 'origin' | 'now' | 'seed' | 'geoip' | 'profile' | 'endpoint' | 'env'
    > {
  readonly file?: string;
  readonly update?: boolean;
  readonly allowEmpty?: boolean;
}

/** Compares decisions on recorded traffic with those in a file, or writes them there. */
export async function snapshot(args: SnapshotArguments, terminal: Terminal): Promise<ExitCode> {
  const path = args.file ?? defaultFile(args.policy);
  const loaded = await loadPolicy(args.policy, args, terminal);
  if ('refused' in loaded) return reportRefusal(loaded, terminal);
  const entries = await decide(loaded, args, terminal);
  if (typeof entries === 'number') return entries;
  if (args.update) {
    const failure = await replaceFile(path, snapshotText(entries));
    if (failure) throw failure;
    terminal.write(`${printable(path)}: ${pluralize(entries.length, 'decision')} written\n`);
    return EXIT.clean;
  }
  const by = args.file === undefined ? { repositoryOf: dirname(path) } : 'user';
  const source = await readSource(path, terminal, by);
  if (source instanceof ExternalError) {
    printMessage(terminal, `${source.message}; write the snapshot with \`--update\``);
    return EXIT.external;
  }
  const changes = compareSnapshots(readSnapshot(source.text), entries);
  terminal.write(changesText(changes, { path, total: entries.length, terminal }));
  return changes.length > 0 ? EXIT.findings : EXIT.clean;
}

/** Returns `policy.yaml.snapshot` for `policy.yaml#/spec`. */
function defaultFile(policy: string): string {
  if (policy === '-')
    throw new UsageError('a policy from standard input has no snapshot of its own; name one with `--file`');
  return `${splitFilePart(policy).name}.snapshot`;
}

async function decide(
  { policy, target: { profile }, environments }: LoadedPolicy,
  args: SnapshotArguments,
  terminal: Terminal,
): Promise<readonly SnapshotEntry[] | ExitCode> {
  const context = {
    rules: profile.phases.flatMap(phase => policy.rules[phase]),
    redact: createRedactor(redactionsOf(args, policy)),
    texts: new DecisionTexts({ policy, profile }),
  };
  const entries: SnapshotEntry[] = [];
  const { files, exchanges, skipped } = await replay(policy, {
    ...replayOptions({ ...args, top: 0, progress: false }, { profile, environments }),
    watch: {
      decided: (exchange, decided) => {
        if (decided.kind === 'decided') entries.push(snapshotEntry(exchange, decided.decision, context));
      },
    },
  });
  const failures = files.flatMap(({ failure }) => failure ?? []);
  for (const { message } of failures) printMessage(terminal, message);
  if (failures.length > 0) return EXIT.external;
  if (exchanges > 0 || args.allowEmpty) return entries;
  const count = skipped.reduce((sum, one) => sum + one.count, 0);
  throw nothingRead({ files: args.files, skipped: count, example: skipped[0]?.first[0] });
}

interface ShownChanges {
  readonly path: string;
  readonly total: number;
  readonly terminal: Terminal;
}

/** Changes of one kind that are listed. */
const SHOWN = 20;

/** Groups exchanges whose decision changes in the same way. */
function changesText(changes: readonly SnapshotChange[], { path, total, terminal }: ShownChanges): string {
  const { paint } = reportStyle(terminal);
  const name = paint('strong', printable(path));
  if (changes.length === 0) return `${name}: ${pluralize(total, 'decision')} unchanged\n`;
  const kinds = Object.values(Object.groupBy(changes, ({ was, now, parts }) => JSON.stringify([was, now, parts])));
  const blocks = kinds
    .map(kind => kind!)
    .toSorted((a, b) => b.length - a.length)
    .map(kind => {
      const { was, now, parts } = kind[0]!;
      const others = parts.length === 0 || was === undefined ? '' : `; other ${parts.join(' and ')}`;
      const more = kind.length - SHOWN;
      return [
        `  ${paint('error', 'was')}  ${printable(was ?? 'not in the snapshot')}`,
        `  ${paint('hint', 'now')}  ${printable(now ?? 'not in the traffic')}${others}`,
        ...kind.slice(0, SHOWN).map(({ request }) => `       ${printable(request)}`),
        ...(more > 0 ? [`       ${paint('frame', `… and ${formatCount(more)} more`)}`] : []),
      ].join('\n');
    });
  const summary = `${formatCount(changes.length)} of ${pluralize(total, 'decision')} changed; accept with \`--update\``;
  return `${name}: ${summary}\n\n${blocks.join('\n\n')}\n`;
}
