// What earlier runs left with a record, in its `metadata`, for publishers on other machines.

import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BeginEntry } from './journal.ts';
import { canonicalText, isObject, type Json, type JsonObject } from './json.ts';
import { type Canonical, MODULES, type ModuleName } from './module.ts';
import { maskSealed } from './secrets.ts';

/**
 * What was applied to a record, kept in the `metadata` of the record itself, where every machine sees it. The journal is a log of one
 * machine; this is what a team shares. Contents are sealed as in the journal, and packed: what a module held before a run as its difference
 * from what the run wrote, which is usually live.
 */

/** A run, as far as it concerns one record. */
export interface RecordRun extends Pick<BeginEntry, 'run' | 'time' | 'command' | 'who' | 'keyId'> {
  /** Greater than that of each run that its machine knew of. */
  readonly sequence: number;
  /** The run that a rollback takes back. */
  readonly undoes?: string;
  readonly commit?: string;
  readonly environment: string;
  readonly target: string;
  /** Identifies the project file, wherever it is checked out. */
  readonly project?: string;
  readonly modules: Readonly<Partial<Record<ModuleName, ModuleVersions>>>;
}

/** A module before and after a run. */
export interface ModuleVersions {
  readonly before: Version;
  readonly after: Version;
  /** Whether one of them has secrets, so that digests are comparable only under the key of the run. */
  readonly hasSecrets: boolean;
}

/** The contents of a module. */
interface Version {
  readonly digest: string;
  /** Undefined if they are packed, or not stored. */
  readonly sealed?: { readonly value: Canonical };
  readonly packed?: string;
}

/** What the metadata of a record is used for: the state of Tollgate, nothing, or something else, which must be left alone. */
type RecordState =
  | { readonly kind: 'state'; readonly runs: readonly RecordRun[] }
  | { readonly kind: 'unused' | 'other' };

/** Returns the digest of a sealed module. */
export function digestOf(sealed: Canonical): string {
  return createHash('sha256').update(canonicalText(sealed)).digest('base64url').slice(0, 16);
}

/** Limit of the API, in bytes. */
const MAX_METADATA = 4096;

const MEMBER = 'tollgate';

/** Reads what the metadata of a record contain. */
export function readState(metadata: string): RecordState {
  if (metadata.trim() === '') return { kind: 'unused' };
  let value: unknown;
  try {
    value = JSON.parse(metadata);
  } catch {
    return { kind: 'other' };
  }
  const state = isObject(value) && Object.keys(value).length === 1 ? value[MEMBER] : undefined;
  if (!isObject(state) || state.version !== 1 || !Array.isArray(state.runs)) return { kind: 'other' };
  return { kind: 'state', runs: state.runs.flatMap((one: Json) => readRun(one) ?? []) };
}

/** Returns metadata with the runs, newest first, as many and as complete as there is room for. */
export function stateText(runs: readonly RecordRun[]): string {
  if (runs.length === 0) return '';
  for (const text of drafts(runs)) if (Buffer.byteLength(text) <= MAX_METADATA) return text;
  return '';
}

/** More than this many runs are not kept. */
const MAX_RUNS = 10;

/** Which contents a draft has: all; only what modules held before, which the way back needs; or none. */
type Contents = 'all' | 'before' | 'none';

/** From the most complete one on. The way back from the newest run is given up last. */
function* drafts(runs: readonly RecordRun[]): Generator<string> {
  const most = Math.min(runs.length, MAX_RUNS);
  for (const contents of ['all', 'before', 'none'] as const) {
    for (let count = most; count > 0; count--) yield draft(runs.slice(0, count), contents);
  }
}

/** What older runs wrote is what the next one found. */
function draft(runs: readonly RecordRun[], contents: Contents): string {
  const shown = runs.map((run, index) => runJson(run, index === 0 || contents !== 'all' ? contents : 'before'));
  return JSON.stringify({ [MEMBER]: { version: 1, runs: shown } });
}

function runJson({ modules, ...about }: RecordRun, contents: Contents): JsonObject {
  const shown = MODULES.flatMap(module => {
    const versions = modules[module];
    if (!versions) return [];
    const { before, after, hasSecrets } = versions;
    const was = contents === 'none' ? undefined : (before.packed ?? packedBefore(versions));
    const is = contents === 'all' ? (after.packed ?? pack(after.sealed?.value, '')) : undefined;
    const json = { before: before.digest, after: after.digest, ...(hasSecrets && { secrets: true }) };
    return [[module, { ...json, ...(was !== undefined && { was }), ...(is !== undefined && { is }) }] as const];
  });
  return { ...about, modules: Object.fromEntries(shown) } as JsonObject;
}

/** What the run wrote is the dictionary, without its secrets: they are not known everywhere. */
function packedBefore({ before, after }: ModuleVersions): string | undefined {
  return after.sealed ? pack(before.sealed?.value, dictionary(after.sealed.value)) : undefined;
}

function dictionary(sealed: Canonical): string {
  return canonicalText(maskSealed(sealed));
}

/** Null needs no contents: its digest says it. */
function pack(value: Canonical | undefined, known: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = Buffer.from(canonicalText(value));
  return deflateRawSync(text, { level: 9, dictionary: Buffer.from(known) }).toString('base64url');
}

/** Returns what a module held before a run, sealed; undefined if that is not stored. `live` is what the run wrote, sealed with any key. */
export function beforeIn({ before }: ModuleVersions, live: Canonical): Canonical | undefined {
  return unpacked(before, dictionary(live));
}

/** Returns what a run wrote, sealed; undefined if that is not stored. */
export function afterIn({ after }: ModuleVersions): Canonical | undefined {
  return unpacked(after, '');
}

/** What does not have its digest was damaged, or packed with another dictionary. */
function unpacked({ digest, sealed, packed }: Version, known: string): Canonical | undefined {
  if (sealed) return sealed.value;
  if (digest === digestOf(null)) return null;
  if (packed === undefined) return undefined;
  try {
    const text = inflateRawSync(Buffer.from(packed, 'base64url'), {
      dictionary: Buffer.from(known),
      maxOutputLength: 1 << 24,
    });
    const value = JSON.parse(text.toString('utf8')) as Canonical;
    return digestOf(value) === digest ? value : undefined;
  } catch {
    return undefined;
  }
}

function readRun(value: Json): RecordRun | undefined {
  if (!isObject(value) || !isObject(value.modules)) return undefined;
  const { modules: given, sequence, ...about } = value;
  const texts = ['run', 'time', 'command', 'who', 'keyId', 'environment', 'target'];
  if (typeof sequence !== 'number' || texts.some(name => typeof about[name] !== 'string')) return undefined;
  const modules = MODULES.flatMap(module => {
    const one = (given as JsonObject)[module];
    if (!isObject(one) || typeof one.before !== 'string' || typeof one.after !== 'string') return [];
    const before = { digest: one.before, ...(typeof one.was === 'string' && { packed: one.was }) };
    const after = { digest: one.after, ...(typeof one.is === 'string' && { packed: one.is }) };
    return [[module, { before, after, hasSecrets: one.secrets === true }]];
  });
  return { ...about, sequence, modules: Object.fromEntries(modules) } as Json as RecordRun & Json;
}
