import { existsSync } from 'node:fs';
import { type Fix, SEVERITIES, type Severity } from '@tollgate/diagnostics';
import { LINT_PRESETS } from '@tollgate/policy';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CheckOptions } from '../check-files.ts';

/** The options of `tollgate lint`. */
export interface LintFilesOptions extends CheckOptions {
  readonly preset?: readonly string[];
  /** `ID=SEVERITY`. */
  readonly rule?: readonly string[];
  readonly failOn?: Severity;
  readonly maxWarnings?: number;
  readonly stdinFilename?: string;
  readonly ignore?: false;
  readonly suppressions?: false;
  readonly fix?: true;
  readonly unsafeFixes?: true;
  /** Recorded traffic that unsafe fixes are tried on. */
  readonly traffic?: readonly string[];
  /** Traffic without an exchange is no failure. */
  readonly allowEmpty?: true;
  readonly diff?: true;
  readonly fixDryRun?: true;
  readonly baseline?: string;
  readonly writeBaseline?: true;
  readonly pruneBaseline?: true;
  readonly cache?: true;
  readonly cacheFile?: string;
  readonly watch?: true;
  /** Seconds. */
  readonly ruleTimeout?: number;
}

/** Where a baseline is when nobody says. */
export const BASELINE_FILE = 'tollgate-baseline.json';

/** Where findings are kept when nobody says. */
export const CACHE_FILE = '.tollgate-cache.json';

/** The kinds of fixes that the options ask for; none when they ask for no fixes. */
export function fixKinds({ fix, unsafeFixes, diff, fixDryRun }: LintFilesOptions): readonly Fix['applicability'][] {
  if (unsafeFixes) return ['safe', 'unsafe'];
  return fix || diff || fixDryRun ? ['safe'] : [];
}

/**
 * What is less grave leaves no trace in the report, in the exit code, or in what is kept for other runs, so that it need not be looked
 * for. Undefined where something may be seen of every finding.
 */
export function leastSeen(options: LintFilesOptions): Severity | undefined {
  const { quiet, failOn = 'error', maxWarnings, cache, baseline, writeBaseline, pruneBaseline } = options;
  if (!quiet || maxWarnings !== undefined || cache || fixKinds(options).length > 0) return undefined;
  const hasBaseline = baseline !== undefined || writeBaseline || pruneBaseline || existsSync(BASELINE_FILE);
  return hasBaseline ? undefined : failOn;
}

/** Adds the options that say which lint rules run, what fails, and what is mended. */
export function addLintOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--preset <names...>', 'sets of lint rules, instead of those in `tollgate.yaml`').choices(
        LINT_PRESETS,
      ),
    )
    .addOption(
      new Option(
        '--rule <id=severity>',
        '`url/open-redirect=error`, `style/*=off`; may be given several times',
      ).argParser(collect),
    )
    .addOption(new Option('--fail-on <severity>', 'the least severity that fails').choices(SEVERITIES))
    .addOption(
      new Option('--max-warnings <number>', 'fail when there are more warnings than this').argParser(parseCount),
    )
    .option('--fix', 'apply safe fixes to the files')
    .option('--unsafe-fixes', 'apply fixes that may change what is decided as well, and show what they change')
    .option('--traffic <files...>', 'recorded traffic, to show what `--unsafe-fixes` change on that as well')
    .option('--allow-empty', 'succeed even if the traffic contains no exchange')
    .option('--diff', 'show what fixes would change, and write nothing')
    .option('--fix-dry-run', 'report as if fixes had been applied, and write nothing')
    .option('--baseline <file>', 'leave out the findings that this file lists')
    .option('--write-baseline', 'list all findings in the baseline, `tollgate-baseline.json` by default')
    .option('--prune-baseline', 'take what is mended out of the baseline')
    .option('--cache', 'keep findings, and lint only what has changed since')
    .option('--cache-file <file>', 'where they are kept, `.tollgate-cache.json` by default')
    .addOption(
      new Option(
        '--rule-timeout <seconds>',
        'stop a lint rule of your own that takes longer on a file, 10 by default',
      ).argParser(parseSeconds),
    )
    .option('--watch', 'lint again whenever a file changes, until interrupted')
    .option('--stdin-filename <path>', 'what the standard input is called, for settings and reports')
    .option('--no-ignore', 'lint files that the settings leave out as well')
    .option('--no-suppressions', 'count what comments suppress as well');
}

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a number from 0.');
  return Number(text);
}

function parseSeconds(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('expected a number of seconds from 1.');
  return Number(text);
}
