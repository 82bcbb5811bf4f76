import { isRecord, textOf } from './json.ts';

/** Since version 130 Chromium's developer tools leave these out, unless told to export sensitive data. */
const SENSITIVE: readonly string[] = ['authorization', 'cookie', 'set-cookie'];

/**
 * Names of the headers that a HAR file leaves out for privacy. The file does not say whether it does: one by those tools that has none of
 * them anywhere is held for one that does.
 */
export function withheldHeaders(entries: readonly unknown[], creator: unknown): readonly string[] {
  if (!isRecord(creator) || creator.name !== 'WebInspector') return [];
  return entries.some(hasSensitive) ? [] : SENSITIVE;
}

function hasSensitive(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  return [entry.request, entry.response].some(message => {
    const headers = isRecord(message) ? message.headers : undefined;
    return Array.isArray(headers) && headers.some(isSensitive);
  });
}

function isSensitive(header: unknown): boolean {
  return isRecord(header) && SENSITIVE.includes(textOf(header.name)?.toLowerCase() ?? '');
}
