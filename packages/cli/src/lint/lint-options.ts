import { existsSync } from 'node:fs';
import { type Fix, SEVERITIES, type Severity } from '@tollgate/diagnostics';
import { LINT_PRESETS } from '@tollgate/policy';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseSeconds, repeatable } from '../input/input-options.ts';
import type { CheckOptions } from '../policies/check.ts';

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
  /** Recorded traffic on which to show the effect of unsafe fixes. */
  readonly traffic?: readonly string[];
  /** Succeed even if the traffic contains no exchange. */
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

/** Default path of the baseline. */
export const BASELINE_FILE = 'tollgate-baseline.json';

/** Default path of the cache. */
export const CACHE_FILE = '.tollgate-cache.json';

/** Returns the kinds of fixes to apply. */
export function fixKinds({ fix, unsafeFixes, diff, fixDryRun }: LintFilesOptions): readonly Fix['applicability'][] {
  if (unsafeFixes) return ['safe', 'unsafe'];
  return fix || diff || fixDryRun ? ['safe'] : [];
}

/**
 * Returns the lowest severity that can affect the report, the exit code, the baseline or the cache: lint rules below it need not run.
 * Undefined if every finding matters.
 */
export function minimumSeverity(options: LintFilesOptions): Severity | undefined {
  const { quiet, failOn = 'error', maxWarnings, cache, baseline, writeBaseline, pruneBaseline } = options;
  if (!quiet || maxWarnings !== undefined || cache || fixKinds(options).length > 0) return undefined;
  const hasBaseline = baseline !== undefined || writeBaseline || pruneBaseline || existsSync(BASELINE_FILE);
  return hasBaseline ? undefined : failOn;
}

/** Adds the options for choosing lint rules, failing and fixing. */
export function addLintOptions(command: Command): Command {
  return command
    .addOption(
      repeatable(
        new Option('--preset <name>', 'preset to run instead of those in `tollgate.yaml`; repeatable').choices(
          LINT_PRESETS,
        ),
      ),
    )
    .addOption(
      repeatable(
        new Option(
          '--rule <id=severity>',
          'severity of lint rules, such as `url/open-redirect=error` or `style/*=off`; repeatable',
        ),
      ),
    )
    .addOption(new Option('--fail-on <severity>', 'lowest severity that makes the command fail').choices(SEVERITIES))
    .addOption(new Option('--max-warnings <number>', 'fail if there are more warnings than this').argParser(parseCount))
    .option('--fix', 'apply safe fixes')
    .option('--unsafe-fixes', 'also apply fixes that may change decisions, and show how')
    .addOption(
      repeatable(
        new Option('--traffic <file>', 'recorded traffic on which to show the effect of `--unsafe-fixes`; repeatable'),
      ),
    )
    .option('--allow-empty', 'succeed even if no named file contains a policy, or the traffic no exchange')
    .option('--diff', 'show the fixes without writing them')
    .option('--fix-dry-run', 'report as if fixes had been applied, without writing them')
    .option('--baseline <file>', 'ignore the findings listed in this file')
    .option('--write-baseline', 'write all findings to the baseline (default: `tollgate-baseline.json`)')
    .option('--prune-baseline', 'remove fixed findings from the baseline')
    .option('--cache', 'cache findings, and lint only files that changed')
    .option('--cache-file <file>', 'path of the cache (default: `.tollgate-cache.json`)')
    .addOption(
      new Option(
        '--rule-timeout <seconds>',
        'stop a custom lint rule that takes longer on one file (default: 10)',
      ).argParser(parseSeconds),
    )
    .option('--watch', 'lint again whenever a file changes')
    .option('--stdin-filename <path>', 'path of standard input in settings and reports')
    .option('--no-ignore', 'also lint files that the settings ignore')
    .option('--no-suppressions', 'report findings that comments suppress');
}

function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a non-negative integer.');
  return Number(text);
}
