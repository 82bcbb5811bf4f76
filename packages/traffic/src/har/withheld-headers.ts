import { isRecord, textOf } from '../input/json.ts';

/** Since version 130, Chromium's developer tools leave these out unless told to export sensitive data. */
export const SENSITIVE: readonly string[] = ['authorization', 'cookie', 'set-cookie'];

/**
 * Returns true if a file by this creator may leave headers out for privacy. The file does not say whether it does: one without any of them is
 * assumed to.
 */
export function mayWithhold(creator: unknown): boolean {
  return isRecord(creator) && creator.name === 'WebInspector';
}

/** Returns true if an entry has one of the headers that are left out for privacy. */
export function hasSensitiveHeader(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  return [entry.request, entry.response].some(message => {
    const headers = isRecord(message) ? message.headers : undefined;
    return Array.isArray(headers) && headers.some(isSensitive);
  });
}

function isSensitive(header: unknown): boolean {
  return isRecord(header) && SENSITIVE.includes(textOf(header.name)?.toLowerCase() ?? '');
}
