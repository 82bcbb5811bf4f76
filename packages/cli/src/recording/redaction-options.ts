import type { Command } from 'commander';
import { Option } from 'commander';
import type { Redactions } from './redact.ts';

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
      new Option(
        '--redact <name>',
        'also redact this header or query parameter; credentials, cookies and tokens always are; repeatable',
      ).argParser(collect),
    )
    .addOption(
      new Option('--keep <name>', 'do not redact this header or query parameter; repeatable').argParser(collect),
    )
    .option('--redact-clients', 'replace the addresses of clients');
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Returns what to redact. */
export function redactionsOf({ redact = [], keep = [], redactClients = false }: RedactionOptions): Redactions {
  const lowerCase = (names: readonly string[]) => new Set(names.map(name => name.toLowerCase()));
  return { named: lowerCase(redact), kept: lowerCase(keep), clients: redactClients };
}
