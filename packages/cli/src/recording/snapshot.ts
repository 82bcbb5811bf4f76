// `tollgate snapshot`: records decisions, and compares them later.

import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { ExternalError, printable } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import type { EqualRows } from '@tollgate/query';
import { formatCount, formatOutcome, isTableEngine, pluralize, ruleLabel } from '@tollgate/reports';
import {
  createSimulation,
  DECISION_PARTS,
  type Decision,
  type DecisionPart,
  DecisionTexts,
  replay,
  verdictOf,
} from '@tollgate/simulator';
import { type Exchange, nothingRead } from '@tollgate/traffic';
import { splitFilePart } from '../input/document-parts.ts';
import { readSource } from '../input/read-source.ts';
import type { TrafficInputs } from '../input/traffic-inputs.ts';
import { nothingReadIn } from '../input/unread-files.ts';
import { type LoadedPolicy, loadPolicy, reportRefusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { readRowsOf, STOPPED, stoppedOr } from '../replay/choose-engine.ts';
import type { EngineOptions } from '../replay/replay-options.ts';
import { type ReplayArguments, replayOptions } from '../replay/replay-traffic.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { createRedactor } from './redact.ts';
import { type RedactionOptions, redactionsOf } from './redaction-options.ts';

/** The arguments and options of `tollgate snapshot`. */
interface SnapshotArguments
  extends RedactionOptions,
    EngineOptions,
    Pick<TrafficInputs, 'expressions' | 'ready'>,
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
  const entries = await decide(loaded, args, terminal).catch(stoppedOr);
  if (entries === undefined) {
    printMessage(terminal, STOPPED);
    return EXIT.interrupted;
  }
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
  const { engine } = args;
  if (engine !== undefined && isTableEngine(engine)) {
    const {
      files: _,
      reader,
      traffic,
      ...options
    } = replayOptions({ ...args, top: 0, progress: false }, { profile, environments });
    const run = createSimulation(policy, options).begin();
    const { exchanges, skipped } = await readRowsOf(policy, options, { ...args, engine, terminal }, rows =>
      entries.push(rowEntry(rows, run.decide(rows.exchange), context)),
    );
    if (exchanges === 0 && !args.allowEmpty)
      throw nothingRead({
        files: [args.table!],
        skipped: skipped.reduce((sum, one) => sum + one.count, 0),
        example: undefined,
      });
    return entries.sort((a, b) => (a.request < b.request ? -1 : 1));
  }
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
  throw await nothingReadIn({ files: args.files, skipped: count, example: skipped[0]?.first[0] }, args.traffic);
}

interface ShownChanges {
  readonly path: string;
  readonly total: number;
  readonly terminal: Terminal;
}

/** Changes of one kind that are listed. */
const MAX_SHOWN = 20;

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
      const more = kind.length - MAX_SHOWN;
      return [
        `  ${paint('error', 'was')}  ${printable(was ?? 'not in the snapshot')}`,
        `  ${paint('hint', 'now')}  ${printable(now ?? 'not in the traffic')}${others}`,
        ...kind.slice(0, MAX_SHOWN).map(({ request }) => `       ${printable(request)}`),
        ...(more > 0 ? [`       ${paint('frame', `… and ${formatCount(more)} more`)}`] : []),
      ].join('\n');
    });
  const summary = `${formatCount(changes.length)} of ${pluralize(total, 'decision')} changed; accept with \`--update\``;
  return `${name}: ${summary}\n\n${blocks.join('\n\n')}\n`;
}

/** The decision on one exchange, as a snapshot keeps it. */
interface SnapshotEntry {
  /** Where the exchange is recorded, and its request: `access.log:12  GET /admin/`. */
  readonly request: string;
  /** Its outcome and the rules that matched, for people: `denied with 403; inbound 2 (no scanners)`. */
  readonly decision: string;
  /** A digest of each part of the decision, which say whether another one is the same: `outcome:4f53cda1 url:0b7e6c11`. */
  readonly parts: string;
}

/** What entries are made with. */
interface SnapshotContext {
  readonly rules: readonly Rule[];
  readonly redact: (exchange: Exchange) => Exchange;
  readonly texts: DecisionTexts;
}

/** Returns the entry of an exchange, without credentials. */
function snapshotEntry(
  exchange: Exchange,
  decided: Decision,
  { rules, redact, texts }: SnapshotContext,
): SnapshotEntry {
  const verdict = verdictOf(decided);
  const { place, method, target, url } = redact(exchange);
  const separator = place.unit === 'line' ? ':' : '#';
  const request = `${place.file}${separator}${place.number}  ${method ?? '?'} ${target ?? url ?? '?'}`;
  const matched = verdict.hits.flatMap(({ rule, result }) =>
    result.status === 'matched'
      ? ruleText(rules[rule]!)
      : result.status === 'failed'
        ? `${ruleText(rules[rule]!)} failed`
        : [],
  );
  const needs = verdict.outcomes.length > 1 ? [`needs ${verdict.needs.join(', ')}`] : [];
  const parts = [verdict.outcomes.map(formatOutcome).join(' or '), ...matched, ...needs];
  const digests = [...texts.partsOf(decided, exchange)].map(([part, text]) => `${part}:${digestOf(text)}`);
  return { request: oneLine(request), decision: oneLine(parts.join('; ')), parts: digests.sort().join(' ') };
}

/** Returns the entry of equal rows of a table. They have no numbers, so what they contain tells them apart. */
function rowEntry({ exchange, times, values }: EqualRows, decided: Decision, context: SnapshotContext): SnapshotEntry {
  const { request, decision, parts } = snapshotEntry(exchange, decided, context);
  const [, ...what] = request.split('  ');
  return {
    request: `${what.join('  ')}  row ${digestOf(values, ROW_DIGITS)}`,
    decision: times === 1 ? decision : `${decision}; ${pluralize(times, 'row')}`,
    parts,
  };
}

/** Of 100,000 rows, two have the same digest once in four billion snapshots. */
const ROW_DIGITS = 16;

function digestOf(text: string, digits = 8): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

function ruleText(rule: Rule): string {
  return rule.name === undefined ? ruleLabel(rule) : `${ruleLabel(rule)} (${rule.name.value})`;
}

/** A tab separates the columns of the file. */
function oneLine(text: string): string {
  return printable(text).replaceAll('\t', ' ');
}

const HEAD = '# Decisions on recorded traffic, written by `tollgate snapshot --update`.\n';

/** Returns the file of a snapshot: a line for each exchange. */
function snapshotText(entries: readonly SnapshotEntry[]): string {
  return HEAD + entries.map(({ request, decision, parts }) => `${request}\t${decision}\t${parts}\n`).join('');
}

/** Reads the file of a snapshot. Lines that are not entries are ignored. */
function readSnapshot(text: string): readonly SnapshotEntry[] {
  return text.split('\n').flatMap(line => {
    const [request, decision, parts = ''] = line.replace(/\r$/, '').split('\t');
    return line.startsWith('#') || request === undefined || decision === undefined ? [] : { request, decision, parts };
  });
}

/** How an entry differs: undefined where it is absent. */
interface SnapshotChange {
  readonly request: string;
  readonly was: string | undefined;
  readonly now: string | undefined;
  /** The parts that differ, if the outcome is the same. */
  readonly parts: readonly string[];
}

/** Compares two snapshots, in the order of the new one; entries that are gone come last. Which rules matched does not matter. */
function compareSnapshots(
  before: readonly SnapshotEntry[],
  after: readonly SnapshotEntry[],
): readonly SnapshotChange[] {
  const known = new Map(before.map(entry => [entry.request, entry]));
  const present = new Set(after.map(({ request }) => request));
  const changed = after.flatMap(({ request, decision, parts }): SnapshotChange[] => {
    const was = known.get(request);
    if (was?.parts === parts) return [];
    return [{ request, was: was?.decision, now: decision, parts: partsThatDiffer(was?.parts ?? '', parts) }];
  });
  const gone = before.filter(({ request }) => !present.has(request));
  return [...changed, ...gone.map(({ request, decision }) => ({ request, was: decision, now: undefined, parts: [] }))];
}

/** Returns nothing if the outcome or the status differs, which the texts show. */
function partsThatDiffer(was: string, now: string): readonly string[] {
  const [before, after] = [was, now].map(text => new Map(text.split(' ').map(one => splitDigest(one))));
  const names = (Object.keys(DECISION_PARTS) as DecisionPart[]).filter(name => before!.get(name) !== after!.get(name));
  return names.includes('outcome') || names.includes('status') ? [] : names.map(name => DECISION_PARTS[name]);
}

function splitDigest(text: string): readonly [name: string, digest: string] {
  const [name = '', digest = ''] = text.split(':');
  return [name, digest];
}
