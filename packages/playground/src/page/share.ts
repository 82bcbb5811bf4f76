// Links and drafts: the state of the page in its address, and in the storage of the browser.

import { decodePermalink, encodePermalink, PermalinkError, type PlaygroundState } from '../permalink.ts';
import { VERSION } from '../version.ts';
import { button, element } from './elements.ts';

const DRAFT = 'tollgate-playground-draft';

/** Keeps a draft in the browser. */
export function keepDraft(state: PlaygroundState): void {
  try {
    localStorage.setItem(DRAFT, JSON.stringify(state));
  } catch {
    // The storage is full or forbidden; the page works without.
  }
}

/** Forgets the draft. */
export function forgetDraft(): void {
  try {
    localStorage.removeItem(DRAFT);
  } catch {
    // As above.
  }
}

/** Returns the draft, if there is one that can be read. */
export async function readDraft(): Promise<PlaygroundState | undefined> {
  try {
    const text = localStorage.getItem(DRAFT);
    // Checked as if it were a link: somebody else's script may share the storage of the origin.
    return text === null
      ? undefined
      : await decodePermalink(await encodePermalink(JSON.parse(text) as PlaygroundState));
  } catch {
    return undefined;
  }
}

/** Returns the state of the address, or why it cannot be opened; undefined for an address without one. */
export async function readAddress(): Promise<PlaygroundState | string | undefined> {
  if (location.hash.length < 2) return undefined;
  try {
    return await decodePermalink(location.hash);
  } catch (error) {
    if (error instanceof PermalinkError) return error.message;
    throw error;
  }
}

/** Returns a note if a link was written by another version of Tollgate. */
export function versionNote({ version }: PlaygroundState): string | undefined {
  if (version === undefined || version === VERSION) return undefined;
  return `This link was made with Tollgate ${version.slice(0, 20)}; this is ${VERSION}, whose findings may differ.`;
}

/** A recording, of which a link may contain the beginning. */
interface ShareableLog {
  readonly name: string;
  readonly content: Blob;
}

/** How much of a log goes into a link. */
const MAX_LOG_BYTES = 100_000;

/**
 * Asks whether a log goes into the link, and shows what would. Returns the text to include, an empty one to leave it out, and undefined if
 * nothing is to be shared.
 */
export async function askForLog(dialog: HTMLDialogElement, logs: readonly ShareableLog[]): Promise<string | undefined> {
  const [log] = logs;
  if (!log) return '';
  const text = await log.content.slice(0, MAX_LOG_BYTES).text();
  const isWhole = log.content.size <= MAX_LOG_BYTES;
  // A cut last line would be skipped by every reader.
  const whole = isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  const isText = !/[\u0000-\u0008\u{fffd}]/u.test(whole.slice(0, 1000));
  return await new Promise(resolve => {
    const answer = (value: string | undefined) => {
      resolve(value);
      dialog.close();
    };
    const preview = element('textarea', {
      rows: '10',
      spellcheck: 'false',
      'aria-label': 'What the link will contain',
    });
    preview.value = whole;
    const warning = `Logs contain addresses, paths and tokens. Whoever has the link can read this; edit it before you include it${isWhole ? '' : '. Only its beginning fits into a link'}.`;
    dialog.replaceChildren(
      element('h2', {}, 'Include the log in the link?'),
      element('p', {}, isText ? warning : `${log.name} is compressed, so a link cannot contain it.`),
      ...(isText ? [preview] : []),
      element(
        'p',
        { class: 'row' },
        button('Leave the log out', () => answer('')),
        ...(isText ? [button('Include this text', () => answer(preview.value))] : []),
        button('Cancel', () => answer(undefined)),
      ),
    );
    dialog.addEventListener('cancel', () => resolve(undefined), { once: true });
    dialog.showModal();
  });
}

/** Puts a state into the address and the clipboard. Returns what to tell the user. */
export async function share(state: PlaygroundState): Promise<string> {
  let link: string;
  try {
    link = await encodePermalink({ ...state, version: VERSION });
  } catch (error) {
    if (error instanceof PermalinkError) return `Not shared: ${error.message}`;
    throw error;
  }
  history.replaceState(undefined, '', `#${link}`);
  const isCopied = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  );
  const size = `${link.length.toLocaleString('en')} characters`;
  return isCopied ? `Link copied (${size}).` : `The address of this page is the link now (${size}).`;
}
