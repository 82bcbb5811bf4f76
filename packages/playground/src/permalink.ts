// Links that contain everything the playground shows: `#1.` and the base64url form of JSON, compressed as raw Deflate. Browsers never send the
// part after `#` to a server. A link opens permanently: a change of the format gets a new number, and the old one is still read.

/** A file of the playground. */
export interface PlaygroundFile {
  /** 1 to 100 characters, without `/` or `\`. */
  readonly name: string;
  readonly text: string;
}

/** Everything that decides what the playground shows. */
export interface PlaygroundState {
  /** 1 to 50 files with different names. */
  readonly files: readonly PlaygroundFile[];
  /** The name of the file in the editor. */
  readonly active: string;
  /** A profile of the catalog, such as `modern`. */
  readonly profile: string;
  /** The time of requests, as in RFC 3339, such as `2026-11-24T09:00:00Z`. */
  readonly now?: string;
  /** Decides what policies leave to chance. */
  readonly seed?: number;
  /** The open tab, such as `replay`. */
  readonly tab?: string;
  /** What the tabs were given, by the name of the field, such as `request`. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** The version of Tollgate that wrote the link. */
  readonly version?: string;
}

/** A link that cannot be opened. The message says why. */
export class PermalinkError extends Error {
  override readonly name = 'PermalinkError';
}

/** The largest state that a link may contain, in bytes before compression: Deflate packs up to 1,000 bytes into one. */
export const MAX_STATE_BYTES = 1_000_000;

const MAX_FILES = 50;
const MAX_NAME = 100;

/**
 * Returns the fragment of a link to a state, without `#`. The same state gives links of the same content in browsers and Node, although
 * their compressed bytes may differ.
 *
 * @throws {PermalinkError} if {@link decodePermalink} would refuse the link
 */
export async function encodePermalink(state: PlaygroundState): Promise<string> {
  const checked = checkState(state);
  const bytes = new TextEncoder().encode(JSON.stringify(checked));
  if (bytes.length > MAX_STATE_BYTES) throw tooLarge();
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return `1.${toBase64url(new Uint8Array(await new Response(packed).arrayBuffer()))}`;
}

/**
 * Returns the state of a link from its fragment, with or without `#`.
 *
 * @throws {PermalinkError} if the fragment is no link of a known version, was cut, or contains more than {@link MAX_STATE_BYTES}
 */
export async function decodePermalink(fragment: string): Promise<PlaygroundState> {
  const [, version, body = ''] = /^#?(\d{1,9})\.([\w-]*)$/.exec(fragment) ?? [];
  if (version === undefined)
    throw new PermalinkError('this is not a link to the playground, or a part of it is missing');
  if (version !== '1')
    throw new PermalinkError(
      `this link has format ${version}, and this playground reads format 1; open it in a newer one`,
    );
  const text = await inflate(fromBase64url(body));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged();
  }
  return checkState(value);
}

function damaged(): PermalinkError {
  return new PermalinkError('this link is damaged; copy the whole link');
}

function tooLarge(): PermalinkError {
  return new PermalinkError('a link contains at most 1 MB; shorten the files');
}

/** Returns the decompressed text. Stops reading as soon as it is too long. */
async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      length += value.length;
      if (length > MAX_STATE_BYTES) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    throw damaged();
  }
  await reader.cancel().catch(() => {});
  throw tooLarge();
}

/** Returns a value as a state, without members that states do not have. */
function checkState(value: unknown): PlaygroundState {
  const { files, active, profile, now, seed, tab, inputs, version } = membersOf(value, 'the state');
  const checked = filesIn(files);
  const name = stringIn(active, '`active`');
  if (!checked.some(one => one.name === name)) throw wrong(`\`active\` to be the name of a file, found ${shown(name)}`);
  return {
    files: checked,
    active: name,
    profile: stringIn(profile, '`profile`'),
    ...(now !== undefined && { now: timeIn(now) }),
    ...(seed !== undefined && { seed: integerIn(seed) }),
    ...(tab !== undefined && { tab: stringIn(tab, '`tab`') }),
    ...(inputs !== undefined && { inputs: inputsIn(inputs) }),
    ...(version !== undefined && { version: stringIn(version, '`version`') }),
  };
}

function filesIn(value: unknown): readonly PlaygroundFile[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_FILES)
    throw wrong(`\`files\` to have 1 to ${MAX_FILES} files`);
  const names = new Set<string>();
  return value.map((one, index) => {
    const { name: given, text } = membersOf(one, `file ${index + 1}`);
    const name = stringIn(given, `the name of file ${index + 1}`);
    const objection = objectionToName(name);
    if (objection !== undefined) throw wrong(`the name of file ${index + 1} to be ${objection}, found ${shown(name)}`);
    if (names.has(name)) throw wrong(`different names, found two files named ${shown(name)}`);
    names.add(name);
    return { name, text: stringIn(text, `the text of ${shown(name)}`) };
  });
}

/** Returns what the name of a file must be if it is something else, for a sentence after "must be". */
export function objectionToName(name: string): string | undefined {
  if (name === '' || name.length > MAX_NAME) return `1 to ${MAX_NAME} characters long`;
  if (/^\.+$/.test(name)) return 'more than dots';
  // Characters that are not shown, or that change the order of others: a name must look like what it is.
  return /[/\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(name) ? 'without slashes and invisible characters' : undefined;
}

function inputsIn(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(membersOf(value, '`inputs`'));
  return Object.fromEntries(entries.map(([key, one]) => [key, stringIn(one, `the input ${shown(key)}`)]));
}

function membersOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${what} to be an object`);
  return { ...value };
}

function stringIn(value: unknown, what: string): string {
  if (typeof value !== 'string') throw wrong(`${what} to be a string`);
  return value;
}

function timeIn(value: unknown): string {
  const text = stringIn(value, '`now`');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(Date.parse(text)))
    throw wrong(`\`now\` to be a time such as 2026-11-24T09:00:00Z, found ${shown(text)}`);
  return text;
}

function integerIn(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong('`seed` to be an integer');
  return value;
}

function wrong(expectation: string): PermalinkError {
  return new PermalinkError(`this link cannot be opened: expected ${expectation}`);
}

/** Returns a string of a link as it can stand in a message. */
function shown(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return JSON.stringify(short.replace(/[\p{Cf}\u2028\u2029]/gu, '\u{fffd}'));
}

function toBase64url(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw damaged();
  }
  return Uint8Array.from(binary, one => one.charCodeAt(0));
}
