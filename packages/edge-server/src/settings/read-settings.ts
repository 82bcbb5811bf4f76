// Settings from flags, the environment and a file.

import { readFileSync } from 'node:fs';
import { ExternalError, fileProblem } from '@tollgate/diagnostics';
import { isScalar, LineCounter, parseDocument } from 'yaml';
import {
  flagOf,
  type ParsedSetting,
  parseSetting,
  SERVER_SETTINGS,
  type ServerSettings,
  type SettingValue,
  validateSetting,
  variableOf,
} from './settings.ts';

/** The sources of settings. The command line takes precedence over the environment, which takes precedence over the file. */
export interface SettingSources {
  /** Flags, by setting name. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The path of a settings file in YAML or JSON. */
  readonly file: string | undefined;
}

/**
 * Reads the settings of a server from all sources.
 *
 * @throws ExternalError `settings/invalid` with one line per fault, `settings/unreadable`
 */
export function readServerSettings({ flags, env, file }: SettingSources): ServerSettings {
  const faults: string[] = [];
  const values = new Map<string, SettingValue>(SERVER_SETTINGS.map(fact => [fact.name, fact.default]));
  if (file !== undefined) readFile(file, values, faults);
  for (const { name, type } of SERVER_SETTINGS) {
    const take = (origin: string, text: string | undefined) => {
      if (text === undefined) return;
      accept(parseSetting(type, text), { origin, name, found: text }, values, faults);
    };
    take(`\`${variableOf(name)}\``, env[variableOf(name)]);
    take(`\`--${flagOf(name)}\``, textOf(flags[name]));
  }
  if (faults.length > 0) throw new ExternalError('settings/invalid', faults.join('\ntollgate: '));
  return Object.fromEntries(values) as ServerSettings;
}

function textOf(flag: string | boolean | undefined): string | undefined {
  return typeof flag === 'boolean' ? String(flag) : flag;
}

interface Given {
  /** The source of the value in messages. */
  readonly origin: string;
  readonly name: string;
  readonly found: string;
}

function accept(parsed: ParsedSetting, given: Given, values: Map<string, SettingValue>, faults: string[]): void {
  if ('value' in parsed) values.set(given.name, parsed.value);
  else faults.push(`${given.origin}: expected ${parsed.expected}, found \`${given.found}\``);
}

function readFile(path: string, values: Map<string, SettingValue>, faults: string[]): void {
  const lines = new LineCounter();
  const document = parseDocument(readText(path), { prettyErrors: false, lineCounter: lines });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  for (const { message, pos } of document.errors) faults.push(`${placeOf(pos[0])}: ${message}`);
  const root: unknown = document.errors.length > 0 ? {} : (document.toJS({ maxAliasCount: 0 }) ?? {});
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    faults.push(
      `${placeOf(0)}: expected a mapping of settings, found ${Array.isArray(root) ? 'a list' : `\`${root}\``}`,
    );
    return;
  }
  for (const [name, value] of Object.entries(root)) {
    const node = document.getIn([name], true);
    const [start = 0] = (isScalar(node) ? node.range : undefined) ?? [];
    const fact = SERVER_SETTINGS.find(one => one.name === name);
    if (!fact) faults.push(`${placeOf(start)}: unknown setting \`${name}\``);
    else
      accept(
        validateSetting(fact.type, value),
        { origin: `${placeOf(start)}: \`${name}\``, name, found: shown(value) },
        values,
        faults,
      );
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = fileProblem(cause);
    throw new ExternalError('settings/unreadable', `cannot read the settings \`${path}\`: ${reason}`, { cause });
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
