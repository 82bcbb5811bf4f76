// `--secrets`: what `secrets.get` returns where the command enforces a policy.

import { ExternalError } from '@tollgate/diagnostics';
import type { Secrets } from '@tollgate/enforce';
import { parseDocument } from 'yaml';
import { readSource } from '../input/read-source.ts';
import { UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';

/** The secrets of a file. */
export interface SecretsFile {
  /** As it was read. */
  readonly text: string;
  readonly secrets: Secrets;
  /** Returns text without them. */
  readonly hide: (text: string) => string;
}

/** Reads vaults with their secrets by name, in YAML or JSON. */
export async function readSecrets(file: string, terminal: Terminal): Promise<SecretsFile> {
  const source = await readSource(file, terminal);
  if (source instanceof ExternalError) throw source;
  const vaults = vaultsIn(file, source.text);
  const values = [...vaults.values()].flatMap(vault => [...vault.values()]).filter(value => value !== '');
  const spellings = values.flatMap(value => [value, JSON.stringify(value).slice(1, -1)]);
  const longestFirst = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return {
    text: source.text,
    secrets: (vault, name) => vaults.get(vault)?.get(name),
    hide: text => longestFirst.reduce(hidden, text),
  };
}

/** Also hides the beginning of a value, because long values are shown in part. */
function hidden(text: string, value: string): string {
  const [first = '', ...others] = text.replaceAll(value, '***').split(value.slice(0, MIN_PART));
  const rests = others.map(other => {
    let end = 0;
    while (end < other.length && other[end] === value[MIN_PART + end]) end++;
    return `***${other.slice(end)}`;
  });
  return (first + rests.join('')).replaceAll(/(?:\*{3}){2,}/g, '***');
}

/** How many characters of a secret tell something of it. */
const MIN_PART = 6;

function vaultsIn(file: string, text: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const expected = `expected \`${file}\` to contain vaults with secrets by name, such as \`hooks: { github: … }\``;
  const entriesOf = (value: unknown, what: string) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new UsageError(`${expected}; ${what} is ${kindOf(value)}`);
    return Object.entries(value);
  };
  const textOf = (value: unknown, what: string) => {
    if (typeof value === 'string') return value;
    const remedy = typeof value === 'object' ? '' : '; put it in quotes';
    throw new UsageError(`${expected}; ${what} is ${kindOf(value)}${remedy}`);
  };
  const vaults = entriesOf(parsed(text, expected), 'the file').map(([vault, secrets]) => {
    const named = entriesOf(secrets, `\`${vault}\``).map(
      ([name, value]) => [name, textOf(value, `\`${name}\` of \`${vault}\``)] as const,
    );
    return [vault, new Map(named)] as const;
  });
  return new Map(vaults);
}

/** Returns what a value that is not shown is. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

function parsed(text: string, expected: string): unknown {
  try {
    const document = parseDocument(text);
    if (document.errors.length === 0) return document.toJS();
  } catch {
    // An alias of nothing, or too many of them.
  }
  // The message of the parser would show a line of the file.
  throw new UsageError(`${expected}; it is neither YAML nor JSON`);
}
