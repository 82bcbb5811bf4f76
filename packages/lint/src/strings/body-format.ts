/** Whether a text is an object or a list in JSON. Texts with expressions in them are judged by what stands around these. */
export function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text) && parses(text);
}

/** Whether the text cannot become JSON: it is not, and nothing is filled in. */
export function isNeverJson(text: string): boolean {
  return !text.includes('${') && text.trim() !== '' && !parses(text);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
