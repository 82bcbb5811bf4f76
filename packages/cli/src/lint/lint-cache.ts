// Findings of earlier runs, by the content of files and settings.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ExternalError, isRecord, SEVERITIES, type SourceText } from '@tollgate/diagnostics';
import type { PolicySource } from '../input/policy-sources.ts';
import { VERSION } from '../process/version.ts';
import { type NamedBy, pathToWrite } from '../trust/confinement.ts';
import { replaceFile } from '../trust/replace-file.ts';
import type { LintFilesOptions } from './lint-options.ts';
import type { LintedSource } from './lint-session.ts';
import type { LintSetup } from './load-linting.ts';

/** Maximum number of files; the oldest are dropped. */
const MAX_FILES = 20_000;

interface Entry {
  readonly key: string;
  readonly found: LintedSource;
}

/** The findings in a policy, under its name. */
export type CacheEntry = readonly [name: string, entry: Entry];

/** What findings depend on, apart from the file. */
interface LintState {
  readonly settings: string;
  /** The modules loaded before the first file. */
  readonly modules: string;
}

/**
 * Findings of earlier runs, each valid for one content of a file and one state of all settings and modules. Malformed entries are ignored.
 */
export class LintCache {
  readonly #path: string;
  readonly #by: NamedBy;
  readonly #state: LintState;
  readonly #entries: Map<string, Entry>;
  readonly #new: CacheEntry[] = [];

  constructor(path: string, state: LintState, by: NamedBy) {
    this.#path = path;
    this.#by = by;
    this.#state = state;
    this.#entries = readEntries(path, by);
  }

  /** Adds entries that another thread has made. */
  add(entries: readonly CacheEntry[]): void {
    for (const [name, entry] of entries) this.#put(name, entry);
  }

  /** Returns the entries since the last call. */
  takeNew(): readonly CacheEntry[] {
    return this.#new.splice(0);
  }

  get(text: CachedSource): LintedSource | undefined {
    const entry = this.#entries.get(nameOf(text));
    return entry?.key === this.#keyOf(text) && isLintedSource(entry.found, text.source) ? entry.found : undefined;
  }

  set(text: CachedSource, found: LintedSource): void {
    const entry: CacheEntry = [nameOf(text), { key: this.#keyOf(text), found }];
    this.#new.push(entry);
    this.#put(...entry);
  }

  /** The latest entries are last. */
  #put(name: string, entry: Entry): void {
    this.#entries.delete(name);
    this.#entries.set(name, entry);
  }

  /**
   * Writes the cache. Returns an error instead of throwing it, because the findings are valid anyway. Writes nothing if a lint rule has
   * loaded another module in the meantime, because changes to that module would go unnoticed.
   * @param modules the states of the modules at the end
   */
  async save(modules: readonly (string | undefined)[]): Promise<ExternalError | undefined> {
    if (modules.some(one => one !== this.#state.modules)) return undefined;
    const latest = [...this.#entries].slice(-MAX_FILES);
    return replaceFile(this.#path, JSON.stringify({ version: VERSION, entries: Object.fromEntries(latest) }), {
      by: this.#by,
    });
  }

  #keyOf({ source, part, target }: CachedSource): string {
    const about = JSON.stringify([this.#state, target.profile.name, target.endpoint, part]);
    return hash('sha256', `${about}\n${source.text}`).slice(0, 40);
  }
}

type CachedSource = Pick<PolicySource, 'source' | 'part' | 'target'>;

/** Returns the key of a policy; a file may contain several. */
function nameOf({ source, part }: CachedSource): string {
  return part ? `${source.uri}#${part.document ?? ''}/${part.steps.join('/')}` : source.uri;
}

/** Returns no entries if the file cannot be read or has another version. */
function readEntries(path: string, by: NamedBy): Map<string, Entry> {
  try {
    const { version, entries } = JSON.parse(readFileSync(pathToWrite(path, by), 'utf8'));
    return version === VERSION ? new Map(Object.entries(entries)) : new Map();
  } catch {
    return new Map();
  }
}

function isLintedSource(found: unknown, source: SourceText): found is LintedSource {
  if (!isRecord(found) || found.isComplete !== true || !isRecord(found.summaries)) return false;
  const { diagnostics, suppressed, defects } = found;
  const isOwn = (one: unknown) => isDiagnostic(one, source);
  return (
    [diagnostics, suppressed, defects].every(Array.isArray) &&
    (diagnostics as unknown[]).every(isOwn) &&
    (suppressed as unknown[]).every(one => isRecord(one) && isOwn(one.diagnostic))
  );
}

function isDiagnostic(one: unknown, { uri, text }: SourceText): boolean {
  if (!isRecord(one) || !isRecord(one.range) || !isRecord(one.args) || one.uri !== uri) return false;
  const { start, end } = one.range;
  const isInside = [start, end].every(Number.isInteger) && inOrder(0, Number(start), Number(end), text.length);
  const isKnown = SEVERITIES.some(severity => severity === one.severity);
  return isInside && isKnown && typeof one.code === 'string' && typeof one.message === 'string';
}

function inOrder(...numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || numbers[index - 1]! <= number);
}

/** Returns a key for what findings depend on apart from files and modules: version, settings, extensions, options and date. */
export function settingsKey({ sources }: LintSetup, options: LintFilesOptions, today: string): string {
  const { profile, endpoint, env, preset, rule, ignore, suppressions } = options;
  const texts = sources.map(source => source.text);
  const given = [VERSION, today, profile, endpoint, env, preset, rule, ignore, suppressions];
  return hash('sha256', JSON.stringify([given, texts]));
}
