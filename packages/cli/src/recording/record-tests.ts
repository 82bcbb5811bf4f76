// `tollgate record`: writes tests from recorded traffic.

import { dirname, relative } from 'node:path';
import { simulationOptions } from '@tollgate/core/documents';
import { InternalError, SourceText } from '@tollgate/diagnostics';
import { type PolicyTests, readTests, testsText } from '@tollgate/policy';
import { isTableEngine, pluralize } from '@tollgate/reports';
import { runTests } from '@tollgate/simulator';
import { nothingRead, type SkippedRecord } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import { splitFilePart } from '../input/document-parts.ts';
import type { TrafficInputs } from '../input/traffic-inputs.ts';
import { type LoadedPolicy, loadPolicy, type PolicySettings, reportRefusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { chooseRowsOf, STOPPED, stoppedOr } from '../replay/choose-engine.ts';
import type { EngineOptions } from '../replay/replay-options.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { PathRecorder, verdictPath } from './path-recorder.ts';
import { type RedactionOptions, redactionsOf } from './redaction-options.ts';

/** The arguments and options of `tollgate record`. */
interface RecordArguments extends TrafficInputs, PolicySettings, RedactionOptions, EngineOptions {
  readonly policy: string;
  readonly output?: string;
  readonly origin?: string;
  readonly allowEmpty?: boolean;
}

/** Writes recorded traffic as policy tests that pass: one for each distinct path through the policy, without credentials. */
export async function recordTests(args: RecordArguments, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadPolicy(args.policy, args, terminal);
  if ('refused' in loaded) return reportRefusal(loaded, terminal);
  const recorder = new PathRecorder(loaded, { origin: args.origin, redactions: redactionsOf(args, loaded.policy) });
  const exchanges = await read(recorder, loaded, { ...args, terminal }).catch(stoppedOr);
  if (exchanges === undefined) {
    printMessage(terminal, STOPPED);
    return EXIT.interrupted;
  }
  for (const note of recorder.notes()) printMessage(terminal, note);
  if (recorder.tests().length === 0) {
    printMessage(terminal, 'nothing was written: no exchange can be stated as a test');
    return EXIT.findings;
  }
  const { profile, endpoint } = args;
  const file: PolicyTests = {
    policy: policyName(args),
    ...(profile && { profile }),
    ...(endpoint && { endpoint }),
    tests: recorder.tests(),
  };
  const text = testsText(file, `Recorded from ${pluralize(exchanges, 'exchange')} by \`tollgate record\`.`);
  confirm(text, loaded);
  if (args.output === undefined) terminal.write(text);
  else {
    const failure = await replaceFile(args.output, text);
    if (failure) throw failure;
  }
  return EXIT.clean;
}

/** Adds what was recorded, and returns the number of exchanges. */
async function read(
  recorder: PathRecorder,
  loaded: LoadedPolicy,
  { terminal, ...args }: RecordArguments & { readonly terminal: Terminal },
): Promise<number> {
  const { engine } = args;
  if (engine !== undefined && isTableEngine(engine)) {
    const { policy, target, environments } = loaded;
    const { profile } = target;
    const options = { profile, environments, ...simulationOptions({ origin: args.origin }), keyOf: verdictPath };
    const { rows, exchanges, skipped } = await chooseRowsOf(policy, options, { ...args, engine, terminal });
    for (const row of rows) recorder.add(row);
    const unread = skipped.reduce((sum, { count }) => sum + count, 0);
    if (exchanges === 0 && !args.allowEmpty)
      throw nothingRead({ files: [args.table!], skipped: unread, example: undefined });
    return exchanges;
  }
  const skipped: SkippedRecord[] = [];
  let exchanges = 0;
  for (const file of args.files)
    for await (const batch of readTraffic(file, args.traffic)) {
      for (const exchange of batch.exchanges) recorder.add(exchange);
      exchanges += batch.exchanges.length;
      if (skipped.length === 0) skipped.push(...batch.skipped);
    }
  if (exchanges === 0 && !args.allowEmpty)
    throw nothingRead({ files: args.files, skipped: skipped.length, example: skipped[0] });
  return exchanges;
}

/** Returns the policy relative to the test file. */
function policyName({ policy, output }: RecordArguments): string {
  if (output === undefined || policy === '-') return policy;
  const { name } = splitFilePart(policy);
  return `${relative(dirname(output), name)}${policy.slice(name.length)}`;
}

/** Reads the tests back and runs them, so that what is written certainly passes. */
function confirm(text: string, { policy, target: { profile }, environments }: LoadedPolicy): void {
  const { value, diagnostics } = readTests(new SourceText('recorded.yaml', text));
  if (value === undefined) throw new InternalError(`the recorded tests cannot be read: ${diagnostics[0]?.message}`);
  const failed = runTests(policy, value, { profile, environments }).results.find(({ status }) => status === 'failed');
  if (failed) throw new InternalError(`the recorded test \`${failed.name}\` fails: ${failed.mismatches[0]?.message}`);
}
