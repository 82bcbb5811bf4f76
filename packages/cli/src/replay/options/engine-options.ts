import { type Command, Option } from 'commander';

/** What decides exchanges: DuckDB in groups, or JavaScript one by one. */
export type EngineName = 'duckdb' | 'js';

/** Adds `--engine`. */
export function addEngineOptions(command: Command): Command {
  return command.addOption(
    new Option(
      '--engine <name>',
      'what replays the traffic: `duckdb`, for JSON lines and Parquet, or `js`; by default `duckdb` for Parquet only',
    ).choices(['duckdb', 'js']),
  );
}
