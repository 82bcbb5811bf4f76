import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { ExternalError } from '@tollgate/diagnostics';
import type { PolicyText } from '../input/policy-texts.ts';
import { replaceFile } from '../output/replace-file.ts';
import { VERSION } from '../version.ts';
import type { LintFilesOptions } from './lint-options.ts';
import type { LintedText } from './lint-session.ts';
import type { Linting } from './load-linting.ts';

/** More files than this are not kept: the oldest go first. */
const MOST_FILES = 20_000;

interface Entry {
  readonly key: string;
  readonly found: LintedText;
}

/** Findings of earlier runs, each valid for exactly one content of a file and one state of all settings. */
export class LintCache {
  readonly #path: string;
  readonly #settings: string;
  readonly #entries: Map<string, Entry>;

  constructor(path: string, settings: string) {
    this.#path = path;
    this.#settings = settings;
    this.#entries = readEntries(path);
  }

  get(text: CachedText): LintedText | undefined {
    const entry = this.#entries.get(nameOf(text));
    return entry?.key === this.#keyOf(text) ? entry.found : undefined;
  }

  set(text: CachedText, found: LintedText): void {
    const name = nameOf(text);
    this.#entries.delete(name);
    this.#entries.set(name, { key: this.#keyOf(text), found });
  }

  /** Gives the error instead of throwing it: what was found is right all the same. */
  async save(): Promise<ExternalError | undefined> {
    const kept = [...this.#entries].slice(-MOST_FILES);
    return replaceFile(this.#path, JSON.stringify({ version: VERSION, entries: Object.fromEntries(kept) }));
  }

  #keyOf({ source, part, target }: CachedText): string {
    const about = JSON.stringify([this.#settings, target.profile.name, target.endpoint, part]);
    return hash('sha256', `${about}\n${source.text}`).slice(0, 40);
  }
}

type CachedText = Pick<PolicyText, 'source' | 'part' | 'target'>;

/** A file may hold several policies. */
function nameOf({ source, part }: CachedText): string {
  return part ? `${source.uri}#${part.document ?? ''}/${part.steps.join('/')}` : source.uri;
}

/** One that cannot be read, or is of another version, is as good as none. */
function readEntries(path: string): Map<string, Entry> {
  try {
    const { version, entries } = JSON.parse(readFileSync(path, 'utf8'));
    return version === VERSION ? new Map(Object.entries(entries)) : new Map();
  } catch {
    return new Map();
  }
}

/** All that findings depend on beside the text: the version, the settings, the modules that were loaded, the options, the day. */
export function settingsKey({ sources, modules }: Linting, options: LintFilesOptions, today: string): string {
  const { profile, endpoint, env, preset, rule, ignore, suppressions } = options;
  const files = [...modules, ...(env ?? [])].filter(existsSync).map(path => readFileSync(path, 'utf8'));
  const texts = [...sources.map(source => source.text), ...files];
  const given = [VERSION, today, profile, endpoint, env, preset, rule, ignore, suppressions];
  return hash('sha256', JSON.stringify([given, texts]));
}
