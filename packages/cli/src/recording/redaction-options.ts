// Options that say what to redact.

import { type Policy, plainValue } from '@tollgate/policy';
import type { Command } from 'commander';
import { Option } from 'commander';
import { repeatable } from '../input/input-options.ts';
import { type Redactions, wordsOf } from './redact.ts';

/** The options of {@link addRedactionOptions}, as given. */
export interface RedactionOptions {
  readonly redact?: readonly string[];
  readonly keep?: readonly string[];
  readonly redactClients?: boolean;
}

/** Adds the options that say what to redact. */
export function addRedactionOptions(command: Command): Command {
  return command
    .addOption(
      repeatable(
        new Option(
          '--redact <name>',
          'keep nothing of this header or query parameter, not even words of the policy; repeatable',
        ),
      ),
    )
    .addOption(repeatable(new Option('--keep <name>', 'do not redact this header or query parameter; repeatable')))
    .option('--redact-clients', 'replace the addresses of clients');
}

/** Returns what to redact in traffic that a policy decides. */
export function redactionsOf(
  { redact = [], keep = [], redactClients = false }: RedactionOptions,
  { node }: Policy,
): Redactions {
  const lowerCase = (names: readonly string[]) => new Set(names.map(name => name.toLowerCase()));
  const policyWords = wordsOf(JSON.stringify(plainValue(node)));
  return { named: lowerCase(redact), kept: lowerCase(keep), clients: redactClients, policyWords };
}
