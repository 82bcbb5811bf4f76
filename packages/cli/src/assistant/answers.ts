// Answers of tools: small, and without sentences in which a log has a say.

import { jsonText } from '@tollgate/diagnostics';

/** The largest answer, in UTF-16 code units of its JSON, in which control characters are escaped. */
export const MAX_ANSWER = 8000;

/** The longest string of a recording or a policy. */
const MAX_TEXT = 200;

/** Returns a string that is short enough to be quoted. */
export function clip(text: string, max = MAX_TEXT): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** A JSON object. */
export type Answer = Readonly<Record<string, unknown>>;

/**
 * Returns an answer of at most {@link MAX_ANSWER}: as long as it is larger, the longest of its lists loses its end. `shortened` names
 * these lists.
 */
export function fit(answer: Answer): Answer {
  const lists = new Map(
    Object.entries(answer).flatMap(([key, value]) => (Array.isArray(value) ? [[key, value] as const] : [])),
  );
  const shortened = new Set<string>();
  let fitted = answer;
  while (jsonText(fitted).length > MAX_ANSWER) {
    const [longest] = [...lists].toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a));
    if (longest === undefined || longest[1].length === 0) break;
    const [key, values] = longest;
    lists.set(key, values.slice(0, Math.floor(values.length * 0.8)));
    shortened.add(key);
    fitted = { ...answer, ...Object.fromEntries(lists), shortened: [...shortened] };
  }
  return fitted;
}

function sizeOf(value: unknown): number {
  return jsonText(value).length;
}
